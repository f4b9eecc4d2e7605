/** Maximum characters of a result. Clients stop reading at about twice this length. */
export const resultCharactersMax = 40_000

/**
 * Characters that cannot be seen but can contain words for a model: controls, zero-width and bidirectional
 * marks, tag characters.
 */
const invisible = /[[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029]--[\n\t]]/gv

/** Matches texts without any special character, which most texts are. */
const plain = /^[\n\t -~]*$/

const visible = (text: string) => (plain.test(text) ? text : text.replace(invisible, ''))

/** A value and its printed form. */
export interface Printed {
  readonly value: Record<string, unknown>
  readonly json: string
}

export const printed = (value: Record<string, unknown>): Printed => ({ value, json: JSON.stringify(value) })

/** Maximum lengths of texts and lists. */
interface Measure {
  readonly text: number
  readonly items: number
}

/** From long to short. The first that fits is used. */
const measures: readonly Measure[] = [
  { text: 2_000, items: Number.POSITIVE_INFINITY },
  { text: 500, items: 50 },
  { text: 200, items: 10 },
  { text: 80, items: 3 },
]

/** A list that was cut: its path and how many items are left. */
export interface Cut {
  readonly field: string
  readonly shown: number
  readonly of: number
}

/** Prepares a value for a model: removes invisible characters, and cuts long texts and marks them. */
export function shown(value: unknown, { text, items }: Measure = { text: 2_000, items: Infinity }): unknown {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return cutText(visible(part), text)
    if (part === null || typeof part !== 'object') return part
    if (Array.isArray(part)) return (part.length > items ? part.slice(0, items) : part).map(walk)
    const made: Record<string, unknown> = {}
    for (const key of Object.keys(part)) set(made, visible(key), walk((part as Record<string, unknown>)[key]))
    return made
  }
  return walk(value)
}

/** Sets a field of any name. Plain assignment to `__proto__` would replace the prototype instead. */
function set(object: Record<string, unknown>, name: string, value: unknown) {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  else object[name] = value
}

function cutText(text: string, max: number): string {
  if (text.length <= max || /^https?:\/\/\S{0,4000}$/.test(text)) return text
  return `${text.slice(0, max).toWellFormed()}… [${text.length - max} more characters were cut]`
}

/**
 * Returns an answer of limited size. If needed, it cuts the longest list and sets `truncated`, with `next_skip` if
 * the caller can request the rest.
 */
export function fitted(answer: object, skip?: number): Printed {
  for (const measure of measures) {
    const whole = shown(answer, measure) as Record<string, unknown>
    const lists = measure.items === Infinity ? [] : cutLists(answer, measure.items)
    const marked = lists.length > 0 ? { ...whole, truncated: lists } : whole
    const made = printed(marked)
    if (made.json.length <= resultCharactersMax) return made
    const shorter = withoutTail(whole, skip)
    if (shorter) return printed(shorter)
  }
  const bare = shown(answer, { text: 40, items: 1 }) as Record<string, unknown>
  return printed({ ...bare, truncated: cutLists(answer, 1) })
}

const cutLists = (answer: object, items: number): Cut[] =>
  Object.entries(answer).flatMap(([field, list]) =>
    Array.isArray(list) && list.length > items ? [{ field, shown: items, of: list.length }] : [],
  )

/** Cuts the end of the longest list. Null if the result still does not fit. */
function withoutTail(answer: Record<string, unknown>, skip?: number): Record<string, unknown> | null {
  const lists = Object.entries(answer).filter((entry): entry is [string, unknown[]] =>
    Array.isArray(entry[1]),
  )
  const [longest] = lists.sort((a, b) => sizeOf(b[1]) - sizeOf(a[1]))
  if (!longest) return null
  const [field, list] = longest
  const room = resultCharactersMax - sizeOf({ ...answer, [field]: [] }) - 200
  const sizes = list.map((item) => sizeOf(item) + 1)
  let kept = 0
  for (let used = 0; kept < list.length; kept++) {
    used += sizes[kept] ?? 0
    if (used > room) break
  }
  if (kept === 0) return null
  return {
    ...answer,
    [field]: list.slice(0, kept),
    ...('has_more' in answer ? { has_more: true } : {}),
    ...(skip === undefined ? {} : { next_skip: skip + kept }),
    truncated: [{ field, shown: kept, of: list.length } satisfies Cut],
  }
}

const sizeOf = (value: unknown) => JSON.stringify(value)?.length ?? 0

/** Wraps JSON in random tags, so that text inside cannot pretend to be outside. */
export function fenced(json: string): string {
  const tag = `untrusted-data-${crypto.randomUUID().slice(0, 13)}`
  return `<${tag}>\n${json}\n</${tag}>`
}
