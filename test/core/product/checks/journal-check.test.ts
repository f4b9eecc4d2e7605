import { expect, test } from 'bun:test'
import type { IngestState } from '../../../../core/contracts/traffic'
import { journalCheck } from '../../../../core/product/checks/journal-check'

const calm: IngestState = {
  accepting: true,
  reason: null,
  clickhouse: null,
  gateway: null,
  set_aside_segments: 0,
  damaged_segments: 0,
  stalls: { count: 0, longest_ms: 0, last_at: null },
  waiting_segments: 0,
  waiting_bytes: 0,
  oldest_waiting_seconds: null,
}
const behind = { waiting_segments: 3, waiting_bytes: 3 * 2 ** 20, oldest_waiting_seconds: 7_300 }
const since = '2026-11-20T12:00:00.000Z'
const failing = (reason: string) =>
  journalCheck({
    ...calm,
    ...behind,
    clickhouse: { reason: `ClickHouse accepts no hits (${reason})`, since },
  })

test('a journal that goes on is fine, also while a little waits', () => {
  expect(journalCheck(calm)).toEqual({ status: 'ok', found: 'nothing waits' })
  expect(journalCheck({ ...calm, ...behind, oldest_waiting_seconds: 5 }).status).toBe('ok')
})

test('a stuck one is told with its cause, since when, how much waits and what to do', () => {
  const { status, found, mend } = failing('ECONNREFUSED')
  expect(status).toBe('fail')
  expect(found).toBe(
    `ClickHouse accepts no hits (ECONNREFUSED) since ${since}; 3 segments wait, 3.0 MiB, the oldest for 2.0 h`,
  )
  expect(mend).toContain('CLICKHOUSE_URL')
  expect(mend).toContain('nothing twice')
})

test.each([
  ['AUTHENTICATION_FAILED 516', 'user and password'],
  ['UNKNOWN_TABLE 60', 'gateway'],
  ['TOO_MANY_PARTS 252', 'more resources'],
  ['TABLE_IS_READ_ONLY 242', 'Keeper'],
  ['SOMETHING_NEW 9999', 'ClickHouse log'],
])('%s is told what mends it', (reason, words) => {
  expect(failing(reason).mend).toContain(words)
})

test.each([
  ['status 401', 'RENOWN_INGEST_SECRET'],
  ['status 404', 'version'],
  ['ECONNREFUSED', 'RENOWN_URL'],
])('one that waits for the gateway (%s) is told as such', (reason, words) => {
  const gateway = {
    reason: `The gateway does not say which batches other processes count (${reason})`,
    since,
  }
  const { status, found, mend } = journalCheck({ ...calm, ...behind, gateway })
  expect([status, found]).toEqual(['fail', expect.stringContaining('3 segments wait')])
  expect(mend).toContain(words)
  expect(mend).toContain('INGEST_CLAIMS=off')
})

test('a journal that stands still without an error, and one that set something aside, are worth a look', () => {
  expect(journalCheck({ ...calm, ...behind }).mend).toContain('system.processes')
  const aside = journalCheck({ ...calm, set_aside_segments: 2 })
  expect([aside.status, aside.found]).toEqual([
    'warn',
    '2 segments are set aside in ingest/poison, because ClickHouse refused their rows; nothing waits',
  ])
  expect(aside.mend).toContain('not counted')
  const damaged = journalCheck({ ...calm, damaged_segments: 1 })
  expect([damaged.status, damaged.found]).toEqual([
    'warn',
    '1 segments were damaged, with copies in ingest/poison (*.damaged); nothing waits',
  ])
  expect(damaged.mend).toContain('do not move them back')
})
