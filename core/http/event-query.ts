import { checkNames } from '../query/parse'
import { fromOldest } from './listEvents'

const names = ['after', 'types', 'location_id', 'limit'] as const

/**
 * Reads the query string of `GET /api/events` as the input of `listEvents`. `types` is a list with commas. A program that begins
 * without a cursor gets the oldest events first.
 */
export function eventQuery(search: string): Record<string, unknown> {
  const params = new URLSearchParams(search)
  checkNames(params, names)
  const { types, limit, ...texts } = Object.fromEntries(params)
  return {
    after: fromOldest,
    ...texts,
    ...(types === undefined ? {} : { types: types.split(',') }),
    // Anything else than a number stays a text, and the operation names what it accepts.
    ...(limit === undefined ? {} : { limit: /^-?\d{1,9}$/.test(limit) ? Number(limit) : limit }),
  }
}
