import type { Finding } from '../../contracts/self-check'
import type { IngestState } from '../../contracts/traffic'

/** Describes the data that waits for ClickHouse: why, since when, how much, and what to do. */
export function journalCheck(state: IngestState): Finding {
  const { gateway, clickhouse, waiting_segments: segments, oldest_waiting_seconds: oldest } = state
  const waits =
    segments === 0
      ? 'nothing waits'
      : `${segments} segments wait, ${sizeOf(state.waiting_bytes)}, the oldest for ${spanOf(oldest ?? 0)}`
  if (clickhouse) {
    return {
      status: 'fail',
      found: `${clickhouse.reason} since ${clickhouse.since}; ${waits}`,
      mend: `${mendOf(clickhouse.reason)} What waits is counted once it takes hits again, and nothing twice.`,
    }
  }
  if (gateway) {
    return {
      status: 'fail',
      found: `${gateway.reason} since ${gateway.since}; ${waits}`,
      mend: `${wayToGateway(gateway.reason)} What waits is counted once it answers, and nothing twice. INGEST_CLAIMS=off counts without asking.`,
    }
  }
  if (state.set_aside_segments > 0) {
    return {
      status: 'warn',
      found: `${state.set_aside_segments} segments are set aside in ingest/poison; ${waits}`,
      mend: 'The log says which and why. Move one back to ingest/segments to try it again, or report it.',
    }
  }
  if ((oldest ?? 0) < 60) return { status: 'ok', found: waits }
  return {
    status: 'warn',
    found: `${waits}, and ClickHouse reports no error`,
    mend: 'ClickHouse is slower than the incoming hits, or a statement hangs. Check its load and system.processes. You can restart this process without losing hits.',
  }
}

const causes: readonly (readonly [RegExp, string])[] = [
  [
    /ECONN|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|timeout|socket|Connection(Refused|Closed)/i,
    'Start ClickHouse, or check CLICKHOUSE_URL and the network.',
  ],
  [
    /\b(192|193|194|497|516)\b/,
    'Fix user and password in CLICKHOUSE_URL, and its rights to INSERT and SELECT.',
  ],
  [/\b(60|81)\b/, 'Start the gateway once. It creates the database and its tables.'],
  [/\b(164|242)\b/, 'Tables are read-only. Check the disk and Keeper, then system.replicas.'],
  [/\b(202|241|243|252|319)\b/, 'ClickHouse lacks memory, disk space or merges. Give it more resources.'],
]

function wayToGateway(reason: string): string {
  if (/status 401/.test(reason)) return 'Give both the same RENOWN_INGEST_SECRET.'
  if (/status 404/.test(reason)) return 'Update the gateway to the version of this process.'
  return 'Start the gateway and its documents store, or check RENOWN_URL and the network.'
}

const mendOf = (reason: string) =>
  causes.find(([pattern]) => pattern.test(reason))?.[1] ?? 'Search the ClickHouse log for the code.'

const sizeOf = (bytes: number) =>
  bytes < 2 ** 20 ? `${Math.ceil(bytes / 2 ** 10)} KiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`

function spanOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}
