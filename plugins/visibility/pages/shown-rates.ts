import type { PageContext } from 'renown/pages'
import { compare, estimate } from 'renown/statistics'
import { countryName } from '../records/countries'
import type { BothPeriods } from '../sums/both-periods'
import { type Answers, asRecommended, basketOf, pickAnswers } from '../sums/rounds'
import type { EngineCosts } from '../sums/run-costs'
import type { Tracker } from '../sums/scope'
import { engineLabels, engineTrouble } from './engine-labels'
import type { EngineLine, ShownRate, ShownTracker } from './visibility-data'

const noCosts: EngineCosts = { runs: 0, answered: 0, failed: 0, usd: 0, unpriced: 0, searches: 0 }

type Asked = Parameters<Parameters<typeof pickAnswers>[1]>[0]

/** The rates of the page, from the answers of both periods. */
export function shownRates({ now, comparable }: Pick<BothPeriods, 'now' | 'comparable'>) {
  const rateOf = (of: (answers: Answers) => Answers): ShownRate => {
    const { cells, shift } = basketOf(of(now))
    return {
      rate: estimate(cells, shift),
      change: compare(basketOf(of(comparable.now)), basketOf(of(comparable.before))),
    }
  }
  return {
    counting: now.cells,
    named: (isInside: (asked: Asked) => boolean = () => true): ShownRate =>
      rateOf((answers) => pickAnswers(answers, isInside)),
    recommended: (): ShownRate => rateOf(asRecommended),
  }
}
export type ShownRates = ReturnType<typeof shownRates>

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
