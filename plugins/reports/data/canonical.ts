/**
 * Returns JSON text that is the same for equal values: the keys of objects are sorted, and undefined ones are left out.
 * Lone surrogates become U+FFFD, so that every reader gets the same text.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed())
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => `${JSON.stringify(key.toWellFormed())}:${canonicalJson(part)}`)
  return `{${parts.join(',')}}`
}

/** Returns the SHA-256 of a value's canonical JSON, in hexadecimal. */
export const hashOf = (value: unknown): string =>
  new Bun.CryptoHasher('sha256').update(canonicalJson(value)).digest('hex')
