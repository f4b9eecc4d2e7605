import { dayMs, type OwnerContext, type ReadContext, type Row, where } from 'renown'
import { brandedBy } from '../detection/branded'
import { type Forecast, forecast, type Spread, spreadIn } from '../measure/plan'
import type { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityRun } from '../records/VisibilityRun'
import type { VisibilityTracker } from '../records/VisibilityTracker'
import { cellsOf } from '../sums/cells'
import { type Answers, basketOf, joinRounds, roundFields } from '../sums/rounds'
import { answered } from '../sums/scope'
import { forecastDays, usdPerAnswer } from './begin-tracking'

type Reads = Pick<ReadContext, 'rows'> | Pick<OwnerContext, 'rows'>
type Tracker = Row<typeof VisibilityTracker>
type Prompt = Pick<Row<typeof VisibilityPrompt>, 'id' | 'text' | 'status'>

/** A forecast, and how much of it was measured. */
export interface TrackerForecast extends Forecast {
  /** Questions of one round: active prompts × engines × countries. */
  readonly cells: number
  readonly days: number
  /** US dollars of one answer. */
  readonly usd_per_answer: number
  /** `measured`: the mean of this tracker's answers of the last 30 days. */
  readonly usd_basis: 'measured' | 'assumed'
}

/** Fewer answers with a cost say too little about the price of the next. */
const pricedMin = 20
/** Fewer cells with two answers say too little about how often answers change. */
const cellsMin = 10

/** Returns what the next 30 days of a tracker will cost, and how sure its rate will then be. */
export async function trackerForecast(
  ctx: Reads,
  now: Date,
  tracker: Tracker,
  prompts: readonly Prompt[],
): Promise<TrackerForecast> {
  const since = new Date(now.getTime() - forecastDays * dayMs).toISOString()
  const recent = where.and(where.eq('tracker_id', tracker.id), where.gte('started_at', since))
  const isBranded = brandedBy(tracker)
  const active = prompts.filter(({ status }) => status === 'active')
  const open = new Set(active.filter(({ text }) => !isBranded(text)).map(({ id }) => id))
  const [[priced], cellsSoFar, rounds] = await Promise.all([
    ctx.rows(VisibilityRun).group({
      where: where.and(recent, where.ne('cost', null)),
      by: ['tracker_id'],
      measures: [
        { as: 'usd', fn: 'sum', field: 'cost' },
        { as: 'n', fn: 'count' },
      ],
    }),
    cellsOf(ctx, recent, (id) => open.has(id)),
    ctx.rows(VisibilityRun).group({
      where: where.and(recent, answered, where.in('prompt_id', [...open])),
      by: [...roundFields, 'local_day', 'brand_mentioned'],
      measures: [{ as: 'n', fn: 'count' }],
    }),
  ])
  const isPriced = Number(priced?.n ?? 0) >= pricedMin
  const usd_per_answer = isPriced ? Number(priced?.usd) / Number(priced?.n) : usdPerAnswer
  const everyDays = Math.max(1, Math.round(tracker.run_frequency_hours / 24))
  const ofPrompt = tracker.engines.length * Math.max(1, tracker.countries?.length ?? 0)
  const cells = active.length * ofPrompt
  const plan = forecast({
    cells: open.size * ofPrompt,
    brandedCells: cells - open.size * ofPrompt,
    days: Math.floor(forecastDays / everyDays),
    usdPerAnswer: usd_per_answer,
    stop: tracker.stop_when ?? null,
    spread: spreadOf({ cells: cellsSoFar, rounds: joinRounds(rounds, 'local_day') }),
  })
  return {
    ...plan,
    sure_after_days: plan.sure_after_days === null ? null : plan.sure_after_days * everyDays,
    cells,
    days: forecastDays,
    usd_per_answer,
    usd_basis: isPriced ? 'measured' : 'assumed',
  }
}

/** How much answers and days differ. Undefined where too few cells were asked twice. */
function spreadOf(answers: Answers): Spread | undefined {
  const repeated = answers.cells.filter(({ n }) => n > 1)
  if (repeated.length < cellsMin || repeated.length < 0.8 * answers.cells.length) return undefined
  return spreadIn(basketOf(answers).shift)
}
