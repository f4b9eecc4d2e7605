import { createSessions, type Session } from '../../core/auth/sessions'
import { User } from '../../core/tenancy/User'
import type { Gate } from './harness'

export const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

/** A person of the gate's first agency who is signed in on `http://localhost:3000`, and their cookie. */
export async function signedIn(
  gate: Gate,
  {
    origin = 'http://localhost:3000',
    agencyId = gate.tenant.agencyId,
    email = `ada@${agencyId.toLowerCase()}.example`,
  } = {},
): Promise<{ session: Session; cookie: string; userId: string }> {
  const person = await gate.owner.rows(User).insert({
    workspace_id: agencyId,
    agency_id: agencyId,
    role: 'owner',
    name: 'Ada',
    email,
    is_active: true,
  })
  const host = { origin, kind: 'loopback', agency_id: null } as const
  const request = new Request(origin, { headers: { 'user-agent': firefox } })
  const { session, cookie } = await createSessions(gate).start(person, host, request)
  return { session, cookie: cookie.split(';')[0] ?? '', userId: person.id }
}

/** A form as a browser sends it from a page of that origin. */
export const formOf = (
  fields: Readonly<Record<string, string>>,
  { cookie = '', origin = 'http://localhost:3000' } = {},
) => ({
  method: 'POST',
  key: null,
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    origin,
    ...(cookie === '' ? {} : { cookie }),
  },
  body: new URLSearchParams(fields).toString(),
})
