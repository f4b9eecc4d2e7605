import type { Columns } from 'renown'
import { hitsTable } from 'renown/traffic'
import { dayKey } from './readDays'

interface Day {
  readonly site_id: string
  readonly date: string
}

/** Maximum days per round of queries. */
const daysMax = 100
/**
 * Maximum rows of hits in one round, because all sums of a round are in memory. A single day may have more.
 */
const rowsMax = 50_000

/** Splits days into rounds of limited size, in order. */
export async function sealRounds<D extends Day>(columns: Columns, days: readonly D[]): Promise<D[][]> {
  const rows = await rowsOf(columns, days)
  const rounds: D[][] = []
  let read = 0
  for (const day of days) {
    const last = rounds.at(-1)
    const more = rows.get(dayKey(day)) ?? 0
    if (last && last.length < daysMax && read + more <= rowsMax) {
      last.push(day)
      read += more
    } else {
      rounds.push([day])
      read = more
    }
  }
  return rounds
}

/** Returns the number of hit rows per day. Reads only the columns of the table's key. */
async function rowsOf(columns: Columns, days: readonly Day[]): Promise<Map<string, number>> {
  const counted = await columns.query<Day & { readonly n: number }>(
    `SELECT site_id, date, toUInt32(count()) AS n FROM ${hitsTable.name}
     WHERE site_id IN {sites:Array(String)} AND date IN {dates:Array(Date)} GROUP BY site_id, date`,
    {
      sites: [...new Set(days.map(({ site_id }) => site_id))],
      dates: [...new Set(days.map(({ date }) => date))],
    },
  )
  return new Map(counted.map((day) => [dayKey(day), day.n]))
}
