import { type GroupQuery, type GroupRow, type Where, where } from 'renown'

/** What answers cost. */
export interface AnswerCost {
  readonly usd: number
  /** Answers with a known cost. */
  readonly answers: number
}

/** The runs of a workspace, or of all. */
interface Runs {
  group(query: GroupQuery): Promise<GroupRow[]>
}

/** Returns what runs cost from one day to another, both included, by tracker. Days are local, as the budget counts. */
export async function costsByTracker(
  runs: Runs,
  within: Where,
  [from, until]: readonly [from: string, until: string],
): Promise<ReadonlyMap<string, AnswerCost>> {
  const sums = await runs.group({
    where: where.and(
      within,
      where.ne('cost', null),
      where.gte('local_day', from),
      where.lte('local_day', until),
    ),
    by: ['tracker_id'],
    measures: [
      { as: 'usd', fn: 'sum', field: 'cost' },
      { as: 'answers', fn: 'count' },
    ],
  })
  return new Map(
    sums.map(({ tracker_id, usd, answers }) => [
      String(tracker_id),
      { usd: Number(usd), answers: Number(answers) },
    ]),
  )
}
