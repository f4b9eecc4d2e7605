import type { Finding } from '../../contracts/self-check'
import type { IngestState } from '../../contracts/traffic'
import { advice } from './advice'

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
      mend: `${mendOf(clickhouse.reason)} ${advice.waitsForClickhouse}`,
    }
  }
  if (gateway) {
    return {
      status: 'fail',
      found: `${gateway.reason} since ${gateway.since}; ${waits}`,
      mend: `${wayToGateway(gateway.reason)} ${advice.waitsForGateway}`,
    }
  }
  if (state.set_aside_segments > 0) {
    return {
      status: 'warn',
      found: `${state.set_aside_segments} segments are set aside in ingest/poison, because ClickHouse refused their rows; ${waits}`,
      mend: advice.setAside,
    }
  }
  if (state.damaged_segments > 0) {
    return {
      status: 'warn',
      found: `${state.damaged_segments} segments were damaged, with copies in ingest/poison (*.damaged); ${waits}`,
      mend: advice.damagedSegments,
    }
  }
  if ((oldest ?? 0) < 60) return { status: 'ok', found: waits }
  return {
    status: 'warn',
    found: `${waits}, and ClickHouse reports no error`,
    mend: advice.clickhouseSlow,
  }
}

const causes: readonly (readonly [RegExp, string])[] = [
  [
    /ECONN|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|timeout|socket|Connection(Refused|Closed)/i,
    advice.clickhouseAway,
  ],
  [/\b(192|193|194|497|516)\b/, advice.clickhouseRights],
  [/\b(60|81)\b/, advice.clickhouseTables],
  [/\b(164|242)\b/, advice.clickhouseReadOnly],
  [/\b(202|241|243|252|319)\b/, advice.clickhouseFull],
]

function wayToGateway(reason: string): string {
  if (/status 401/.test(reason)) return advice.ingestSecret
  if (/status 404/.test(reason)) return advice.oldGateway
  return advice.gatewayAway
}

const mendOf = (reason: string) =>
  causes.find(([pattern]) => pattern.test(reason))?.[1] ?? advice.clickhouseOther

const sizeOf = (bytes: number) =>
  bytes < 2 ** 20 ? `${Math.ceil(bytes / 2 ** 10)} KiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`

function spanOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}
