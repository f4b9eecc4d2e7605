import { oneLine } from 'renown'

const faults: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/ENOTFOUND|EAI_AGAIN/, 'Its address cannot be found. Check that this server has internet access.'],
  [/ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH/, 'It cannot be reached at the moment.'],
]

/** Returns why a source could not be read, as a sentence for people. */
export function faultWords(error: string): string {
  const known = faults.find(([pattern]) => pattern.test(error))
  if (known) return known[1]
  const line = oneLine(error, 300)
  return line === '' ? 'No reason is known.' : /[.?!…]$/.test(line) ? line : `${line}.`
}
