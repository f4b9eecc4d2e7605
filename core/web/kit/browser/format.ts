const whole = new Intl.NumberFormat('en-GB')
const short = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 })

/** Formats a number: 12,345. */
export const formatNumber = (number: number): string => whole.format(number)

/** Formats a number with its noun: 1 review, 12 reviews. */
export const formatCount = (number: number, one: string, many = `${one}s`): string =>
  `${formatNumber(number)} ${number === 1 ? one : many}`

/** Formats a number for axes and small spaces: 12.3K. */
export const formatShort = (number: number): string => short.format(number)

/** The change of a number, with a text that does not depend on color. */
export interface Change {
  readonly text: string
  readonly trend: 'up' | 'down' | 'same' | 'new'
}

/** Formats the change from the previous period: ▲ 12 %. Returns `new` if the previous value was 0. */
export function formatChange(now: number, before: number): Change {
  if (now === before) return { text: 'no change', trend: 'same' }
  if (before === 0) return { text: 'new', trend: 'new' }
  const share = Math.abs(now - before) / before
  const percent = share >= 9.995 ? `×${formatShort(Math.round(now / before))}` : `${percentOf(share)} %`
  return now > before ? { text: `▲ ${percent}`, trend: 'up' } : { text: `▼ ${percent}`, trend: 'down' }
}

const percentOf = (share: number) => (share < 0.01 ? '<1' : String(Math.round(share * 100)))

const dayOnly = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayAndYear = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Formats a day: 2026-03-14 becomes 14 Mar 2026. */
export function formatDay(day: string, { year = true }: { readonly year?: boolean } = {}): string {
  const format = year ? dayAndYear : dayOnly
  return format.format(new Date(`${day}T00:00:00Z`))
}

/** Formats a period: 3 Mar to 14 Mar 2026, or 24 Dec 2025 to 7 Jan 2026. One day is written alone. */
export function formatPeriod({
  date_from,
  date_to,
}: {
  readonly date_from: string
  readonly date_to: string
}): string {
  if (date_from === date_to) return formatDay(date_to)
  const isOneYear = date_from.slice(0, 4) === date_to.slice(0, 4)
  return `${formatDay(date_from, { year: !isOneYear })} to ${formatDay(date_to)}`
}
