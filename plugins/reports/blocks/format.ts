import { formatDay } from 'renown/web'
import type { BlockOf, Figure, TableCell, Unit } from './block'

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const oneDecimal = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const twoDecimals = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const money = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })

/** What stands where a value is unknown. */
export const unknown = 'unknown'

const forms: Readonly<Record<Unit, (value: number) => string>> = {
  count: (value) => grouped.format(value),
  share: (value) => `${oneDecimal.format(value * 100)} %`,
  rating: (value) => `${twoDecimals.format(value)} of 5`,
  score: (value) => `${grouped.format(value)} of 100`,
  hours: (value) => (value < 48 ? `${oneDecimal.format(value)} h` : `${oneDecimal.format(value / 24)} days`),
  usd: (value) => money.format(value),
}

/** Returns a number in words, such as `4.56 of 5` or `12.5 %`. */
export const shownNumber = (value: number | null | undefined, unit: Unit): string =>
  value === null || value === undefined ? unknown : forms[unit](value)

/** How a figure changed. */
export interface Change {
  /** Such as `up 12, from 30` or `not comparable: the prompts changed`. */
  readonly words: string
  /** `good` and `bad` only if one direction is better, and the change is more than chance. */
  readonly tone: 'good' | 'bad' | 'plain'
}

/** Returns the change of a figure since the previous period. Null if there is nothing to say. */
export function changeOf(figure: Figure): Change | null {
  const { value, previous, unit, better, not_comparable_because: why } = figure
  if (why !== undefined) return { words: `not comparable: ${why}`, tone: 'plain' }
  if (value === null || previous === undefined) return null
  if (previous === null) return { words: 'the previous value is unknown', tone: 'plain' }
  const now = shownNumber(value, unit)
  const before = shownNumber(previous, unit)
  if (now === before) return { words: `unchanged, ${before}`, tone: 'plain' }
  const isUp = value > previous
  const words = `${isUp ? 'up' : 'down'} from ${before}`
  if (figure.is_significant === false) return { words: `${words} (may be chance)`, tone: 'plain' }
  if (figure.is_significant === undefined || better === undefined) return { words, tone: 'plain' }
  return { words, tone: (better === 'higher') === isUp ? 'good' : 'bad' }
}

/** Returns the interval and the number of observations of a figure, such as `95 %: 10.1 % to 14.2 %, n = 400`. */
export function certaintyOf({ interval, n, unit }: Figure): string | null {
  const parts = [
    ...(interval ? [`95 %: ${shownNumber(interval.low, unit)} to ${shownNumber(interval.high, unit)}`] : []),
    ...(n === undefined ? [] : [`n = ${grouped.format(n)}`]),
  ]
  return parts.length === 0 ? null : parts.join(', ')
}

type ColumnType = BlockOf<'table'>['columns'][number]['type']

/** Returns the text of a cell. */
export function shownCell(cell: TableCell, type: ColumnType): string {
  if (cell === null) return unknown
  if (typeof cell === 'object') return cell.quote
  if (typeof cell === 'string') return cell
  return type === 'text' || type === 'day' ? String(cell) : shownNumber(cell, type)
}

/** Whether the cells of a column are numbers, which are aligned on the right. */
export const isNumeric = (type: ColumnType): boolean => type !== 'text' && type !== 'day'

/** Returns a day for people, such as `3 Oct 2026`, of a day or an instant in RFC 3339. */
export const shownDay = (at: string): string =>
  Number.isNaN(Date.parse(at)) ? at : formatDay(new Date(at).toISOString().slice(0, 10))
