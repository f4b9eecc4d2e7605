import { type ReadContext, where } from 'renown'
import { ReviewObservation } from '../records/ReviewObservation'

/** The end of one log of a location. */
export interface LogHead {
  readonly source: string
  /** Position of the last entry, from 1. */
  readonly entry: number
  readonly hash: string
}

const sourcesMax = 50

/** Returns the ends of all logs of a location, by source. A copy of them outside the database proves the log later. */
export async function logHeads(reads: Pick<ReadContext, 'rows'>, location_id: string): Promise<LogHead[]> {
  const own = where.eq('location_id', location_id)
  const groups = await reads.rows(ReviewObservation).group({
    where: own,
    by: ['source'],
    measures: [{ as: 'entries', fn: 'max', field: 'seq' }],
    limit: sourcesMax,
  })
  const heads: LogHead[] = []
  for (const { source, entries } of groups) {
    const last = where.and(own, where.eq('source', String(source)), where.eq('seq', Number(entries)))
    const [row] = await reads.rows(ReviewObservation).list({ where: last, limit: 1 })
    if (row) heads.push({ source: row.source, entry: row.seq, hash: row.hash })
  }
  return heads
}
