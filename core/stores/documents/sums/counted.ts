import type { GroupQuery, GroupRow } from '../../../contracts/context'
import type { DaySum, DaySumsQuery } from '../../../contracts/day-sums'
import { everything } from '../../../contracts/where'
import { jointQuery, jointSums, type Shape } from './shape'
import { createTotals } from './totals'

/** Answers a question about sums by counting the rows, with any filter. */
export async function countedSums(
  shape: Shape,
  { where = everything, within, by, byDay = false }: DaySumsQuery,
  group: (query: GroupQuery) => Promise<GroupRow[]>,
): Promise<DaySum[]> {
  const keys = by.filter((field) => field !== 'workspace_id')
  const unknown = keys.find((field) => !shape.by.includes(field))
  if (unknown !== undefined) throw new Error(`No sums are kept by ${unknown}`)
  const rows = await group(jointQuery(shape, within, where, by, byDay))
  const totals = createTotals({ ...shape, by: keys }, { within, by, byDay, only: new Map(), workspaces: [] })
  totals.addJoint(jointSums(shape, rows, keys, byDay))
  return totals.result()
}
