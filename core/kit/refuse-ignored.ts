import { Refusal } from '../contracts/errors'
import type { IgnoredValue } from '../contracts/ignored-value'

/**
 * Throws if an address has a value that is not among the accepted ones. For files whose page shows something else then.
 */
export function refuseOthers(query: URLSearchParams, name: string, accepted: readonly string[]): void {
  const value = query.get(name) ?? ''
  if (value === '' || accepted.includes(value)) return
  refuseIgnored({ ignored: [{ name, value, accepted: `Use ${accepted.join(', ')}.` }] })
}

/** Returns the data of a page for a file. Throws if a filter was ignored, because a file has no room to say so. */
export function refuseIgnored<Data extends { readonly ignored: readonly IgnoredValue[] }>(data: Data): Data {
  if (data.ignored.length === 0) return data
  throw new Refusal('invalid_parameter', 'The address has invalid filters.', {
    errors: data.ignored.map(({ name, accepted }) => ({
      parameter: name,
      code: 'invalid',
      message: accepted,
    })),
  })
}
