import { type Row, type SystemReads, shiftDay, where } from 'renown'
import { VisibilityRun } from '../records/VisibilityRun'
import { VisibilitySlot } from '../records/VisibilitySlot'
import type { VisibilityTracker } from '../records/VisibilityTracker'
import { type AnswerCost, costsByTracker } from '../sums/costs'
import { lostBatch } from './lost-slots'

type Tracker = Row<typeof VisibilityTracker>

/** What the answers of a tracker cost in a month. */
interface MonthlyCost extends AnswerCost {
  /** Questions whose cost is not known at all, such as those that an older version lost. */
  readonly lost: number
  /** The most that questions without a run can cost: those that are asked now, and those whose process ended. */
  readonly reserved: number
  /** The cost of the days that no run is added to any more. */
  readonly closed: NonNullable<Tracker['spent']>
}

/**
 * Returns the cost of a tracker in the month of a day. Days before yesterday are summed once and stored with the
 * tracker, so that a pass reads the runs of two days, not of a month.
 */
export async function monthlyCost(
  ctx: Pick<SystemReads, 'rows'>,
  tracker: Tracker,
  day: string,
): Promise<MonthlyCost> {
  const month = day.slice(0, 7)
  const known =
    tracker.spent?.month === month
      ? tracker.spent
      : { month, until: shiftDay(`${month}-01`, -1), usd: 0, answers: 0 }
  const [, until = day] = [known.until, shiftDay(day, -2)].sort()
  const added = until === known.until ? nothing : await costOf(ctx, tracker, shiftDay(known.until, 1), until)
  const closed = { month, until, usd: known.usd + added.usd, answers: known.answers + added.answers }
  const [open, lost, reserved] = await Promise.all([
    costOf(ctx, tracker, shiftDay(closed.until, 1), day),
    lostIn(ctx, tracker, `${month}-01`),
    reservedIn(ctx, tracker, `${month}-01`),
  ])
  return { usd: closed.usd + open.usd, answers: closed.answers + open.answers, lost, reserved, closed }
}

/** Returns the largest amount that a month can have cost so far. Questions without any known cost count as the mean. */
export const mostSpent = ({ usd, answers, lost, reserved }: Omit<MonthlyCost, 'closed'>): number =>
  usd + reserved + (answers === 0 ? 0 : (lost * usd) / answers)

const nothing = { usd: 0, answers: 0 }

const ofTracker = ({ id, workspace_id }: Tracker) =>
  where.and(where.eq('workspace_id', workspace_id), where.eq('tracker_id', id))

/** Returns what the dearest answer of an engine cost in the month of a day. 0 if there is none. */
export async function dearestAnswer(
  ctx: Pick<SystemReads, 'rows'>,
  tracker: Tracker,
  engine: string,
  day: string,
): Promise<number> {
  const [dearest] = await ctx.rows(VisibilityRun).group({
    where: where.and(
      ofTracker(tracker),
      where.eq('engine', engine),
      where.gte('local_day', `${day.slice(0, 7)}-01`),
      where.ne('cost', null),
    ),
    by: ['tracker_id'],
    measures: [{ as: 'usd', fn: 'max', field: 'cost' }],
  })
  return Number(dearest?.usd ?? 0)
}

async function costOf(
  ctx: Pick<SystemReads, 'rows'>,
  tracker: Tracker,
  from: string,
  until: string,
): Promise<AnswerCost> {
  const costs = await costsByTracker(ctx.rows(VisibilityRun), ofTracker(tracker), [from, until])
  return costs.get(tracker.id) ?? nothing
}

/** Lost questions and answers without a known cost. A question that was refused cost nothing, and has no basis. */
const lostIn = (ctx: Pick<SystemReads, 'rows'>, tracker: Tracker, first: string): Promise<number> =>
  ctx
    .rows(VisibilityRun)
    .count(
      where.and(
        ofTracker(tracker),
        where.gte('local_day', first),
        where.eq('cost', null),
        where.or(where.eq('batch_id', lostBatch), where.eq('cost_basis', 'unknown')),
      ),
    )

async function reservedIn(ctx: Pick<SystemReads, 'rows'>, tracker: Tracker, first: string): Promise<number> {
  const [sum] = await ctx.rows(VisibilitySlot).group({
    where: where.and(
      ofTracker(tracker),
      where.eq('settled_at', null),
      where.gte('local_day', first),
      where.ne('reserved_usd', null),
    ),
    by: ['tracker_id'],
    measures: [{ as: 'usd', fn: 'sum', field: 'reserved_usd' }],
  })
  return Number(sum?.usd ?? 0)
}
