import { countsDiffer, meanOf, meansDiffer } from 'renown/statistics'
import type { Difference } from 'renown/web'

type Stars = readonly { readonly stars: number | null; readonly n: number }[]

/** The ratings of two periods. `isWhole` says that none can be missing. */
export interface RatingPeriods {
  readonly now: Stars
  readonly before: Stars
  readonly isWhole: boolean
}

/** Returns the difference of the average ratings of two periods, and whether it is more than chance. */
export function ratingDifference({ now, before, isWhole }: RatingPeriods): Difference {
  const counts = (stars: Stars) => stars.map(({ stars: rating, n }) => ({ stars: rating, count: n }))
  const here = meanOf(counts(now))
  const earlier = meanOf(counts(before))
  if (!isWhole || here.mean === null || earlier.mean === null)
    return { difference: null, change_significant: null }
  // With fewer than ten ratings, nobody can tell a difference from chance.
  return { difference: here.mean - earlier.mean, change_significant: meansDiffer(here, earlier) ?? false }
}

/** Returns the difference of two counts of reviews, and whether it is more than chance. */
export const countDifference = (now: number, before: number): Difference => ({
  difference: now - before,
  change_significant: countsDiffer(now, before) ?? false,
})
