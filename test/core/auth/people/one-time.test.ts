import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createMembers, mayHaveLink } from '../../../../core/auth/people/members'
import { createOwnerLinks, ownerLink } from '../../../../core/auth/people/owner-link'
import { createSecondFactor, hasSecondFactor } from '../../../../core/auth/people/second-factor'
import { createSteps } from '../../../../core/auth/people/steps'
import type { Person } from '../../../../core/auth/sessions'
import { createSecrets } from '../../../../core/outbound/secrets'
import { base32, generateHOTP } from '../../../../core/process/crypto'
import { User } from '../../../../core/tenancy/User'
import { type Gate, startGate } from '../../../support/harness'
import { part } from '../../../support/part'

const minute = 60_000
const main = { origin: 'https://app.example', kind: 'main', agency_id: null } as const
const gate: Gate = await startGate()
afterAll(() => gate.stop())

let at = gate.clock.now().getTime()
/** A clock that stands still. */
const world = { documents: gate.documents, clock: { now: () => new Date(at) } }

let person: Person
const addPerson = (more: object = {}) =>
  gate.owner.rows(User).insert({
    workspace_id: gate.tenant.agencyId,
    agency_id: gate.tenant.agencyId,
    role: 'owner',
    is_active: true,
    ...more,
  }) as Promise<Person>
const again = async ({ id }: Person) => (await gate.owner.rows(User).get(id)) as Person
beforeEach(async () => {
  at = gate.clock.now().getTime()
  person = await addPerson({ email: `${crypto.randomUUID()}@example.com` })
})

describe('a step of a sign-in', () => {
  const steps = createSteps(world)
  const asked = (cookie: string) =>
    new Request('https://app.example/app', { headers: { cookie: cookie.split(';')[0] ?? '' } })

  test('is known by its cookie, on its host, for what it waits for, and ends once', async () => {
    const cookie = await steps.begin('code', person, main, '/app/next')
    expect(cookie).toMatch(/^__Host-renown_visit=[A-Za-z0-9]{40}; /)
    const step = await steps.of(asked(cookie), main, 'code')
    expect(step).toMatchObject({
      waits_for: 'code',
      user_id: person.id,
      agency_id: person.agency_id,
      host: main.origin,
      next: '/app/next',
    })
    expect(await steps.of(asked(cookie), main, 'password')).toBeNull()
    expect(await steps.of(asked(cookie), { ...main, origin: 'https://other.example' }, 'code')).toBeNull()
    expect(await steps.of(asked('__Host-renown_visit=nothing'), main, 'code')).toBeNull()
    expect(await steps.of(new Request('https://app.example/'), main, 'code')).toBeNull()
    if (!step) throw new Error('no step')
    expect([await steps.end(step), await steps.end(step)]).toEqual([true, false])
    expect(await steps.of(asked(cookie), main, 'code')).toBeNull()
  })

  test('lasts ten minutes for a code and thirty for a password, and no longer than all of a person are let be', async () => {
    for (const [waits, lasts] of [
      ['code', 10],
      ['password', 30],
    ] as const) {
      const cookie = await steps.begin(waits, person, main)
      expect(await steps.of(asked(cookie), main, waits)).not.toHaveProperty('next')
      at += lasts * minute - 1
      expect(await steps.of(asked(cookie), main, waits)).not.toBeNull()
      at += 1
      expect(await steps.of(asked(cookie), main, waits)).toBeNull()
    }
    const own = await steps.begin('code', person, main)
    const other = await steps.begin('code', await addPerson(), main)
    await steps.endAll(person.id)
    expect(await steps.of(asked(own), main, 'code')).toBeNull()
    expect(await steps.of(asked(other), main, 'code')).not.toBeNull()
  })
})

describe('a link for somebody', () => {
  const links = createOwnerLinks(world)

  test('lets in once within a day, and is looked at without being used up; a new one ends the one before', async () => {
    const { token, expires_at } = await links.make(person)
    expect(token).toStartWith('rnw_link_')
    expect(Date.parse(expires_at) - at).toBe(24 * 60 * minute)
    expect(await links.find(token)).toMatchObject({ user_id: person.id, agency_id: person.agency_id })
    expect(await links.find(token)).not.toBeNull()
    expect(await links.use(token)).toMatchObject({ user_id: person.id })
    expect(await links.use(token)).toBeNull()
    const first = await links.make(person)
    const second = await links.make(person)
    expect([await links.find(first.token), (await links.find(second.token))?.user_id]).toEqual([
      null,
      person.id,
    ])
    at += 24 * 60 * minute - 1
    expect(await links.find(second.token)).not.toBeNull()
    at += 1
    expect(await links.use(second.token)).toBeNull()
    const third = await links.make(person)
    await links.end(person)
    expect(await links.find(third.token)).toBeNull()
    expect(await links.find('rnw_link_nothing')).toBeNull()
  })

  test('is made by the command for the oldest active owner, and is a secret of its answer', async () => {
    expect([ownerLink.command.secrets, ownerLink.command.name]).toEqual([['owner_link'], 'owner link create'])
    const stranger = gate.stranger.agencyId
    const of = { workspace_id: stranger, agency_id: stranger }
    const run = () => ownerLink.command.run(gate.owner, { agency_id: stranger })
    expect(await Promise.resolve(run()).catch((error) => error.code)).toBe('not_found')
    await addPerson({ ...of, is_active: false })
    await addPerson({ ...of, role: 'member', workspace_ids: [] })
    expect(await Promise.resolve(run()).catch((error) => error.code)).toBe('not_found')
    const oldest = await addPerson(of)
    gate.clock.advance(1_000)
    await addPerson(of)
    const made = (await run()) as { agency_id: string; owner_link: string }
    expect(made.agency_id).toBe(stranger)
    const url = new URL(made.owner_link)
    expect(url.pathname).toBe('/app/link')
    expect(await links.find(url.searchParams.get('token') ?? '')).toMatchObject({ user_id: oldest.id })
  })
})

describe('a second factor', () => {
  const secrets = createSecrets({ keys: [`test:${'k'.repeat(42)}A`], folder: null })
  const factor = createSecondFactor({ ...world, secrets })
  const step = () => Math.floor(at / 30_000)
  const codeOf = (text: string, at: number) => generateHOTP(base32.decode(text.replaceAll(' ', '')), at)
  const enabled = async () => {
    const offer = factor.begin(person, 'Renown')
    const codes = await factor.enable(person, offer.sealed, await codeOf(offer.text, step()))
    return { offer, codes: codes ?? [], on: await again(person) }
  }

  test('is offered in groups of four, opens for its person alone, and is stored once a code proved it', async () => {
    const offer = factor.begin(person, 'Renown')
    expect(offer.text).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)
    expect(offer.uri).toStartWith('otpauth://totp/')
    expect(factor.again(offer.sealed, person, 'Renown')).toEqual(offer)
    expect(decodeURIComponent(offer.uri)).toContain(`Renown:${person.email}?`)
    const other = await addPerson()
    expect(factor.begin(other, 'Acme').uri).toContain(`Acme:${other.id}?`)
    expect(() => factor.again(offer.sealed, other, 'Renown')).toThrow()
    expect(await factor.enable(person, offer.sealed, '000000x')).toBeNull()
    expect(hasSecondFactor(await again(person))).toBe(false)
    const { codes, on } = await enabled()
    expect(hasSecondFactor(on)).toBe(true)
    expect(on.totp_step).toBe(step())
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
    expect(on.recovery_hashes).toHaveLength(10)
  })

  test('takes the code of this half minute or a neighbour, each once and none of before', async () => {
    const { offer, on } = await enabled()
    expect(await factor.take(on, await codeOf(offer.text, step()))).toBe(false)
    expect(await factor.take(on, await codeOf(offer.text, step() + 2))).toBe(false)
    const next = await codeOf(offer.text, step() + 1)
    expect(await factor.take(on, ` ${next.slice(0, 3)} ${next.slice(3)}`)).toBe(true)
    expect(await factor.take(on, next)).toBe(false)
    at += 90_000
    expect(await factor.take(on, await codeOf(offer.text, step() - 2))).toBe(false)
    expect(await factor.take(on, await codeOf(offer.text, step() - 1))).toBe(true)
    expect(await factor.take(await addPerson(), next)).toBe(false)
  })

  test('lets in by a recovery code, once, however it was written down', async () => {
    const { codes, on } = await enabled()
    const [first = '', second = ''] = codes
    for (const wrong of ['', 'x', `${first}0`, '0000-0000-0000-0000'])
      expect([wrong, await factor.recover(on, wrong)]).toEqual([wrong, false])
    expect(factor.isRecoveryCode(first)).toBe(true)
    expect(factor.isRecoveryCode(` ${first.toUpperCase().replaceAll('-', ' ')} `)).toBe(true)
    expect([
      factor.isRecoveryCode('123456'),
      factor.isRecoveryCode(`${first}0`),
      factor.isRecoveryCode(''),
    ]).toEqual([false, false, false])
    expect(await factor.recover(on, first.toUpperCase().replaceAll('-', ''))).toBe(true)
    expect(await factor.recover(on, first)).toBe(false)
    const left = await again(person)
    expect(left.recovery_hashes).toHaveLength(9)
    expect(await factor.recover(left, first)).toBe(false)
    const wrong = `${second.startsWith('0') ? '1' : '0'}${second.slice(1)}`
    expect(await factor.recover(left, wrong)).toBe(false)
    expect(await factor.recover(await addPerson(), second)).toBe(false)
    expect(await factor.recover(left, second)).toBe(true)
    const fresh = await factor.renewCodes(person)
    expect(fresh).toHaveLength(10)
    expect(await factor.recover(await again(person), codes[2] ?? '')).toBe(false)
    expect(await factor.recover(await again(person), fresh[0] ?? '')).toBe(true)
    await factor.disable(person)
    const off = await again(person)
    expect([off.totp_secret, off.totp_step, off.recovery_hashes]).toEqual([undefined, undefined, undefined])
  })
})

describe('the people of an agency', () => {
  const done: string[] = []
  const members = createMembers({
    owner: gate.owner,
    sessions: { endAll: async (id) => done.push(`sessions ${id}`) },
    steps: { endAll: async (id) => void done.push(`steps ${id}`) },
    links: {
      make: async ({ id }) => ({ token: `link of ${id}`, expires_at: '' }),
      end: async ({ id }) => done.push(`links ${id}`),
    },
    oauth: {
      disconnectAllOf: async ({ id }: { id: string }, why: string) => void done.push(`apps ${id} ${why}`),
    } as never,
  })
  const { agencyId, workspaceId, otherWorkspaceId } = gate.platform
  const of = { workspace_id: agencyId, agency_id: agencyId }

  test('are found in their agency alone, and invited into its workspaces alone', async () => {
    const owner = await addPerson(of)
    expect((await members.find(agencyId, owner.id)).id).toBe(owner.id)
    for (const [agency, id] of [
      [gate.tenant.agencyId, owner.id],
      [agencyId, 'usr_nobody'],
    ] as const)
      expect(await members.find(agency, id).catch((error) => error.code)).toBe('not_found')
    const asked = [workspaceId, gate.tenant.workspaceId]
    const member = await members.invite(agencyId, 'Mia', { role: 'member', workspace_ids: asked })
    expect(member).toMatchObject({
      agency_id: agencyId,
      name: 'Mia',
      role: 'member',
      is_active: true,
      workspace_ids: [workspaceId],
    })
    expect(
      await members.invite(agencyId, 'Olga', { role: 'owner', workspace_ids: asked }),
    ).not.toHaveProperty('workspace_ids')
    expect((await members.list(agencyId)).map(({ name = 'first' }) => name).sort()).toEqual([
      'Mia',
      'Olga',
      'first',
    ])
    expect(await members.link(member)).toBe(`link of ${member.id}`)
  })

  test('may have a link where they are active, members always, owners without a password', async () => {
    const may = (more: object) => mayHaveLink(part({ role: 'owner', is_active: true, ...more }))
    expect([may({}), may({ role: 'member' }), may({ role: 'member', password_hash: 'x' })]).toEqual([
      true,
      true,
      true,
    ])
    expect([
      may({ password_hash: 'x' }),
      may({ is_active: false }),
      may({ is_active: false, role: 'member' }),
    ]).toEqual([false, false, false])
    const refused = members.link(part({ role: 'owner', is_active: true, password_hash: 'x' }))
    expect(await refused.catch((error) => error.code)).toBe('conflict')
  })

  test('keep an owner, and lose what they had when they leave or become members', async () => {
    const agency = gate.stranger.agencyId
    const people = await members.list(agency)
    for (const each of people) await gate.owner.rows(User).update(each.id, { is_active: false })
    const only = await addPerson({ workspace_id: agency, agency_id: agency })
    const standing = { role: 'member', workspace_ids: [gate.stranger.workspaceId, otherWorkspaceId] } as const
    expect(await members.change(only, standing).catch((error) => error.code)).toBe('conflict')
    expect(await again(only)).toMatchObject({ role: 'owner', is_active: true })
    expect(await members.deactivate(only).catch((error) => error.code)).toBe('conflict')
    expect((await again(only)).is_active).toBe(true)
    const second = await addPerson({ workspace_id: agency, agency_id: agency })
    done.length = 0
    await members.change(second, standing)
    expect(await again(second)).toMatchObject({ role: 'member', workspace_ids: [gate.stranger.workspaceId] })
    expect(done).toEqual([`apps ${second.id} person_left`])
    done.length = 0
    await members.change(await again(second), { role: 'member', workspace_ids: [] })
    expect([(await again(second)).workspace_ids, done]).toEqual([[], []])
    await members.change(await again(second), { role: 'owner', workspace_ids: [] })
    expect((await again(second)).role).toBe('owner')
    expect(done).toEqual([])
    await members.deactivate(only)
    expect((await again(only)).is_active).toBe(false)
    expect([...done].sort()).toEqual([
      `apps ${only.id} person_left`,
      `links ${only.id}`,
      `sessions ${only.id}`,
      `steps ${only.id}`,
    ])
    await members.activate(only)
    expect((await again(only)).is_active).toBe(true)
  })
})

test('a secret of the second factor is sealed for its person and its field alone', async () => {
  const places: unknown[] = []
  const sealing = createSecrets({ keys: [`test:${'k'.repeat(42)}A`], folder: null })
  const secrets = {
    seal: (text: string, place: Parameters<typeof sealing.seal>[1]) => {
      places.push(place)
      return sealing.seal(text, place)
    },
    open: (text: string, place: Parameters<typeof sealing.open>[1]) => {
      places.push(place)
      return sealing.open(text, place)
    },
  }
  createSecondFactor({ ...world, secrets }).begin(person, 'Renown')
  const { id, workspace_id } = person
  const place = { entity: 'User', workspace_id, id, field: 'totp_secret' }
  expect(places).toEqual([place, place])
})

test('an agency has a thousand people at most, all of whom are listed', async () => {
  let count = 999
  const lists: unknown[] = []
  const rows = (entity: Parameters<typeof gate.owner.rows>[0]) => ({
    ...gate.owner.rows(entity),
    ...(entity.name === User.name
      ? { count: async () => count, list: async (query: unknown) => lists.push(query) && [] }
      : {}),
  })
  const owner = { ...gate.owner, rows: rows as unknown as typeof gate.owner.rows }
  const members = createMembers({ owner } as Parameters<typeof createMembers>[0])
  const access = { role: 'member', workspace_ids: [] } as const
  expect(await members.invite(gate.tenant.agencyId, 'Last', access)).toMatchObject({ name: 'Last' })
  count = 1_000
  await expect(members.invite(gate.tenant.agencyId, 'One more', access)).rejects.toMatchObject({
    code: 'conflict',
    message: 'An agency has at most 1000 people.',
  })
  await members.list(gate.tenant.agencyId)
  expect(lists).toEqual([
    {
      where: { op: 'eq', field: 'agency_id', value: gate.tenant.agencyId },
      sort: [{ field: 'created_date', direction: 'asc' }],
      limit: 1_000,
    },
  ])
})
