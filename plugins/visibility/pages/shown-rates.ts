import type { PageContext } from 'renown/pages'
import { compare } from '../measure/compare'
import { estimate } from '../measure/estimate'
import { countryName } from '../records/countries'
import type { BothPeriods } from '../sums/both-periods'
import type { TrackedCell } from '../sums/cells'
import type { EngineCosts } from '../sums/run-costs'
import type { Tracker } from '../sums/scope'
import { engineLabels, engineTrouble } from './engine-labels'
import type { EngineLine, ShownRate, ShownTracker } from './visibility-data'

const noCosts: EngineCosts = { runs: 0, answered: 0, failed: 0, usd: 0, unpriced: 0, searches: 0 }

/** The rates of the page, from the cells of both periods. */
export function shownRates(cells: BothPeriods) {
  const counting = cells.cells.filter(({ prompt_id }) => cells.open.has(prompt_id))
  const { now, before } = cells.comparable
  const rateOf = (isInside: (cell: TrackedCell) => boolean, as: (cell: TrackedCell) => TrackedCell) => {
    const pick = (all: readonly TrackedCell[]) => all.filter(isInside).map(as)
    return { rate: estimate(pick(counting)), change: compare(pick(now), pick(before)) }
  }
  return {
    counting,
    named: (isInside: (cell: TrackedCell) => boolean = () => true): ShownRate =>
      rateOf(isInside, (cell) => cell),
    recommended: (): ShownRate => rateOf(() => true, asRecommended),
  }
}
export type ShownRates = ReturnType<typeof shownRates>

const asRecommended = (cell: TrackedCell): TrackedCell => ({ ...cell, k: cell.recommended, n: cell.judged })

/** One line for each engine that answered or is asked. */
export function engineLines(
  ctx: PageContext,
  rates: ShownRates,
  engines: readonly string[],
  costs: ReadonlyMap<string, EngineCosts>,
  trackers: readonly Tracker[],
): EngineLine[] {
  const labelOf = engineLabels(ctx)
  return engines.map((engine) => ({
    engine,
    label: labelOf(engine),
    costs: costs.get(engine) ?? noCosts,
    ...rates.named((cell) => cell.engine === engine),
    trouble: ctx.isDemo ? null : engineTrouble(ctx, engine, trackers),
  }))
}

/** One line for each country, if there are several. */
export function countryLines(rates: ShownRates) {
  const countries = [...new Set(rates.counting.map(({ country }) => country))].sort()
  if (countries.length < 2) return []
  return countries.map((country) => ({
    country,
    label: countryName(country),
    ...rates.named((cell) => cell.country === country),
  }))
}

/** One line for each tracker, if there are several. */
export const trackerLines = (rates: ShownRates, trackers: readonly Tracker[]) =>
  trackers.length < 2
    ? []
    : trackers.map((tracker) => ({
        tracker: shownTracker(tracker),
        ...rates.named((cell) => cell.tracker_id === tracker.id),
      }))

export const shownTracker = ({ id, name, brand_name, location_id, is_active }: Tracker): ShownTracker => ({
  id,
  name,
  brand_name,
  location_id,
  is_active,
})
