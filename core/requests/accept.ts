/** Media types that one address answers in. */
type MediaType = 'text/html' | 'text/markdown' | 'application/json'

/**
 * Whether an Accept header prefers the first type (RFC 9110, section 12.5.1). The higher weight wins. With equal
 * weights the first type wins if the header names it in full.
 */
export function prefers(accept: string | null, type: MediaType, other: MediaType): boolean {
  const ranges = rangesOf(accept ?? '*/*')
  const first = matchOf(ranges, type)
  const second = matchOf(ranges, other)
  if (first.weight !== second.weight) return first.weight > second.weight
  return first.weight > 0 && first.isNamed
}

interface Range {
  readonly name: string
  readonly weight: number
}

const rangesOf = (accept: string): Range[] =>
  accept.split(',').map((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return { name, weight: weightOf(parameters) }
  })

/** An unreadable weight counts as 1, as if it was not sent. */
function weightOf(parameters: readonly string[]): number {
  const [text = '1'] = parameters.flatMap((each) => /^q\s*=\s*(.*)/.exec(each)?.slice(1) ?? [])
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 1
}

/**
 * Returns the weight of a type by the most specific matching range. A type with weight 0 stays refused, even
 * if a wildcard matches too.
 */
function matchOf(ranges: readonly Range[], type: MediaType): { weight: number; isNamed: boolean } {
  for (const name of [type, type.replace(/\/.*/, '/*'), '*/*']) {
    const weights = ranges.filter((range) => range.name === name).map(({ weight }) => weight)
    if (weights.length > 0) return { weight: Math.max(...weights), isNamed: name === type }
  }
  return { weight: 0, isNamed: false }
}
