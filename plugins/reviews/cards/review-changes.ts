import type { HomeChange } from 'renown/pages'
import { differs } from 'renown/statistics'
import { type Difference, differenceWords } from 'renown/web'
import { type RatingPeriods, ratingDifference } from '../operations/differences'
import type { PeriodFigures } from '../operations/periodFigures'

const shown = (change: Difference, unit: 'share' | 'stars'): HomeChange => {
  const { text, tone } = differenceWords(change, unit)
  return { text, tone }
}

/** Returns the change of the average rating. */
export const ratingChange = (periods: RatingPeriods): HomeChange => shown(ratingDifference(periods), 'stars')

/** Returns the change of the reply rate in points. */
export function rateChange({
  totals,
  earlier,
  isWhole,
}: Pick<PeriodFigures, 'totals' | 'earlier' | 'isWhole'>): HomeChange {
  const now = totals.response_rate
  const before = earlier.response_rate
  if (!isWhole || now.rate === null || before.rate === null)
    return shown({ difference: null, change_significant: null }, 'share')
  return shown({ difference: now.rate - before.rate, change_significant: differs(now, before) }, 'share')
}
