import { type Period, type ReadContext, shiftDay } from 'renown'
import type { SiteInput } from '../records/days'
import { currentOperators } from '../registry/registry-in-use'
import { pageDays } from './pageDays'
import { addDay, addPageDay, newSums, type Sums } from './shown-sums'
import { summedDays } from './summedDays'
import type { TrafficFilters } from './traffic-filters'

/** The sums of a period and of the previous one. */
export interface ComparedSums {
  readonly now: Sums
  /** The sums of completed days only. */
  readonly whole: Sums
  /** The sums of the previous period over the compared days only. */
  readonly past: Sums
  /** The sums of the whole previous period. */
  readonly before: Sums
  /** Whether the period has no day with counts. */
  readonly isEmpty: boolean
}

interface ComparedQuery {
  readonly input: SiteInput
  readonly asked: TrafficFilters
  readonly period: Period
  readonly previous: Period
  /** The earliest current day of the sites. Days before it are completed everywhere. */
  readonly earliest: string
}

/**
 * Reads both periods, as far as the filters allow. Pages are counted separately from crawlers and assistants.
 */
export async function comparedSums(ctx: ReadContext, query: ComparedQuery): Promise<ComparedSums> {
  const { period, previous, earliest } = query
  const days = await countsOf(ctx, query)
  const sumsOf = (span: Period, end: string) => {
    const sums = newSums(span, currentOperators(ctx))
    for (const { date, addTo } of days)
      if (date >= span.date_from && date <= span.date_to && date < end) addTo(sums)
    return sums
  }
  const now = sumsOf(period, afterAll)
  return {
    now,
    whole: period.date_to < earliest ? now : sumsOf(period, earliest),
    past: sumsOf(previous, shiftDay(earliest, -period.days)),
    before: sumsOf(previous, afterAll),
    isEmpty: !days.some(({ date }) => date >= period.date_from),
  }
}

const afterAll = '9999-12-31'

interface DayToAdd {
  readonly date: string
  addTo(sums: Sums): void
}

async function countsOf(
  ctx: ReadContext,
  { input, asked, period, previous }: ComparedQuery,
): Promise<DayToAdd[]> {
  const { page, category } = asked
  if (page !== null) {
    const span = { date_from: previous.date_from, date_to: period.date_to }
    const found = await pageDays(ctx, { input, path: page, category }, span)
    return found.map((day) => ({ date: day.date, addTo: (sums) => addPageDay(sums, day) }))
  }
  const { days, earlier } = await summedDays(ctx, input, previous, period)
  return [...earlier, ...days].map((day) => ({ date: day.date, addTo: (sums) => addDay(sums, day, asked) }))
}

/** Returns the sums if there is no site. */
export const noSums = (period: Period, previous: Period): ComparedSums => ({
  now: newSums(period),
  whole: newSums(period),
  past: newSums(previous),
  before: newSums(previous),
  isEmpty: true,
})
