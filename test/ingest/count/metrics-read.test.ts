import { expect, test } from 'bun:test'
import type { IngestState, Metric } from 'renown/contracts'
import { createMetrics } from '../../../ingest/count/metrics'
import { part } from '../../support/part'

const idle: IngestState = {
  accepting: true,
  reason: null,
  clickhouse: null,
  gateway: null,
  stalls: part({}),
  waiting_segments: 0,
  waiting_bytes: 0,
  oldest_waiting_seconds: null,
  set_aside_segments: 0,
  damaged_segments: 0,
}
const quiet = { state: idle, lists: [], directories: [], sites: 0, dedupShortened: false }

/** Each metric of the ingest with its type and samples. Those of the process are left out. */
const shown = (metrics: readonly Metric[]) =>
  Object.fromEntries(
    metrics
      .filter(({ name }) => name.startsWith('renown_ingest_'))
      .map(({ name, type, samples }) => [name.slice('renown_ingest_'.length), [type, samples]]),
  )
/** The bounds of a histogram, with how many were at most that much. */
const upTo = (metrics: readonly Metric[], name: string) =>
  metrics
    .find((each) => each.name === `renown_ingest_${name}`)
    ?.samples.filter(({ labels }) => labels?.le !== undefined)
    .map(({ labels, value }) => [String(labels?.le), value])

const one = (value: number) => [{ value }]
const none = {
  hits_total: [
    'counter',
    [
      { labels: { kind: 'crawl' }, value: 0 },
      { labels: { kind: 'visit' }, value: 0 },
    ],
  ],
  duplicates_total: ['counter', one(0)],
  ignored_total: ['counter', []],
  rejected_total: ['counter', []],
  unread_addresses_total: ['counter', []],
  signatures_total: ['counter', []],
  undated_total: ['counter', []],
  repeated_ids_total: ['counter', []],
  doubtful_duplicates_total: ['counter', []],
  answers_total: ['counter', []],
  refused_bodies_total: ['counter', []],
  flushed_hits_total: ['counter', one(0)],
  elsewhere_hits_total: ['counter', one(0)],
  flush_seconds: ['histogram', expect.any(Array)],
  flushed_age_seconds: ['histogram', expect.any(Array)],
  accepting: ['gauge', one(1)],
  clickhouse_up: ['gauge', one(1)],
  gateway_up: ['gauge', one(1)],
  waiting_segments: ['gauge', one(0)],
  waiting_bytes: ['gauge', one(0)],
  oldest_waiting_seconds: ['gauge', one(0)],
  set_aside_segments: ['gauge', one(0)],
  damaged_segments: ['gauge', one(0)],
  sites: ['gauge', one(0)],
  dedup_shortened: ['gauge', one(0)],
  list_age_seconds: ['gauge', []],
  list_fresh: ['gauge', []],
  list_in_doubt: ['gauge', []],
  signer_keys: ['gauge', []],
}

test('an ingest that did nothing shows each metric once', () => {
  expect<unknown>(shown(createMetrics().read(quiet))).toEqual(none)
})

test('what became of batches, visits and answers is counted, by reason', () => {
  const metrics = createMetrics()
  const reasons = [
    { outcome: 'ignored', reason: 'no agent', lines: 2 },
    { outcome: 'rejected', reason: 'no time', lines: 3 },
    { outcome: 'unchecked', reason: 'no address', lines: 4 },
    { outcome: 'dated', reason: 'arrival', lines: 5 },
    { outcome: 'repeated', reason: 'same id', lines: 6 },
    { outcome: 'duplicate', reason: 'same line', lines: 7 },
  ] as const
  const batch = { accepted: 7, ignored: 2, rejected: 3, duplicate: 1, reasons: [] }
  metrics.batch({ ...batch, by_reason: reasons })
  metrics.batch({ ...batch, by_reason: [reasons[0]] })
  metrics.batch(batch)
  metrics.visit()
  for (const status of [200, 200, 503]) metrics.answered(status)
  const counted = (label: string, counts: readonly (readonly [string | number, number])[]) => [
    'counter',
    counts.map(([name, value]) => ({ labels: { [label]: name }, value })),
  ]
  expect<unknown>(shown(metrics.read(quiet))).toEqual({
    ...none,
    hits_total: counted('kind', [
      ['crawl', 21],
      ['visit', 1],
    ]),
    duplicates_total: ['counter', one(3)],
    ignored_total: counted('reason', [['no agent', 4]]),
    rejected_total: counted('reason', [['no time', 3]]),
    unread_addresses_total: counted('reason', [['no address', 4]]),
    undated_total: counted('reason', [['arrival', 5]]),
    repeated_ids_total: counted('reason', [['same id', 6]]),
    doubtful_duplicates_total: counted('reason', [['same line', 7]]),
    answers_total: counted('status', [
      [200, 2],
      [503, 1],
    ]),
  })
})

test('a flushed segment is counted, timed in seconds, and aged by its name', () => {
  const metrics = createMetrics()
  const at = 1_795_200_000_000
  const segment = `0${at}-1`
  metrics.flushed({ segment, hits: 7, elsewhere: 2, ms: 30 }, at + 7_000)
  metrics.flushed({ segment, hits: 1, elsewhere: 1, ms: 3_000 }, at - 1)
  const read = metrics.read(quiet)
  expect<unknown>(shown(read)).toMatchObject({
    flushed_hits_total: ['counter', one(8)],
    elsewhere_hits_total: ['counter', one(3)],
  })
  const counts = (bounds: string, values: readonly number[]) =>
    bounds.split(' ').map((le, index) => [le, values[index] ?? -1])
  expect(upTo(read, 'flush_seconds')).toEqual(
    counts('0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf', [0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2]),
  )
  expect(upTo(read, 'flushed_age_seconds')).toEqual(
    counts('0.5 1 2 5 10 30 60 300 3600 86400 +Inf', [1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2]),
  )
})

test('the state shows as gauges', () => {
  const trouble = { reason: 'no room', since: '2026-11-20T12:00:00.000Z' }
  const list = { operator: 'OpenAI', url: 'https://a.example/list' }
  const read = createMetrics().read({
    state: {
      ...idle,
      accepting: false,
      reason: 'full',
      clickhouse: trouble,
      gateway: trouble,
      waiting_segments: 3,
      waiting_bytes: 500,
      oldest_waiting_seconds: 90,
      set_aside_segments: 2,
      damaged_segments: 3,
    },
    lists: [
      { ...list, status: 'fresh', age_seconds: 60 },
      {
        ...list,
        url: 'https://b.example/list',
        status: 'missing',
        age_seconds: null,
        in_doubt: { since: '2026-11-20T12:00:00.000Z', about: 'addresses', why: 'most came from elsewhere' },
      },
    ] as never,
    directories: [
      { host: 'chatgpt.com', keys: 2, lastOkAt: 1, lastError: null, isFresh: true },
      { host: 'agent.bot.goog', keys: 3, lastOkAt: 1, lastError: 'answered 500', isFresh: false },
    ],
    sites: 4,
    dedupShortened: true,
  })
  const labels = { operator: 'OpenAI', list: 'https://a.example/list' }
  const other = { ...labels, list: 'https://b.example/list' }
  expect<unknown>(shown(read)).toEqual({
    ...none,
    accepting: ['gauge', one(0)],
    clickhouse_up: ['gauge', one(0)],
    gateway_up: ['gauge', one(0)],
    waiting_segments: ['gauge', one(3)],
    waiting_bytes: ['gauge', one(500)],
    oldest_waiting_seconds: ['gauge', one(90)],
    set_aside_segments: ['gauge', one(2)],
    damaged_segments: ['gauge', one(3)],
    sites: ['gauge', one(4)],
    dedup_shortened: ['gauge', one(1)],
    list_age_seconds: ['gauge', [{ labels, value: 60 }]],
    list_fresh: [
      'gauge',
      [
        { labels, value: 1 },
        { labels: other, value: 0 },
      ],
    ],
    list_in_doubt: [
      'gauge',
      [
        { labels, value: 0 },
        { labels: other, value: 1 },
      ],
    ],
    signer_keys: [
      'gauge',
      [
        { labels: { signer: 'chatgpt.com' }, value: 2 },
        { labels: { signer: 'agent.bot.goog' }, value: 0 },
      ],
    ],
  })
})
