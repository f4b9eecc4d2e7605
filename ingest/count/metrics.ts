import {
  type BatchAnswer,
  counts,
  countUp,
  createHistogram,
  gauge,
  type IngestState,
  type Metric,
  processMetrics,
  type RangeListStatus,
  type ReasonCount,
} from 'renown/contracts'
import type { Flushed } from '../flush/flusher'
import { openedAt } from '../journal/segment-folder'
import type { DirectoryStatus } from '../judge/signature/keyring'
import type { SignatureOutcome } from '../judge/signatures'

/** Counts since the start, as plain numbers. They are formatted only on request. */
export interface Metrics {
  /** An answer to a batch. */
  batch(answer: BatchAnswer): void
  /** Counts a visit that the beacon reported and the journal has stored. */
  visit(): void
  answered(status: number): void
  /** Counts a body of a known forwarder that was refused as a whole. */
  refused(code: string): void
  /** Counts a signature that was judged. */
  signature(outcome: SignatureOutcome): void
  flushed(flushed: Flushed, nowMs: number): void
  read(seen: Seen): Metric[]
}

/** The data that is read when metrics are requested. */
export interface Seen {
  readonly state: IngestState
  readonly lists: readonly RangeListStatus[]
  readonly directories: readonly DirectoryStatus[]
  readonly sites: number
  readonly dedupShortened: boolean
}

const insertBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const ageBounds = [0.5, 1, 2, 5, 10, 30, 60, 300, 3_600, 86_400]
const prefix = 'renown_ingest'

/** Starts counting. */
export function createMetrics(): Metrics {
  const hits = new Map<string, number>([
    ['crawl', 0],
    ['visit', 0],
  ])
  const lines: Record<ReasonCount['outcome'], Map<string, number>> = {
    ignored: new Map(),
    rejected: new Map(),
    unchecked: new Map(),
    dated: new Map(),
    signed: new Map(),
    repeated: new Map(),
    duplicate: new Map(),
  }
  const signatures = new Map<string, number>()
  const answers = new Map<number, number>()
  const refused = new Map<string, number>()
  const insert = createHistogram(insertBounds)
  const age = createHistogram(ageBounds)
  let duplicates = 0
  let flushed = 0
  let elsewhere = 0

  return {
    batch({ accepted, duplicate, by_reason }) {
      countUp(hits, 'crawl', accepted)
      duplicates += duplicate
      // Without this check, even an empty iterator would be the largest cost here.
      if (by_reason)
        for (const { outcome, reason, lines: more } of by_reason) countUp(lines[outcome], reason, more)
    },
    visit: () => countUp(hits, 'visit'),
    answered: (status) => countUp(answers, status),
    refused: (code) => countUp(refused, code),
    signature: (outcome) => countUp(signatures, outcome),
    flushed({ hits: more, elsewhere: others, segment, ms }, nowMs) {
      flushed += more
      elsewhere += others
      insert.observe(ms / 1_000)
      age.observe(Math.max(0, nowMs - openedAt(segment)) / 1_000)
    },
    read: (seen) => [
      counts(`${prefix}_hits_total`, 'Hits accepted and on the disk.', 'kind', hits),
      single(`${prefix}_duplicates_total`, 'Hits that were already counted.', duplicates),
      counts(`${prefix}_ignored_total`, 'Valid lines that do not count.', 'reason', lines.ignored),
      counts(`${prefix}_rejected_total`, 'Lines that cannot be read.', 'reason', lines.rejected),
      counts(`${prefix}_unread_addresses_total`, 'Hits counted as unchecked.', 'reason', lines.unchecked),
      counts(`${prefix}_signatures_total`, 'Signatures that were judged.', 'result', signatures),
      counts(
        `${prefix}_undated_total`,
        'Hits without a time, counted at their arrival.',
        'reason',
        lines.dated,
      ),
      counts(
        `${prefix}_repeated_ids_total`,
        'Hits with an id that another hit had at another time or path.',
        'reason',
        lines.repeated,
      ),
      counts(
        `${prefix}_doubtful_duplicates_total`,
        'Duplicates without a time of their own, which may be other hits.',
        'reason',
        lines.duplicate,
      ),
      counts(`${prefix}_answers_total`, 'Answers; 429 and 503 are refusals.', 'status', answers),
      counts(
        `${prefix}_refused_bodies_total`,
        'Bodies of known forwarders that were refused as a whole.',
        'reason',
        refused,
      ),
      single(`${prefix}_flushed_hits_total`, 'Hits stored in ClickHouse.', flushed),
      single(
        `${prefix}_elsewhere_hits_total`,
        'Hits left out because another process counts them.',
        elsewhere,
      ),
      histogram(`${prefix}_flush_seconds`, 'Time to write a segment to ClickHouse.', insert),
      histogram(`${prefix}_flushed_age_seconds`, 'Age of a segment when it was stored in ClickHouse.', age),
      ...gauges(seen),
      ...processMetrics(),
    ],
  }
}

const single = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'counter',
  samples: [{ value }],
})

const histogram = (name: string, help: string, kept: ReturnType<typeof createHistogram>): Metric => ({
  name,
  help,
  type: 'histogram',
  samples: kept.samples(),
})

function gauges({ state, lists, directories, sites, dedupShortened }: Seen): Metric[] {
  const listed = (pick: (list: RangeListStatus) => number | null) =>
    lists.flatMap((list) => {
      const value = pick(list)
      return value === null ? [] : [{ labels: { operator: list.operator, list: list.url }, value }]
    })
  return [
    gauge(`${prefix}_accepting`, '1 if hits are accepted, else 0.', Number(state.accepting)),
    gauge(
      `${prefix}_clickhouse_up`,
      '0 while ClickHouse accepts no hits, else 1.',
      Number(state.clickhouse === null),
    ),
    gauge(
      `${prefix}_gateway_up`,
      '0 while the gateway does not answer claims, else 1.',
      Number(state.gateway === null),
    ),
    gauge(`${prefix}_waiting_segments`, 'Segments that wait for ClickHouse.', state.waiting_segments),
    gauge(`${prefix}_waiting_bytes`, 'Bytes that wait for ClickHouse.', state.waiting_bytes),
    gauge(
      `${prefix}_oldest_waiting_seconds`,
      'Age of the oldest waiting segment.',
      state.oldest_waiting_seconds ?? 0,
    ),
    gauge(
      `${prefix}_set_aside_segments`,
      'Segments in poison/ whose rows ClickHouse refused.',
      state.set_aside_segments,
    ),
    gauge(
      `${prefix}_damaged_segments`,
      'Copies of damaged segments in poison/. What can be read of them is counted.',
      state.damaged_segments,
    ),
    gauge(`${prefix}_sites`, 'Sites that the ingest counts.', sites),
    gauge(
      `${prefix}_dedup_shortened`,
      '1 if memory cannot hold the ids of 24 h, else 0.',
      Number(dedupShortened),
    ),
    {
      name: `${prefix}_list_age_seconds`,
      help: 'Age of an address list.',
      type: 'gauge',
      samples: listed(({ age_seconds }) => age_seconds),
    },
    {
      name: `${prefix}_list_fresh`,
      help: '1 if an address list is current, else 0.',
      type: 'gauge',
      samples: listed(({ status }) => Number(status === 'fresh')),
    },
    {
      name: `${prefix}_list_in_doubt`,
      help: '1 if most hits of the operator come from outside its list, which was right before.',
      type: 'gauge',
      samples: listed(({ in_doubt }) => Number(in_doubt !== undefined)),
    },
    {
      name: `${prefix}_signer_keys`,
      help: "Keys in a signer's directory.",
      type: 'gauge',
      samples: directories.map(({ host, keys, isFresh }) => ({
        labels: { signer: host },
        value: isFresh ? keys : 0,
      })),
    },
  ]
}
