import type { Period, ReadContext } from 'renown'
import { type DayShift, type Estimate, estimate } from 'renown/statistics'
import { cellsIn } from './cells'
import type { RunSpan } from './run-span'
import { startsOf, unitOf } from './stretches'

/** The rate over the cells of one stretch. */
export interface TrendPoint extends Estimate {
  /** First day of the stretch, also where the period begins later in it. */
  readonly from: string
}

/**
 * Returns the rates of all stretches of a period, over the prompts that count. `shift` says how much the days of the whole
 * period differ, because a stretch has few of them.
 */
export async function trendOf(
  ctx: ReadContext,
  span: RunSpan,
  period: Period,
  { open, shift }: { readonly open: ReadonlySet<string>; readonly shift: DayShift | null },
): Promise<TrendPoint[]> {
  const unit = unitOf(period.days)
  const cells = (await cellsIn(ctx, span, unit)).filter(({ prompt_id }) => open.has(prompt_id))
  const byStretch = Map.groupBy(cells, ({ stretch }) => stretch)
  return startsOf(period, unit).map((from) => ({ from, ...estimate(byStretch.get(from) ?? [], shift) }))
}
