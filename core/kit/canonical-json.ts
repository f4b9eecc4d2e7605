/**
 * Returns JSON text that is the same for equal values: the keys of objects are sorted, undefined ones are left out, and
 * there are no spaces. `textOf` changes each text and key before it is written. Default: lone surrogates are escaped.
 */
export function canonicalJson(value: unknown, textOf: (text: string) => string = same): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, textOf)).join(',')}]`
  if (typeof value === 'string') return JSON.stringify(textOf(value))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const parts = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => `${JSON.stringify(textOf(key))}:${canonicalJson(part, textOf)}`)
  return `{${parts.join(',')}}`
}

const same = (text: string) => text
