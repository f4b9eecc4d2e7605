import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Session } from '../../../core/auth/Session'
import { createSessions, isRecent } from '../../../core/auth/sessions'
import type { Host } from '../../../core/requests/host'
import { Agency } from '../../../core/tenancy/Agency'
import { User } from '../../../core/tenancy/User'
import { type Gate, startGate } from '../../support/harness'
import { firefox } from '../../support/signed-in'

const main: Host = { origin: 'https://renown.example.com', kind: 'main', agency_id: null }
const local: Host = { origin: 'http://localhost:3000', kind: 'loopback', agency_id: null }
const dayMs = 24 * 60 * 60_000

let gate: Gate
beforeAll(async () => {
  gate = await startGate()
})
afterAll(() => gate.stop())

const person = (agencyId = gate.tenant.agencyId) =>
  gate.owner
    .rows(User)
    .insert({ workspace_id: agencyId, agency_id: agencyId, role: 'owner', is_active: true })

function asked(host: Host, cookie: string) {
  const request = new Request(`${host.origin}/app`, {
    headers: { cookie: cookie.split(';')[0] ?? '', 'user-agent': firefox },
  })
  return request
}

async function begin(host: Host = main) {
  const sessions = createSessions(gate)
  const user = await person()
  const { session, cookie } = await sessions.start(user, host, asked(host, ''))
  return { sessions, user, session, cookie }
}

describe('a session', () => {
  test('that begins is the twentieth where twenty were there', async () => {
    const { sessions, user } = await begin()
    for (let place = 0; place < 25; place++) {
      gate.clock.advance(1_000)
      await sessions.start(user, main, asked(main, ''))
      expect(await sessions.list(user.id)).toHaveLength(Math.min(place + 2, 20))
    }
  })

  test('is one of twenty of a person at most: one more ends those that were unused the longest', async () => {
    const { sessions, user, session } = await begin()
    const second = await sessions.start(user, main, asked(main, ''))
    for (let place = 0; place < 18; place++) {
      gate.clock.advance(1_000)
      await sessions.start(user, main, asked(main, ''))
    }
    expect(await sessions.list(user.id)).toHaveLength(20)
    gate.clock.advance(10 * 60_000)
    const used = await sessions.of(asked(main, second.cookie), main)
    expect(used?.id).toBe(second.session.id)
    for (let place = 0; place < 5; place++) await sessions.start(user, main, asked(main, ''))
    const left = (await sessions.list(user.id)).map(({ id }) => id)
    expect(left).toHaveLength(20)
    expect(left).toContain(second.session.id)
    expect(left).not.toContain(session.id)
  })

  test('is known by its cookie, which no script and no other site can use', async () => {
    const { sessions, session, cookie, user } = await begin()
    expect(cookie).toMatch(
      /^__Host-renown=rnw_ses_[0-9A-Za-z]{46}; HttpOnly; Max-Age=2592000; Path=\/; SameSite=Lax; Secure$/,
    )
    expect(await sessions.of(asked(main, cookie), main)).toEqual(session)
    expect(session).toMatchObject({ user_id: user.id, agency_id: gate.tenant.agencyId, host: main.origin })
  })

  test('on plain http, which is loopback alone, has a cookie that browsers take there', async () => {
    const { sessions, session, cookie } = await begin(local)
    expect(cookie).toMatch(/^renown_session=rnw_ses_\w+; HttpOnly; Max-Age=2592000; Path=\/; SameSite=Lax$/)
    expect(await sessions.of(asked(local, cookie), local)).toEqual(session)
  })

  test('is stored as a hash, without an address and without the words of the browser', async () => {
    const { session, cookie } = await begin()
    const row = await gate.documents.collection(Session).get(session.id)
    const token = cookie.slice('__Host-renown='.length).split(';')[0] as string
    expect(JSON.stringify(row)).not.toContain(token)
    expect(JSON.stringify(row)).not.toContain('Gecko')
    expect(row).toMatchObject({ browser: 'Firefox on Linux' })
    expect(session.csrf_token).not.toContain(token)
  })

  test('of one host is none on another', async () => {
    const { sessions, cookie } = await begin()
    const token = cookie.slice(cookie.indexOf('=') + 1).split(';')[0]
    const elsewhere: Host = {
      origin: 'https://reviews.example.net',
      kind: 'white_label',
      agency_id: gate.tenant.agencyId,
    }
    expect(await sessions.of(asked(elsewhere, `__Host-renown=${token}`), elsewhere)).toBeNull()
    expect(await sessions.of(asked(local, `renown_session=${token}`), local)).toBeNull()
    const otherPort: Host = { ...local, origin: 'http://localhost:4000' }
    const here = await begin(local)
    expect(await sessions.of(asked(otherPort, here.cookie), otherPort)).toBeNull()
  })

  test('of a white-label domain is one of its agency alone', async () => {
    const sessions = createSessions(gate)
    const domain: Host = {
      origin: 'https://a.example',
      kind: 'white_label',
      agency_id: gate.stranger.agencyId,
    }
    const { cookie } = await sessions.start(await person(), domain, asked(domain, ''))
    expect(await sessions.of(asked(domain, cookie), domain)).toBeNull()
  })

  test('ends after 7 days unused, and after 30 days however much it is used', async () => {
    const { sessions, cookie } = await begin()
    for (const days of [6.9, 6, 6, 6]) {
      gate.clock.advance(days * dayMs)
      expect(await sessions.of(asked(main, cookie), main)).not.toBeNull()
    }
    gate.clock.advance(5.2 * dayMs)
    expect(await sessions.of(asked(main, cookie), main)).toBeNull()
    const unused = await begin()
    gate.clock.advance(7 * dayMs)
    expect(await unused.sessions.of(asked(main, unused.cookie), main)).toBeNull()
  })

  test('ends at the very moment that its row names, also where the store has not removed the row yet', async () => {
    const { user, session, cookie } = await begin()
    const began = Date.parse(session.signed_in_at)
    const after = (ms: number) =>
      createSessions({ documents: gate.documents, clock: { now: () => new Date(began + ms) } })
    expect(await after(7 * dayMs).of(asked(main, cookie), main)).toBeNull()
    expect(await after(5 * 60_000 - 1).of(asked(main, cookie), main)).not.toBeNull()
    const [unused] = await after(0).list(user.id)
    expect(unused?.last_used_at).toBe(new Date(began).toISOString())
    expect(await after(5 * 60_000).of(asked(main, cookie), main)).not.toBeNull()
    const [used] = await after(0).list(user.id)
    expect(used?.last_used_at).toBe(new Date(began + 5 * 60_000).toISOString())
  })

  test('is recent for ten minutes after the password was given', async () => {
    const { session } = await begin()
    const given = Date.parse(session.reauthenticated_at ?? '')
    expect(isRecent(session, new Date(given + 10 * 60_000))).toBe(true)
    expect(isRecent(session, new Date(given + 10 * 60_000 + 1))).toBe(false)
    expect(isRecent({ ...session, reauthenticated_at: null }, new Date(0))).toBe(false)
  })

  test('goes on under a new id when the password was given again', async () => {
    const { sessions, session, cookie } = await begin()
    gate.clock.advance(11 * 60_000)
    expect(isRecent(session, gate.clock.now())).toBe(false)
    const renewed = await sessions.renew(session)
    expect(await sessions.of(asked(main, cookie), main)).toBeNull()
    const now = await sessions.of(asked(main, renewed?.cookie ?? ''), main)
    expect(now?.id).toBe(session.id)
    expect(now && isRecent(now, gate.clock.now())).toBe(true)
    expect(now?.csrf_token).not.toBe(session.csrf_token)
  })

  test('remembers the workspace that was chosen last, over a renewal too', async () => {
    const { sessions, session, cookie } = await begin()
    expect(session.chosen_workspace_id).toBeNull()
    await sessions.choose(session, gate.tenant.otherWorkspaceId)
    const chosen = { id: session.id, chosen_workspace_id: gate.tenant.otherWorkspaceId }
    expect(await sessions.of(asked(main, cookie), main)).toMatchObject(chosen)
    expect((await sessions.renew(session))?.session).toMatchObject(chosen)
  })

  test('ends at once: by itself, with all others, with its person and with its agency', async () => {
    const one = await begin()
    await one.sessions.end(one.session)
    expect(await one.sessions.of(asked(main, one.cookie), main)).toBeNull()

    const { sessions, user, session, cookie } = await begin()
    const other = await sessions.start(user, local, asked(local, ''))
    expect(await sessions.endAll(user.id, session.id)).toBe(1)
    expect(await sessions.of(asked(local, other.cookie), local)).toBeNull()
    expect(await sessions.of(asked(main, cookie), main)).not.toBeNull()

    await sessions.start(user, local, asked(local, ''))
    const all = await begin()
    await all.sessions.start(all.user, local, asked(local, ''))
    expect(await all.sessions.endAll(all.user.id)).toBe(2)

    await gate.owner.rows(User).update(user.id, { is_active: false })
    expect(await sessions.of(asked(main, cookie), main)).toBeNull()
    await gate.owner.rows(User).update(user.id, { is_active: true })
    await gate.owner.rows(Agency).update(gate.tenant.agencyId, { is_active: false })
    expect(await sessions.of(asked(main, cookie), main)).toBeNull()
    await gate.owner.rows(Agency).update(gate.tenant.agencyId, { is_active: true })
  })

  test('is nobody for a cookie that is made up, mistyped or sent to a host that is not served', async () => {
    const { sessions, cookie } = await begin()
    expect(await sessions.of(asked(main, '__Host-renown=x'), main)).toBeNull()
    const mistyped = cookie.replace(/(.);.*/, (_, last) => (last === 'A' ? 'B' : 'A'))
    expect(await sessions.of(asked(main, mistyped), main)).toBeNull()
    expect(await sessions.of(asked(main, cookie), null)).toBeNull()
  })
})

test('a session is nobody’s once its person or its agency is gone', async () => {
  const { sessions, user, cookie } = await begin()
  const session = () => sessions.of(asked(main, cookie), main)
  expect(await session()).not.toBeNull()
  await gate.owner.rows(User).removeWhere({ op: 'eq', field: 'id', value: user.id })
  expect(await session()).toBeNull()
  const agency_id = 'agc_gone'
  const row = { workspace_id: agency_id, agency_id, role: 'owner', is_active: true } as const
  const other = await sessions.start(await gate.owner.rows(User).insert(row), main, asked(main, ''))
  expect(await sessions.of(asked(main, other.cookie), main)).toBeNull()
})

test('a session says null for what it does not know yet', async () => {
  const { sessions, session, cookie } = await begin()
  const { reauthenticated_at, ...known } = session
  expect(known).toStrictEqual({ ...known, chosen_workspace_id: null })
  expect(await sessions.of(asked(main, cookie), main)).toStrictEqual(session)
  await gate.owner.rows(Session).update(session.id, { reauthenticated_at: undefined })
  expect(await sessions.of(asked(main, cookie), main)).toStrictEqual({ ...session, reauthenticated_at: null })
})
