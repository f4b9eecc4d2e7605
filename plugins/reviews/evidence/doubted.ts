import { type ReadRows, where } from 'renown'
import type { Doubt } from 'renown/sources'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { doubtOf } from './doubt'

/** A location whose replies contradict what is stored. */
export interface DoubtedLocation {
  readonly id: string
  readonly name: string
  readonly doubt: Doubt
}

interface Rows {
  rows(entity: typeof ReviewedLocation): Pick<ReadRows<typeof ReviewedLocation>, 'list'>
}

/** Returns the locations of a workspace that are in doubt about their replies. */
export async function doubtedLocations(ctx: Rows, limit: number): Promise<readonly DoubtedLocation[]> {
  const found = await ctx.rows(ReviewedLocation).list({
    where: where.and(where.ne('in_doubt', null), where.eq('is_prospect', false)),
    sort: [{ field: 'id', direction: 'asc' }],
    limit,
    fields: ['business_name', 'in_doubt'],
  })
  return found.flatMap(({ id, business_name: name, in_doubt }) => {
    const doubt = doubtOf(in_doubt === undefined ? {} : { in_doubt })
    return doubt === null ? [] : [{ id, name, doubt }]
  })
}
