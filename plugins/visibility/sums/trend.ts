import { type Period, type ReadContext, shiftDay, type Where, where } from 'renown'
import { type Estimate, estimate } from '../measure/estimate'
import { VisibilityRun } from '../records/VisibilityRun'
import { cellFields, joinCells } from './cells'
import { answered } from './scope'

/** How long one point of a trend is. */
export type TrendUnit = 'day' | 'week' | 'month'

/** The rate over the cells of one stretch. */
export interface TrendPoint extends Estimate {
  /** First day of the stretch, also where the period begins later in it. */
  readonly from: string
}

const daysOfDays = 14
const daysOfWeeks = 140

/** Returns the length of the points for a period of this many days: at most about 20 points. */
export const unitOf = (days: number): TrendUnit =>
  days <= daysOfDays ? 'day' : days <= daysOfWeeks ? 'week' : 'month'

/** Returns the rates of all stretches of a period, over the prompts that count. One read. */
export async function trendOf(
  ctx: ReadContext,
  matching: Where,
  period: Period,
  open: ReadonlySet<string>,
): Promise<TrendPoint[]> {
  const unit = unitOf(period.days)
  const groups = await ctx.rows(VisibilityRun).group({
    where: where.and(matching, answered),
    by: [...cellFields, 'brand_mentioned', { field: 'started_at', unit, timezone: ctx.workspace.timezone }],
    measures: [{ as: 'n', fn: 'count' }],
  })
  const counting = groups.filter(({ prompt_id }) => open.has(String(prompt_id)))
  const byStretch = Map.groupBy(counting, ({ started_at }) => String(started_at))
  return startsOf(period, unit).map((from) => ({
    from,
    ...estimate(joinCells(byStretch.get(from) ?? [])),
  }))
}

/** The first days of all stretches of a period. Weeks begin on Monday. */
export function startsOf({ date_from, date_to }: Period, unit: TrendUnit): string[] {
  const starts: string[] = []
  for (let at = startOf(date_from, unit); at <= date_to; at = nextOf(at, unit)) starts.push(at)
  return starts
}

function startOf(day: string, unit: TrendUnit): string {
  if (unit === 'month') return `${day.slice(0, 7)}-01`
  if (unit === 'day') return day
  return shiftDay(day, -((new Date(`${day}T00:00:00.000Z`).getUTCDay() + 6) % 7))
}

function nextOf(day: string, unit: TrendUnit): string {
  if (unit === 'month') return `${shiftDay(day, 32).slice(0, 7)}-01`
  return shiftDay(day, unit === 'day' ? 1 : 7)
}
