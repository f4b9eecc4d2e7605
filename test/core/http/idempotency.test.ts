import { afterAll, beforeAll, expect, test } from 'bun:test'
import { once } from '../../../core/http/idempotency'
import { IdempotentAnswer } from '../../../core/requests/IdempotentAnswer'
import type { Documents } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite/index'
import { quietLog as log } from '../../support/quiet-log'

const minute = 60_000
const start = Date.parse('2026-11-20T10:00:00.000Z')
let at = start
const clock = { now: () => new Date(at) }
let documents: Documents
beforeAll(async () => {
  documents = await openSqlite({ path: ':memory:', now: () => new Date(start), log })
  await documents.ensure([IdempotentAnswer])
})
afterAll(() => documents.close())

let requests = 0
const ask = (key: string, run: () => Promise<object>, body = '{}') =>
  once(
    { documents, clock },
    { key, scope: 'agn_1 draftNote', agencyId: 'agn_1', body, requestId: `request-${++requests}` },
    run,
  )
/** A call that has begun and never answers. */
async function hang(key: string) {
  const begun = Promise.withResolvers<void>()
  void ask(key, () => {
    begun.resolve()
    return new Promise<object>(() => {})
  })
  await begun.promise
}
const fresh = async () => ({ n: 1 })
const other = async () => ({ n: 2 })

test('an answer is given again for a day, and then the call runs again', async () => {
  at = start
  expect(await ask('day', fresh)).toEqual({ output: { n: 1 }, replayed: false })
  expect(await ask('day', other)).toEqual({ output: { n: 1 }, replayed: true })
  await expect(ask('day', other, '{"a":1}')).rejects.toMatchObject({ code: 'idempotency_conflict' })
  at = start + 24 * 60 * minute - 1
  expect(await ask('day', other)).toEqual({ output: { n: 1 }, replayed: true })
  at = start + 24 * 60 * minute
  expect(await ask('day', other)).toEqual({ output: { n: 2 }, replayed: false })
})

test('a call that never answers holds its key for two minutes', async () => {
  at = start
  await hang('dead')
  await expect(ask('dead', fresh)).rejects.toMatchObject({ code: 'conflict' })
  at = start + 2 * minute - 1
  const refused = await ask('dead', fresh).catch((error) => error)
  expect([refused.code, refused.details.retryAfterSeconds]).toEqual(['conflict', 1])
  at = start + 2 * minute
  expect(await ask('dead', fresh)).toEqual({ output: { n: 1 }, replayed: false })
})

test('of several that find a dead call at once, one runs', async () => {
  at = start
  await hang('race')
  at = start + 2 * minute
  let runs = 0
  const run = async () => ({ n: ++runs })
  const all = await Promise.allSettled(Array.from({ length: 6 }, () => ask('race', run)))
  expect(runs).toBe(1)
  expect(all.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1)
  for (const one of all) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' })
})

test('a call that fails gives its key back', async () => {
  at = start
  await expect(ask('fails', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await ask('fails', fresh)).toEqual({ output: { n: 1 }, replayed: false })
})
