import type { Row } from 'renown'
import type { PageContext } from 'renown/pages'
import { forecast, spreadIn } from '../measure/plan'
import { stoppedUntil } from '../records/stopped-until'
import type { VisibilityPrompt } from '../records/VisibilityPrompt'
import { cellsIn } from '../sums/cells'
import { type Answers, basketOf, closedPrompts, roundsIn } from '../sums/rounds'
import { allCosts, costsByEngine, type EngineCosts } from '../sums/run-costs'
import type { RunSpan } from '../sums/run-span'
import type { Tracker } from '../sums/scope'
import { spanOf, type Tracked } from '../sums/tracked'
import type { Certainty } from './visibility-data'

interface Known {
  readonly tracked: Tracked
  readonly costs: ReadonlyMap<string, EngineCosts>
  readonly open: ReadonlySet<string>
  readonly prompts: readonly Row<typeof VisibilityPrompt>[]
  readonly today: string
}

const daysOfMonth = 31

/** Returns what the answers cost, and when the tracker stops. Reads the runs of this month. */
export async function readCertainty(
  ctx: PageContext,
  { tracked, costs, open, prompts, today }: Known,
): Promise<Certainty> {
  const { scope, trackers, sealed } = tracked
  const { tracker_id, location_id } = scope
  const days = { date_from: `${today.slice(0, 7)}-01`, date_to: today }
  const thisMonth = spanOf({ scope: { tracker_id, location_id }, sealed }, days)
  const [tracker, ...others] = trackers
  const only = others.length === 0 ? tracker : undefined
  const [monthly, answers] = await Promise.all([
    costsByEngine(ctx, thisMonth),
    only?.stop_when ? answersIn(ctx, thisMonth, open) : { cells: [], rounds: [] },
  ])
  const month = allCosts(monthly)
  return {
    costs: allCosts(costs),
    usd_this_month: month.usd,
    usd_per_month: only?.budget?.usd_per_month ?? null,
    stop: only
      ? stopOf(only, {
          answers,
          planned: plannedCells(only, prompts, open),
          month,
          today,
        })
      : null,
    last_attempt: attemptOf(only),
    every_days: only ? everyDaysOf(only) : null,
  }
}

async function answersIn(ctx: PageContext, span: RunSpan, open: ReadonlySet<string>): Promise<Answers> {
  const all = await cellsIn(ctx, span)
  return {
    cells: all.filter(({ prompt_id }) => open.has(prompt_id)),
    rounds: await roundsIn(ctx, span, closedPrompts(all, open)),
  }
}

const everyDaysOf = ({ run_frequency_hours }: Tracker) => Math.max(1, Math.round(run_frequency_hours / 24))

/** The questions of one round that count. Answers so far say less: early in a month there are only some. */
const plannedCells = (
  { engines, countries = [] }: Tracker,
  prompts: Known['prompts'],
  open: ReadonlySet<string>,
): number =>
  prompts.filter(({ id, status }) => status === 'active' && open.has(id)).length *
  engines.length *
  Math.max(1, countries.length)

interface MonthSoFar {
  readonly answers: Answers
  readonly planned: number
  readonly month: EngineCosts
  readonly today: string
}

function stopOf(tracker: Tracker, { answers, planned, month, today }: MonthSoFar): Certainty['stop'] {
  const { usd, answered } = month
  const { stop_when } = tracker
  if (!stop_when) return null
  const rounds = answers.cells.reduce((most, { n }) => Math.max(most, n), 0)
  return {
    ...stop_when,
    rounds,
    sure_until: stoppedUntil(tracker, today),
    forecast: forecast({
      cells: Math.max(1, planned),
      days: Math.floor(daysOfMonth / everyDaysOf(tracker)),
      stop: stop_when,
      usdPerAnswer: answered > 0 ? usd / answered : 0,
      spread: spreadIn(basketOf(answers).shift),
    }),
  }
}

function attemptOf(tracker: Tracker | undefined): Certainty['last_attempt'] {
  const summary = tracker?.last_run_summary
  if (!summary) return null
  const { at, ran, planned, errors = 0, truncated, message, error_samples = [] } = summary
  if (message !== undefined) return { at, text: message, is_failed: true }
  const failed = errors === 0 ? '' : ` ${errors} failed.`
  const cut = truncated ? ' A limit ended it early.' : ''
  const why = error_samples.length === 0 ? '' : ` ${error_samples.join('; ')}.`
  return {
    at,
    text: `${ran} of ${planned ?? ran} questions answered.${failed}${cut}${why}`,
    is_failed: false,
  }
}
