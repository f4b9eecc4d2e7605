import { formatDay, formatNumber } from 'renown/web'

/** An unknown agent at a site, summed over the ingest processes that counted it. */
export interface ShownNewAgent {
  readonly site_id: string
  readonly token: string
  readonly host: string | null
  readonly hits_at_least: number
  readonly hits_at_most: number
  readonly first_day: string
  readonly last_day: string
}

/** Returns the bounds in words, such as `at least 41, at most 44`. */
export const boundsInWords = ({ hits_at_least: least, hits_at_most: most }: ShownNewAgent): string =>
  least === most ? formatNumber(least) : `at least ${formatNumber(least)}, at most ${formatNumber(most)}`

/** Returns the days in words. */
export const daysOfAgent = ({ first_day, last_day }: ShownNewAgent): string =>
  first_day === last_day ? `on ${formatDay(first_day)}` : `${formatDay(first_day)} to ${formatDay(last_day)}`
