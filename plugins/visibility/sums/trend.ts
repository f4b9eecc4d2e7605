import type { Period, ReadContext } from 'renown'
import { type Estimate, estimate } from '../measure/estimate'
import { cellsIn } from './cells'
import type { RunSpan } from './run-span'
import { startsOf, unitOf } from './stretches'

/** The rate over the cells of one stretch. */
export interface TrendPoint extends Estimate {
  /** First day of the stretch, also where the period begins later in it. */
  readonly from: string
}

/** Returns the rates of all stretches of a period, over the prompts that count. */
export async function trendOf(
  ctx: ReadContext,
  span: RunSpan,
  period: Period,
  open: ReadonlySet<string>,
): Promise<TrendPoint[]> {
  const unit = unitOf(period.days)
  const cells = (await cellsIn(ctx, span, unit)).filter(({ prompt_id }) => open.has(prompt_id))
  const byStretch = Map.groupBy(cells, ({ stretch }) => stretch)
  return startsOf(period, unit).map((from) => ({ from, ...estimate(byStretch.get(from) ?? []) }))
}
