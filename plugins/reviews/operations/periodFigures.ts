import type { Period, ReadContext } from 'renown'
import { readInPart } from './coverage'
import { type Counted, countReviews, figuresOf, within } from './tally'
import type { ReviewFilter } from './visible'

/** The figures of a period and of the previous one. */
export interface PeriodFigures {
  readonly now: Counted
  readonly before: Counted
  readonly totals: ReturnType<typeof figuresOf>
  readonly earlier: ReturnType<typeof figuresOf>
  /** Whether no review of either period can be missing. */
  readonly isWhole: boolean
  readonly change: {
    readonly reviews: number
    /** Null if one of the periods has no stars, or if reviews may be missing. */
    readonly average_rating: number | null
  }
}

/**
 * Counts the reviews of two adjacent periods. Every place that shows a rating or a reply rate of a workspace
 * uses it.
 */
export async function periodFigures(
  ctx: ReadContext,
  filter: ReviewFilter,
  { period, previous }: { readonly period: Period; readonly previous: Period },
): Promise<PeriodFigures> {
  const [counted, partly] = await Promise.all([
    countReviews(ctx, filter, { from: previous.date_from, to: period.date_to }),
    readInPart(ctx, filter, { date_from: previous.date_from, date_to: period.date_to }),
  ])
  const now = within(counted, period)
  const before = within(counted, previous)
  const totals = figuresOf(now)
  const earlier = figuresOf(before)
  const isWhole = partly.size === 0
  return {
    now,
    before,
    totals,
    earlier,
    isWhole,
    change: {
      reviews: totals.reviews - earlier.reviews,
      average_rating: isWhole ? difference(totals.average_rating, earlier.average_rating) : null,
    },
  }
}

/** Returns the difference of two averages to four decimal places. Null if one is unknown. */
export const difference = (now: number | null, before: number | null): number | null =>
  now === null || before === null ? null : Math.round((now - before) * 1e4) / 1e4
