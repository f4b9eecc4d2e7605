import type { HomeChange } from 'renown/pages'
import type { PeriodFigures } from '../operations/periodFigures'

/** Shown if the previous period is not known completely. */
const notComparable: HomeChange = { text: 'not comparable', tone: 'plain' }
const unchanged: HomeChange = { text: 'no change', tone: 'plain' }

function signed(change: number, digits: number, unit = ''): HomeChange {
  const shown = Math.abs(change).toFixed(digits)
  if (Number(shown) === 0) return unchanged
  return change > 0 ? { text: `▲ ${shown}${unit}`, tone: 'good' } : { text: `▼ ${shown}${unit}`, tone: 'bad' }
}

/** Returns the change of a rating in stars. Null if it cannot be compared. */
export const ratingChange = (change: number | null): HomeChange =>
  change === null ? notComparable : signed(change, 2)

/** Returns the change of the reply rate in points. */
export function rateChange({ totals, earlier, isWhole }: PeriodFigures): HomeChange {
  const now = totals.response_rate.rate
  const before = earlier.response_rate.rate
  return now === null || before === null || !isWhole
    ? notComparable
    : signed((now - before) * 100, 0, Math.round(Math.abs(now - before) * 100) === 1 ? ' point' : ' points')
}
