import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  createAddressAttempts,
  createAttempts,
  isTooManyAttempts,
} from '../../../../core/auth/people/attempts'
import { SignInAttempts } from '../../../../core/auth/people/SignInAttempts'
import { openMongo } from '../../../../core/stores/documents/mongo/index'
import type { Documents } from '../../../../core/stores/documents/port'
import { openSqlite } from '../../../../core/stores/documents/sqlite/index'
import { describeStores, mongoUri } from '../../../support/mongo'
import { quietLog } from '../../../support/quiet-log'

const stores = {
  SQLite: (now: () => Date): Promise<Documents> => openSqlite({ path: ':memory:', now, log: quietLog }),
  MongoDB: () => openMongo({ uri: mongoUri() ?? '', now: () => new Date(), log: quietLog }),
}

describeStores(stores, 'failures to sign in, counted in %s', (_, open) => {
  let at = Date.parse('2026-11-20T12:00:00.000Z')
  const clock = { now: () => new Date(at) }
  let documents: Documents
  beforeAll(async () => {
    documents = await open(clock.now)
    await documents.ensure([SignInAttempts])
  })
  afterAll(() => documents.close())
  const failures = async (key: string, count: number) => {
    const attempts = createAttempts({ documents, clock })
    let last = await attempts.take(key)
    for (let n = 1; n < count; n++) last = await attempts.take(key)
    return last
  }

  test('five are free; the next wait doubles up to 15 minutes', async () => {
    const attempts = createAttempts({ documents, clock })
    const waits: number[] = []
    for (let n = 1; n <= 5; n++) expect(isTooManyAttempts(await attempts.take('a'))).toBe(false)
    while (waits.length < 9) {
      const refused = await attempts.take('a')
      if (!isTooManyAttempts(refused)) continue
      waits.push(refused.waitSeconds)
      at += refused.waitSeconds * 1_000
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 480, 900, 900, 900])
  })

  test('the wait is told in whole seconds, rounded up', async () => {
    const wait = () => failures('rounded', 1)
    await failures('rounded', 5)
    for (const [later, waitSeconds] of [
      [0, 15],
      [999, 15],
      [1, 14],
      [13_000, 1],
      [999, 1],
    ] as const) {
      at += later
      expect(await wait()).toEqual({ waitSeconds })
    }
    at += 1
    expect(isTooManyAttempts(await wait())).toBe(false)
  })

  test('a success forgets them; a try that was not looked at does not count', async () => {
    const fifth = await failures('b', 5)
    if (isTooManyAttempts(fifth)) throw new Error('too soon')
    expect(isTooManyAttempts(await failures('b', 1))).toBe(true)
    await fifth.giveBack()
    const again = await failures('b', 1)
    if (isTooManyAttempts(again)) throw new Error('too soon')
    await again.succeeded()
    expect(isTooManyAttempts(await failures('b', 5))).toBe(false)
    expect(isTooManyAttempts(await failures('b', 1))).toBe(true)
  })

  test('a try that is given back makes the next wait no longer', async () => {
    const fifth = await failures('e', 5)
    if (isTooManyAttempts(fifth)) throw new Error('too soon')
    await fifth.giveBack()
    await failures('e', 1)
    expect(await failures('e', 1)).toEqual({ waitSeconds: 15 })
  })

  test('many at once are let through five times, not more', async () => {
    const attempts = createAttempts({ documents, clock })
    const all = await Promise.all(Array.from({ length: 40 }, () => attempts.take('c')))
    expect(all.filter((one) => !isTooManyAttempts(one))).toHaveLength(5)
  })

  test('another process counts on, and a day later they are forgotten', async () => {
    await failures('d', 5)
    expect(isTooManyAttempts(await createAttempts({ documents, clock }).take('d'))).toBe(true)
    at += 24 * 60 * 60_000 + 1
    expect(isTooManyAttempts(await failures('d', 5))).toBe(false)
  })

  test('what was typed is not in the store', async () => {
    await failures('password account somebody@example.com', 1)
    const rows = await documents.collection(SignInAttempts).find({ where: { op: 'and', of: [] } })
    expect(JSON.stringify(rows)).not.toContain('example.com')
  })
})

describe('failures of an address', () => {
  let at = 0
  const clock = { now: () => new Date(at) }

  test('twenty in 15 minutes, counted in memory; what was right is given back', () => {
    const attempts = createAddressAttempts(clock)
    for (let n = 0; n < 30; n++) {
      const taken = attempts.take('203.0.113.7')
      if ('giveBack' in taken) taken.giveBack()
    }
    for (let n = 0; n < 20; n++) expect(attempts.take('203.0.113.7')).toHaveProperty('giveBack')
    expect(attempts.take('203.0.113.7')).toEqual({ waitSeconds: 900 })
    expect(attempts.take('203.0.113.8')).toHaveProperty('giveBack')
    at += 15 * 60_000
    expect(attempts.take('203.0.113.7')).toHaveProperty('giveBack')
  })

  test('all addresses of one subscriber are one', () => {
    const attempts = createAddressAttempts(clock)
    for (let n = 0; n < 20; n++) attempts.take(`2001:db8:1:2::${n}`)
    expect(attempts.take('2001:db8:1:2:ffff::1')).toHaveProperty('waitSeconds')
    expect(attempts.take('2001:db8:1:3::1')).toHaveProperty('giveBack')
  })
})

test('an address waits whole seconds, and never too few', () => {
  let at = Date.parse('2026-11-20T12:00:00.000Z')
  const { take } = createAddressAttempts({ now: () => new Date(at) })
  for (let n = 0; n < 20; n++) expect(take('192.0.2.1')).toHaveProperty('giveBack')
  expect(take('192.0.2.1')).toEqual({ waitSeconds: 900 })
  at += 1
  expect(take('192.0.2.1')).toEqual({ waitSeconds: 900 })
  at += 15 * 60_000 - 2
  expect(take('192.0.2.1')).toEqual({ waitSeconds: 1 })
  at += 1
  expect(take('192.0.2.1')).toHaveProperty('giveBack')
})
