import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Passwords } from '../../../../core/auth/people/passwords'
import { createPeople } from '../../../../core/auth/people/people'
import { SignInAttempts } from '../../../../core/auth/people/SignInAttempts'
import { createSecondFactor } from '../../../../core/auth/people/second-factor'
import type { Person } from '../../../../core/auth/sessions'
import { Refusal } from '../../../../core/contracts/errors'
import { everything, where } from '../../../../core/contracts/where'
import { createSecrets } from '../../../../core/outbound/secrets'
import { sha256Hex } from '../../../../core/process/crypto'
import { addressBucket } from '../../../../core/requests/client-address'
import type { Host } from '../../../../core/requests/host'
import { Agency } from '../../../../core/tenancy/Agency'
import { User } from '../../../../core/tenancy/User'
import { type Gate, startGate } from '../../../support/harness'
import { part } from '../../../support/part'

let gate: Gate
beforeAll(async () => {
  gate = await startGate()
})
afterAll(() => gate.stop())

const main: Host = { origin: 'https://renown.example.com', kind: 'main', agency_id: null }
const domainOf = (agency_id: string): Host => ({
  origin: 'https://a.example',
  kind: 'white_label',
  agency_id,
})
const caller = { browser: null, address: null }

/** Passwords that are their own hash, and say what they were asked. */
function plainPasswords(asked: (string | undefined)[] = []): Passwords {
  return {
    hash: async (password) => password,
    verify: async (password, hash) => {
      asked.push(hash)
      return password === hash
    },
  }
}

const peopleOf = (passwords: Passwords) =>
  createPeople({ ...gate, secrets: gate.owner.outbound.secrets, passwords })

async function person(email: string, agencyId = gate.tenant.agencyId) {
  const row = { workspace_id: agencyId, agency_id: agencyId, role: 'owner', is_active: true, email } as const
  return gate.owner.rows(User).insert({ ...row, password_hash: 'right' })
}

describe('a password is checked', () => {
  test('with the same work for whoever is not there, has no password yet, is inactive or of another agency', async () => {
    const asked: (string | undefined)[] = []
    const people = peopleOf(plainPasswords(asked))
    await person('a@example.com')
    const gone = await person('b@example.com')
    await gate.owner.rows(User).update(gone.id, { is_active: false })
    const blank = await person('c@example.com')
    await gate.owner.rows(User).update(blank.id, { password_hash: undefined })
    const check = async (email: string, host = main) =>
      (await people.checkPassword(email, 'right', host, caller)).was
    expect(await check(' A@Example.COM ')).toBe('right')
    expect(await check('b@example.com')).toBe('wrong')
    expect(await check('c@example.com')).toBe('wrong')
    expect(await check('nobody@example.com')).toBe('wrong')
    expect(await check('a@example.com', domainOf(gate.stranger.agencyId))).toBe('wrong')
    expect(await check('a@example.com', domainOf(gate.tenant.agencyId))).toBe('right')
    expect(asked).toEqual(['right', undefined, undefined, undefined, undefined, 'right'])
  })

  test('of an agency that is no longer active, and is wrong', async () => {
    const people = peopleOf(plainPasswords())
    await person('d@example.com', gate.stranger.agencyId)
    await gate.owner.rows(Agency).update(gate.stranger.agencyId, { is_active: false })
    expect((await people.checkPassword('d@example.com', 'right', main, caller)).was).toBe('wrong')
    await gate.owner.rows(Agency).update(gate.stranger.agencyId, { is_active: true })
    expect((await people.checkPassword('d@example.com', 'right', main, caller)).was).toBe('right')
  })

  test('and a check that could not be made counts for nothing', async () => {
    await person('e@example.com')
    const busy = new Refusal('unavailable', 'busy')
    const overrun = peopleOf({ ...plainPasswords(), verify: () => Promise.reject(busy) })
    for (let n = 0; n < 30; n++)
      expect(
        await overrun.checkPassword('e@example.com', 'right', main, caller).catch((error) => error),
      ).toBe(busy)
    expect((await peopleOf(plainPasswords()).checkPassword('e@example.com', 'right', main, caller)).was).toBe(
      'right',
    )
  })

  test('for made-up addresses, which wait like others and share a bounded number of rows', async () => {
    const agencies = gate.documents.collection(Agency)
    const [known] = await agencies.find({ where: everything, sort: [], limit: 1 })
    // The first agency by its id is the last that was stored.
    const firstId = `agc_${'0'.repeat(26)}`
    await agencies.insert(part({ ...known, id: firstId, created_date: '2020-01-01T00:00:00.000Z' }))
    const people = peopleOf(plainPasswords())
    const check = (email: string) => people.checkPassword(email, 'wrong', main, caller)
    for (let n = 0; n < 5; n++) expect((await check('made.up@example.com')).was).toBe('wrong')
    await agencies.remove(where.eq('id', firstId))
    expect(await check('made.up@example.com')).toEqual({ was: 'too soon', waitSeconds: 15 })
    const bucket = (await sha256Hex(`${firstId} made.up@example.com`)).slice(0, 5)
    const rows = gate.documents.collection(SignInAttempts)
    expect(await rows.get(`sia_${await sha256Hex(`password nobody ${bucket}`)}`)).toMatchObject({
      failures: 5,
    })
    const guessable = (await sha256Hex('made.up@example.com')).slice(0, 5)
    expect(await rows.get(`sia_${await sha256Hex(`password nobody ${guessable}`)}`)).toBeNull()
    gate.clock.advance(15 * 60_000)
  })

  test('by many at once, and five wrong ones are looked at', async () => {
    const asked: (string | undefined)[] = []
    const people = peopleOf(plainPasswords(asked))
    await person('f@example.com')
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        people.checkPassword('f@example.com', 'wrong', main, { browser: null, address: `10.0.0.${n}` }),
      ),
    )
    expect(all.filter(({ was }) => was === 'wrong')).toHaveLength(5)
    expect(asked).toHaveLength(5)
  })

  test('in a browser of that very person apart; one that somebody else signed in with is any other', async () => {
    const people = peopleOf(plainPasswords())
    const one = await person('g@example.com')
    const other = await person('h@example.com')
    const own = await people.remember(one, null)
    const foreign = await people.remember(other, null)
    expect(await people.remember(one, own)).toBe(own)
    expect((await people.get(one.id))?.browser_hashes).toHaveLength(1)
    const check = (browser: string | null, typed = 'wrong') =>
      people.checkPassword('g@example.com', typed, main, { browser, address: null })
    for (let n = 0; n < 5; n++) await check(null)
    expect((await check(foreign, 'right')).was).toBe('too soon')
    expect((await check('x'.repeat(40), 'right')).was).toBe('too soon')
    for (let n = 0; n < 5; n++) expect((await check(own)).was).toBe('wrong')
    expect((await check(own, 'right')).was).toBe('too soon')
    const row = await gate.documents.collection(User).get(one.id)
    expect(JSON.stringify(row)).not.toContain(own)
    await people.setPassword(one, 'right')
    gate.clock.advance(15_001)
    expect((await check(own, 'right')).was).toBe('right')
  })

  test('and at most twenty browsers are remembered', async () => {
    const people = peopleOf(plainPasswords())
    const one = await person('i@example.com')
    for (let n = 0; n < 25; n++) await people.remember(one, null)
    expect((await people.get(one.id))?.browser_hashes).toHaveLength(20)
  })
})

test('a recovery code is checked in the place of a code, without a delay', async () => {
  const secrets = createSecrets({ keys: [`test:${'k'.repeat(42)}A`], folder: null })
  const people = createPeople({ ...gate, secrets, passwords: plainPasswords() })
  const factor = createSecondFactor({ ...gate, secrets })
  const { id } = await person('recovery@example.com')
  const [code = ''] = await factor.renewCodes({ id } as Person)
  const again = async () => (await gate.owner.rows(User).get(id)) as Person
  const wrong = `${code.startsWith('0') ? '1' : '0'}${code.slice(1)}`
  for (let n = 0; n < 8; n++)
    expect(await people.checkCode(await again(), wrong, caller)).toMatchObject({ was: 'wrong' })
  expect(await people.checkCode(await again(), code, caller)).toMatchObject({ was: 'right', person: { id } })
  expect(await people.checkCode(await again(), code, caller)).toMatchObject({ was: 'wrong' })
})

test('twenty failures of one address end its tries at every account, except in a browser that is known', async () => {
  const people = peopleOf(plainPasswords())
  const at = { browser: null, address: '198.51.100.7' }
  const one = await person('address@example.com')
  const own = await people.remember(one, null)
  for (let n = 0; n < 20; n++)
    expect((await people.checkPassword(`guess${n}@example.com`, 'wrong', main, at)).was).toBe('wrong')
  const refused = await people.checkPassword('address@example.com', 'right', main, at)
  expect(refused).toEqual({ was: 'too soon', waitSeconds: expect.any(Number) })
  expect(
    (await people.checkPassword('address@example.com', 'right', main, { ...at, browser: own })).was,
  ).toBe('right')
  const elsewhere = { browser: null, address: '198.51.100.8' }
  expect((await people.checkPassword('address@example.com', 'right', main, elsewhere)).was).toBe('right')
})

test('what is right, too soon or could not be checked costs an address nothing', async () => {
  const at = { browser: null, address: '198.51.100.9' }
  await person('patient@example.com')
  const people = peopleOf({
    ...plainPasswords(),
    verify: async (typed, hash) => {
      if (typed === 'busy') throw new Refusal('unavailable', 'busy')
      return typed === hash
    },
  })
  const check = (typed: string) => people.checkPassword('patient@example.com', typed, main, at)
  for (let n = 0; n < 25; n++) expect((await check('right')).was).toBe('right')
  for (let n = 0; n < 25; n++) await expect(check('busy')).rejects.toThrow('busy')
  for (let n = 0; n < 5; n++) expect((await check('wrong')).was).toBe('wrong')
  for (let n = 0; n < 25; n++) expect((await check('right')).was).toBe('too soon')
  gate.clock.advance(15_001)
  expect((await check('right')).was).toBe('right')
})

test('a check takes its turn by the network of an unknown browser, and by nothing in a known one', async () => {
  const networks: (string | undefined)[] = []
  const people = peopleOf({
    ...plainPasswords(),
    verify: async (typed, hash, network) => {
      networks.push(network)
      return typed === hash
    },
  })
  const one = await person('network@example.com')
  const browser = await people.remember(one, null)
  const address = '203.0.113.7'
  const check = (from: typeof caller | { browser: string; address: string | null }) =>
    people.checkPassword('network@example.com', 'right', main, from)
  await check({ browser, address })
  await check(part({ browser: null, address }))
  await people.checkOwnPassword(one, 'right', 'ses_1')
  expect(networks).toEqual([undefined, addressBucket(address), undefined])
})

test('failures of an address count for codes too, except in a known browser', async () => {
  const people = peopleOf(plainPasswords())
  const address = '203.0.113.8'
  const { id } = await person('codes@example.com')
  const browser = await people.remember({ id } as Person, null)
  const one = (await people.get(id)) as Person
  for (let n = 0; n < 20; n++)
    await people.checkPassword(`codes${n}@example.com`, 'wrong', main, { browser: null, address })
  expect((await people.checkCode(one, '000000', { browser: null, address })).was).toBe('too soon')
  expect((await people.checkCode(one, '000000', { browser, address })).was).toBe('wrong')
  expect((await people.checkCode(one, '000000', { browser: null, address: '203.0.113.9' })).was).toBe('wrong')
})

test('codes in a known browser have a limit of their own', async () => {
  const people = peopleOf(plainPasswords())
  const { id } = await person('own-limit@example.com')
  const browser = await people.remember({ id } as Person, null)
  const one = (await people.get(id)) as Person
  const check = (from: string | null) => people.checkCode(one, '000000', { browser: from, address: null })
  for (let n = 0; n < 5; n++) expect((await check(browser)).was).toBe('wrong')
  expect([(await check(browser)).was, (await check(null)).was]).toEqual(['too soon', 'wrong'])
})
