const whole = new Intl.NumberFormat('en-GB')
const short = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 })

/** 12,345 */
export const formatNumber = (number: number): string => whole.format(number)

/** 12.3K, for axes and narrow places. */
export const formatShort = (number: number): string => short.format(number)

/** How a number changed, in words that need no colour. */
export interface Change {
  readonly text: string
  readonly trend: 'up' | 'down' | 'same' | 'new'
}

/** ▲ 12 % compared with the previous period; `new` when there was nothing before. */
export function formatChange(now: number, before: number): Change {
  if (now === before) return { text: 'no change', trend: 'same' }
  if (before === 0) return { text: 'new', trend: 'new' }
  const share = Math.abs(now - before) / before
  const percent = share >= 9.995 ? `×${formatShort(Math.round(now / before))}` : `${percentOf(share)} %`
  return now > before ? { text: `▲ ${percent}`, trend: 'up' } : { text: `▼ ${percent}`, trend: 'down' }
}

const percentOf = (share: number) => (share < 0.01 ? '<1' : String(Math.round(share * 100)))

/** 14 Mar 2026, of a day such as 2026-03-14. */
export function formatDay(day: string, { year = true }: { readonly year?: boolean } = {}): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(year ? { year: 'numeric' } : {}),
    timeZone: 'UTC',
  })
  return format.format(new Date(`${day}T00:00:00Z`))
}
