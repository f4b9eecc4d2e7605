import type { Columns } from 'renown'
import { touchedTable } from 'renown/traffic'
import { dailyTable } from '../records/dailyTable'
import { sweepTable } from '../records/sweepTable'

/** A day of a site that hits have touched since its row was sealed. */
export interface PendingDay {
  readonly site_id: string
  readonly date: string
  /**
   * Milliseconds since the epoch by ClickHouse's clock: when the day was last touched, and the time of the
   * query.
   */
  readonly touched_ms: number
  readonly asked_ms: number
  /** The highest revision. 0 if the day was never sealed. */
  readonly last_rev: number
  readonly first_created: string
}

/** Minimum time before an open day is sealed again. */
const leastPauseMs = 2_500
/** Touches become visible shortly after their instant. A day is sealed again after that time. */
const overlapMs = 5_000
const daysMax = 2_000

/** The days to seal, and whether all touched days were checked. */
export interface Pending {
  readonly days: readonly PendingDay[]
  /** Whether more days may be waiting than one run can seal. */
  readonly isFull: boolean
  /** Time of the sweep by ClickHouse's clock, in milliseconds. Null if only recent touches were checked. */
  readonly sweptMs: number | null
}

const swept = `(SELECT max(swept_at) FROM ${sweepTable.name})`

/**
 * A sweep is due ten minutes after the last one. A stored time in the future is ignored, because the clock was set
 * back.
 */
const isDue = `(${swept} > now64(3) OR ${swept} < now64(3) - INTERVAL 10 MINUTE)`

/** Returns the instant since which touches are checked: ten minutes before the last seal, or everything. */
const sinceIf = (everything: string) =>
  `if(${everything}, toDateTime64(0, 3),
  least((SELECT max(sealed_at) FROM ${dailyTable.name}), now64(3)) - INTERVAL 10 MINUTE)`

/**
 * Returns the days to seal, longest waiting first. All instants are ClickHouse's own. A seal with a future
 * time is ignored, because the clock was set back. When a sweep is due, every touched day is checked, so that
 * an interrupted run loses no day.
 */
export async function pendingDays(columns: Columns): Promise<Pending> {
  const [first] = await columns.query<{ sweeps: number; asked_ms: number }>(
    `SELECT toUInt8(${isDue}) AS sweeps, toUnixTimestamp64Milli(now64(3)) AS asked_ms
     FROM ${touchedTable.name} WHERE touched_at >= ${sinceIf(isDue)} LIMIT 1`,
  )
  if (!first) return { days: [], isFull: false, sweptMs: null }
  const sweeps = Number(first.sweeps) === 1
  const days = await columns.query<PendingDay>(
    `WITH
       now64(3) AS asked,
       recent AS (
         SELECT site_id, date, max(touched_at) AS touched
         FROM ${touchedTable.name} WHERE touched_at >= ${sinceIf('{sweeps:UInt8}')} GROUP BY site_id, date
       ),
       seals AS (
         SELECT site_id, date, max(rev) AS last_rev, argMax(sealed_at, rev) AS sealed, argMax(created_date, rev) AS first_created
         FROM ${dailyTable.name} WHERE (site_id, date) IN (SELECT site_id, date FROM recent) GROUP BY site_id, date
       )
     SELECT recent.site_id AS site_id, recent.date AS date,
       toUnixTimestamp64Milli(touched) AS touched_ms, toUnixTimestamp64Milli(asked) AS asked_ms, last_rev, first_created
     FROM recent LEFT JOIN seals ON recent.site_id = seals.site_id AND recent.date = seals.date
     WHERE last_rev = 0
       OR sealed > asked + toIntervalMillisecond({overlap:UInt32})
       OR (touched >= sealed - toIntervalMillisecond({overlap:UInt32}) AND sealed <= asked - toIntervalMillisecond({pause:UInt32}))
     ORDER BY touched LIMIT {days:UInt32}`,
    { overlap: overlapMs, pause: leastPauseMs, days: daysMax, sweeps: sweeps ? 1 : 0 },
  )
  return { days, isFull: days.length === daysMax, sweptMs: sweeps ? Number(first.asked_ms) : null }
}

/** Stores that all touched days were checked and sealed. */
export const markSwept = (columns: Columns, sweptMs: number): Promise<void> =>
  columns.insert(sweepTable.name, ['id', 'swept_at'], [['sealing', new Date(sweptMs).toISOString()]])
