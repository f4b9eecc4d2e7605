import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Outbound } from '../../../../core/contracts/outbound'
import { createCorrect, createSpend } from '../../../../core/outbound/limits/allowance'
import { ServiceDay } from '../../../../core/outbound/limits/ServiceDay'
import type { Documents } from '../../../../core/stores/documents/port'
import { openSqlite } from '../../../../core/stores/documents/sqlite'
import { quietLog } from '../../../support/quiet-log'

const youtube = { provider: 'youtube', account: 'installation', perDay: 100, timezone: 'America/Los_Angeles' }
let time: Date
let documents: Documents
let spend: Outbound['spend']
let correct: Outbound['correct']
beforeEach(async () => {
  time = new Date('2026-03-01T12:00:00.000Z')
  const clock = { now: () => time }
  documents = await openSqlite({ path: ':memory:', now: clock.now, log: quietLog })
  await documents.ensure([ServiceDay])
  spend = createSpend({ documents, clock })
  correct = createCorrect({ documents, clock })
})
afterEach(() => documents.close())

describe("A day's allowance", () => {
  test('is never overdrawn, however many ask at once', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 130 }, () => spend(youtube)))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(100)
  })

  test("is there again when the provider's day begins, and says when that is", async () => {
    await spend({ ...youtube, cost: 100 })
    const wait = { kind: 'quota', retryAfterMs: 20 * 3_600_000 }
    await expect(spend(youtube)).rejects.toMatchObject(wait)
    time = new Date('2026-03-02T08:00:00.000Z')
    await spend(youtube)
  })

  test('belongs to an account', async () => {
    await spend({ ...youtube, cost: 100 })
    await spend({ ...youtube, account: 'another' })
  })

  test('gives nothing for what costs more than the whole day, and keeps the rest for what does not', async () => {
    await expect(spend({ ...youtube, cost: 101 })).rejects.toMatchObject({ kind: 'quota' })
    await spend({ ...youtube, cost: 60 })
    await expect(spend({ ...youtube, cost: 50 })).rejects.toMatchObject({ kind: 'quota' })
    await spend({ ...youtube, cost: 40 })
  })

  test('is corrected by what was really used, also beyond the limit, on the day of the call', async () => {
    const own = { provider: 'youtube', account: 'installation', timezone: 'America/Los_Angeles' }
    await spend({ ...youtube, cost: 60 })
    const at = time
    await correct({ ...own, at, by: 50 })
    await expect(spend(youtube)).rejects.toMatchObject({ kind: 'quota', delivery: 'unsent' })
    await correct({ ...own, at, by: -20 })
    await spend({ ...youtube, cost: 10 })
    time = new Date('2026-03-02T12:00:00.000Z')
    await spend({ ...youtube, cost: 30 })
    await correct({ ...own, at, by: -100 })
    await expect(spend({ ...youtube, cost: 71 })).rejects.toMatchObject({ kind: 'quota' })
    // More than was taken is never given back.
    await correct({ ...own, at: time, by: -31 })
    await expect(spend({ ...youtube, cost: 71 })).rejects.toMatchObject({ kind: 'quota' })
  })
})
