import { type Row, type SystemReads, shiftDay, where } from 'renown'
import { VisibilityRun } from '../records/VisibilityRun'
import type { VisibilityTracker } from '../records/VisibilityTracker'
import { type AnswerCost, costsByTracker } from '../sums/costs'
import { lostBatch } from './lost-slots'

type Tracker = Row<typeof VisibilityTracker>

/** What the answers of a tracker cost in a month. */
interface MonthlyCost extends AnswerCost {
  /** Questions whose process ended before the answer was stored. Their cost is unknown. */
  readonly lost: number
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
  const [open, lost] = await Promise.all([
    costOf(ctx, tracker, shiftDay(closed.until, 1), day),
    lostIn(ctx, tracker, `${month}-01`),
  ])
  return { usd: closed.usd + open.usd, answers: closed.answers + open.answers, lost, closed }
}

const nothing = { usd: 0, answers: 0 }

const ofTracker = ({ id, workspace_id }: Tracker) =>
  where.and(where.eq('workspace_id', workspace_id), where.eq('tracker_id', id))

async function costOf(
  ctx: Pick<SystemReads, 'rows'>,
  tracker: Tracker,
  from: string,
  until: string,
): Promise<AnswerCost> {
  const costs = await costsByTracker(ctx.rows(VisibilityRun), ofTracker(tracker), [from, until])
  return costs.get(tracker.id) ?? nothing
}

const lostIn = (ctx: Pick<SystemReads, 'rows'>, tracker: Tracker, first: string): Promise<number> =>
  ctx
    .rows(VisibilityRun)
    .count(where.and(ofTracker(tracker), where.eq('batch_id', lostBatch), where.gte('local_day', first)))
