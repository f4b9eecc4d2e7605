type Fields = Readonly<Record<string, unknown>>

/** The counts beside a rate that is a plain number. */
const countsOf: Readonly<Record<string, readonly string[]>> = {
  mention_rate: ['mentions', 'runs'],
  citation_rate: ['citations', 'runs'],
}
/** Announced for removal: the whole rate beside it, and its member with the same value. */
const replaced: Readonly<Record<string, readonly [string, string]>> = {
  previous_mention_rate: ['previous', 'mention_rate'],
  previous_share: ['previous_share_of_voice', 'rate'],
}
/** Numbers that are no rates: an average, an opinion with its clause, and money. */
const noRates = new Set(['avg_position', 'sentiment', 'cost', 'usd', 'half_width'])
const isRateName = (name: string) => /(^|_)(rate|share|presence|coverage|share_of_voice)(_v\d+)?$/.test(name)
/** A share between 0 and 1, or the average of places. */
const isFraction = (value: unknown) => typeof value === 'number' && !Number.isInteger(value)

/** Returns the paths of rates in an answer that lack their counts, their interval or their definition. */
export function bareRates(answer: unknown, definitions: Fields = {}, path = ''): string[] {
  if (Array.isArray(answer))
    return answer.flatMap((one, place) => bareRates(one, definitions, `${path}/${place}`))
  if (typeof answer !== 'object' || answer === null) return []
  const fields = answer as Fields
  const known = { ...definitions, ...((fields.definitions as Fields | undefined) ?? {}) }
  return Object.entries(fields).flatMap(([name, value]) => {
    const here = `${path}/${name}`
    if (name === 'ci95' || name.endsWith('_ci') || typeof value === 'string') return []
    if (Array.isArray(value) || (typeof value === 'object' && value !== null))
      return bareRates(value, known, here)
    if (noRates.has(name) || !(isRateName(name) || isFraction(value))) return []
    return isWhole(fields, name, known) ? [] : [here]
  })
}

function isWhole(fields: Fields, name: string, definitions: Fields): boolean {
  const has = (...names: readonly string[]) => names.every((one) => one in fields)
  const [whole, member] = replaced[name] ?? []
  if (whole !== undefined && member !== undefined)
    return (fields[whole] as Fields | undefined)?.[member] === fields[name]
  if (name === 'rate' || name === 'value') return has('k', 'n', 'ci95', 'definition')
  if (name === 'difference')
    return has('ci95', 'definition', 'now', 'before') || has('from', 'to', 'steps') || has('before', 'after')
  return has(`${name}_ci`, ...(countsOf[name] ?? ['k', 'n'])) && name in definitions
}
