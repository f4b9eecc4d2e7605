import { type OwnerContext, type Row, where } from 'renown'
import { VisibilityRun } from '../records/VisibilityRun'
import type { VisibilityTracker } from '../records/VisibilityTracker'
import { cellsOf } from '../sums/cells'
import { type Answers, joinRounds, roundFields } from '../sums/rounds'
import { answered } from '../sums/scope'

type Tracker = Row<typeof VisibilityTracker>

/** How many runs of one day ended in which way so far. */
export interface DayCounts {
  /** Runs with an answer, or with the statement that there is none. */
  readonly ran: number
  readonly errors: number
  readonly samples: readonly string[]
}

const samplesMax = 5

/** Returns how the runs of a tracker ended on a day. */
export async function countDay(
  ctx: OwnerContext,
  { id, workspace_id }: Tracker,
  local_day: string,
): Promise<DayCounts> {
  const inside = where.and(
    where.eq('workspace_id', workspace_id),
    where.eq('tracker_id', id),
    where.eq('local_day', local_day),
  )
  const [groups, failed] = await Promise.all([
    ctx.rows(VisibilityRun).group({ where: inside, by: ['status'], measures: [{ as: 'n', fn: 'count' }] }),
    ctx.rows(VisibilityRun).list({
      where: where.and(inside, where.eq('status', 'error')),
      sort: [{ field: 'started_at', direction: 'desc' }],
      limit: 50,
    }),
  ])
  const of = (isError: boolean) =>
    groups.filter(({ status }) => (status === 'error') === isError).reduce((sum, { n }) => sum + Number(n), 0)
  const samples = [
    ...new Set(failed.map(({ engine, error }) => `${engine}: ${error ?? 'failed'}`.slice(0, 300))),
  ]
  return { ran: of(false), errors: of(true), samples: samples.slice(0, samplesMax) }
}

/** Returns the answers of a tracker since a day to some prompts: those that name the brand, by cell and by round. */
export async function answersSince(
  ctx: OwnerContext,
  { id, workspace_id }: Tracker,
  first: string,
  prompts: ReadonlySet<string>,
): Promise<Answers> {
  const own = where.and(
    where.eq('workspace_id', workspace_id),
    where.eq('tracker_id', id),
    where.gte('local_day', first),
  )
  const [cells, rounds] = await Promise.all([
    cellsOf(ctx, own, (prompt) => prompts.has(prompt)),
    ctx.rows(VisibilityRun).group({
      where: where.and(own, answered, where.in('prompt_id', [...prompts])),
      by: [...roundFields, 'local_day', 'brand_mentioned'],
      measures: [{ as: 'n', fn: 'count' }],
    }),
  ])
  return { cells, rounds: joinRounds(rounds, 'local_day') }
}
