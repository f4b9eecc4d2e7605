import { dayIn, todayOf, where } from 'renown'
import type { PageContext } from 'renown/pages'
import { countryName } from '../records/countries'
import { readBothPeriods } from '../sums/both-periods'
import { emptiness } from '../sums/emptiness'
import { lostBy } from '../sums/lost-answers'
import { mentionRate } from '../sums/metrics'
import { newestAnswers } from '../sums/newest-answers'
import { basketOf } from '../sums/rounds'
import { costsAmong } from '../sums/run-costs'
import { answered, runsOf, type Tracker } from '../sums/scope'
import { unitOf } from '../sums/stretches'
import type { RunSum } from '../sums/sum-runs'
import { countriesOf, enginesOf, promptsOf, spanOf, trackedBy } from '../sums/tracked'
import { trendOf } from '../sums/trend'
import { readCertainty } from './certainty'
import { engineLabels } from './engine-labels'
import { sourceLines, voiceLines } from './named-lines'
import { lossesOf, promptLines } from './prompt-lines'
import { countryLines, engineLines, shownRates, shownTracker, trackerLines } from './shown-rates'
import { fitsFilters, scopeOf } from './shown-scope'
import type { PromptLine, VisibilityData } from './visibility-data'
import { periodsOf, readFilters, type VisibilityFilters } from './visibility-filters'

/** Most answers that are looked at for names and sources, as operations take them. */
export const lookedAtMax = 10_000
const promptsShown = 50
const lossesShown = 5
const sourcesShown = 15

/** Reads the data of the page of AI visibility. */
export async function loadVisibility(ctx: PageContext, query: URLSearchParams): Promise<VisibilityData> {
  const today = todayOf(ctx)
  const { trackers: all, sealed } = await trackedBy(ctx, {})
  const engines = enginesOf(all)
  const countries = await countriesOf(ctx, all)
  const { filters, ignored } = readFilters(query, { trackers: all, engines, countries, today })
  const trackers = all.filter((one) => fitsFilters(filters, one))
  const { period, previous } = periodsOf(filters, today)
  const scope = scopeOf(filters, trackers)
  const tracked = { scope, trackers, sealed }
  const [prompts, cells, newest] = await Promise.all([
    promptsOf(ctx, trackers),
    readBothPeriods(ctx, tracked, period, previous),
    newestAnswers(ctx, where.and(runsOf(ctx, scope, period), answered), lookedAtMax),
  ])
  const costs = costsAmong(cells.days)
  const { shift } = basketOf(cells.now)
  const [trend, certainty] = await Promise.all([
    trendOf(ctx, spanOf(tracked, period, cells.incidents), period, { open: cells.open, shift }),
    readCertainty(ctx, { tracked, costs, open: cells.open, prompts, today }),
  ])
  const labelOf = engineLabels(ctx)
  const rates = shownRates(cells)
  const shown = shownEngines(filters, trackers, [...costs.keys()])
  const lines = promptLines({
    prompts,
    trackers,
    engines: shown,
    cells: cells.cells,
    open: cells.open,
    shift,
    labelOf,
    lost: lostBy(newest, ({ prompt_id }) => prompt_id),
  })
  const answers = cells.days.reduce((total, { sums }) => total + sums.answers, 0)
  const [tracker] = trackers.length === 1 ? trackers : []
  return {
    filters,
    ignored,
    today,
    period,
    previous,
    certainty,
    api_url: ctx.apiUrl,
    trackers: all.map(shownTracker),
    tracker: tracker ? shownTracker(tracker) : null,
    engine_names: engines.map((engine) => [engine, labelOf(engine)]),
    country_names: countries.map((country) => [country, countryName(country)]),
    empty_because: (await emptiness(ctx, tracked, period, answers)).empty_because,
    is_recorded: trackers.length > 0 && trackers.every(({ provider }) => provider === 'recorded'),
    may_set_up: ctx.person.role === 'owner' && !ctx.isDemo,
    named: rates.named(),
    recommended: rates.recommended(),
    by_tracker: trackerLines(rates, trackers),
    by_engine: engineLines(ctx, rates, shown, costs, trackers),
    by_country: countryLines(rates),
    trend: { unit: unitOf(period.days), points: trend },
    model_changes: cells.model_changes.map(({ engine, from, to, at }) => ({
      label: labelOf(engine),
      from,
      to,
      day: dayIn(ctx.workspace.timezone, new Date(at)),
    })),
    incidents: cells.incidents.map(({ engine, ...one }) => ({ label: labelOf(engine), ...one })),
    prompts: lines,
    more_prompts: filters.isWhole ? 0 : Math.max(0, lines.length - promptsShown),
    losses: lossesOf(lines, lossesShown),
    looked_at: { answers: newest.length, of: answers },
    voices: tracker
      ? voiceLines(tracker, newest, { branded: brandedAmong(lines), timezone: ctx.workspace.timezone })
      : [],
    ...sourceLines(trackers, newest, sourcesShown),
    rulers: rulersOf(rates.named().rate, cells.days),
  }
}

const brandedAmong = (lines: readonly Pick<PromptLine, 'id' | 'is_branded'>[]): Set<string> =>
  new Set(lines.filter(({ is_branded }) => is_branded).map(({ id }) => id))

/** The engines of the page: those that answered, and those that are asked. */
function shownEngines(
  { engine }: VisibilityFilters,
  trackers: readonly Tracker[],
  answering: readonly string[],
): string[] {
  if (engine !== '') return [engine]
  return [...new Set([...enginesOf(trackers), ...answering])].sort()
}

function rulersOf(
  { k, n, rate, ci95 }: VisibilityData['named']['rate'],
  days: readonly RunSum[],
): VisibilityData['rulers'] {
  const sum = (name: 'mentions' | 'answers') => days.reduce((total, { sums }) => total + sums[name], 0)
  const pooled = mentionRate.of(sum('mentions'), sum('answers'))
  return [
    {
      name: 'This page',
      definition: 'visibility.mention_rate@2',
      share: { k, n, rate, ci95 },
      about:
        'Each prompt × assistant × country has the same weight. Prompts that name you are left out, and so are days on which an assistant failed.',
    },
    {
      name: 'All answers together',
      definition: pooled.definition,
      share: pooled,
      about:
        'Answers that name you, divided by all answers, also to prompts that name you. Most other tools show this.',
    },
  ]
}
