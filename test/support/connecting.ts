import { createSessions } from '../../core/auth/sessions'
import type { Log } from '../../core/contracts/plugin'
import { where } from '../../core/contracts/where'
import { Connection } from '../../core/outbound/Connection'
import { auditOf } from '../../core/tenancy/audit/audit'
import { User } from '../../core/tenancy/User'
import billing from '../../plugins/billing'
import { startGate } from './harness'
import type { Liar } from './liar'
import { jobs, platformPlugins } from './platforms'
import { firefox, signedIn } from './signed-in'
import { startServices } from './stand-ins/services'
import { createVisitor, type Visitor } from './visitor'

const origin = 'http://localhost:3000'
export const connectionsPath = '/app/settings/connections'
export const redirectUriOf = (provider: 'google' | 'facebook') =>
  `${origin}${connectionsPath}/${provider}/callback`

/** Services that an owner, Ada, can be sent to from a gate, and that know where she is to be led back. */
export async function connectingWorld(settings: Record<string, string> = {}, liar?: Liar) {
  const services = startServices(liar ? { liar } : {})
  services.profiles.redirectUris.add(redirectUriOf('google'))
  services.login.redirectUris.add(redirectUriOf('facebook'))
  let logged = ''
  const write = (message: string, fields?: object) => {
    logged += `${message} ${JSON.stringify(fields ?? {})}\n`
  }
  const log: Log = { debug: write, info: write, warn: write, error: write }
  // Paced calls would wait for half a second each.
  const unpaced = { FACEBOOK_CALLS_PER_MINUTE: '100000', GOOGLE_CALLS_PER_MINUTE: '100000' }
  const named = { ...services.settings, ...unpaced, ...settings }
  const gate = await startGate({
    plugins: [jobs, billing, ...platformPlugins],
    reaches: true,
    log,
    settings: named,
  })
  const withCookie = (pair: string) => {
    const visitor = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
    visitor.cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    return visitor
  }
  const visitorOf = async (agencyId = gate.tenant.agencyId) =>
    withCookie((await signedIn(gate, { agencyId })).cookie)
  const ada = await visitorOf()
  return {
    services,
    gate,
    ada,
    visitorOf,
    logged: () => logged,
    /** The owner, in another browser. */
    async anotherSignIn() {
      const own = where.eq('agency_id', gate.tenant.agencyId)
      const [person] = await gate.owner.rows(User).list({ where: own })
      if (!person) throw new Error('nobody is signed in')
      const request = new Request(origin, { headers: { 'user-agent': firefox } })
      const host = { origin, kind: 'main', agency_id: null } as const
      const { cookie } = await createSessions(gate).start(person, host, request)
      return withCookie(cookie.split(';')[0] ?? '')
    },
    /** Where the browser is sent when a person asks to connect a service. */
    async asking(provider: 'google' | 'facebook', visitor: Visitor = ada): Promise<string> {
      await visitor.open(connectionsPath)
      const sent = await visitor.submit(`${connectionsPath}/${provider}`)
      if (sent.status !== 303) throw new Error(`${sent.status} ${sent.text}`)
      return sent.headers.get('location') ?? ''
    },
    rows: () => gate.owner.rows(Connection).list({ sort: [{ field: 'account_id', direction: 'asc' }] }),
    audited: async () =>
      (await auditOf(gate.owner).list(gate.tenant.agencyId, { limit: 100, kind: 'connection' })).entries,
    async stop() {
      await gate.stop()
      await services.stop()
    },
  }
}

/** The way back to us, as a path. */
export function backOf(url: string): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}

export type ConnectingWorld = Awaited<ReturnType<typeof connectingWorld>>
