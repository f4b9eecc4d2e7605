import { type Period, shiftDay } from 'renown'
import { type Asked, spans } from './asked'

const textMax = 200
/** Paths are stored in at most 512 bytes of ASCII. */
const pathMax = 512

/** Reads the address. */
export function askedOf(query: URLSearchParams, today: string): Asked {
  const page = textOf(query.get('page'), pathMax)
  const days = Number(query.get('days') ?? 28)
  const to = query.get('to')
  return {
    site: textOf(query.get('site')),
    days: spans.some((span) => span.days === days) ? days : 28,
    to: to !== null && isDay(to) && to < today ? to : null,
    compare: query.get('compare') !== 'no',
    page,
    category: textOf(query.get('category')),
    // No daily row keeps pages by operator or crawler.
    operator: page === null ? textOf(query.get('operator')) : null,
    agent: page === null ? textOf(query.get('agent')) : null,
  }
}

/** The days asked for, and as many before them. */
export function periodsOf(
  { days, to }: Pick<Asked, 'days' | 'to'>,
  today: string,
): { period: Period; previous: Period } {
  const date_to = to ?? today
  const date_from = shiftDay(date_to, 1 - days)
  const previous = { date_from: shiftDay(date_from, -days), date_to: shiftDay(date_from, -1), days }
  return { period: { date_from, date_to, days }, previous }
}

/** The same span, earlier (-1) or later (1); never beyond today. */
export function shifted(asked: Asked, by: -1 | 1, today: string): Partial<Asked> {
  const to = shiftDay(asked.to ?? today, by * asked.days)
  return { to: to >= today ? null : to }
}

const textOf = (text: string | null, max = textMax) =>
  text === null || text === '' || text.length > max ? null : text

function isDay(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(Date.parse(text)) &&
    new Date(text).toISOString().startsWith(text)
  )
}
