import { Refusal } from '../contracts/errors'
import type { Where } from '../contracts/where'

/** Every name costs a read. */
const namesMax = 10
const comparing = new Set(['$eq', '$ne', '$in', '$nin', '$all'])

/** Conditions on a part of a text or on its order, which name no record. */
const partial = new Set<Where['op']>(['contains', 'startsWith', 'gt', 'gte', 'lt', 'lte'])

/** A text in a filter that is compared with a field. */
export interface FilterText {
  readonly field: string
  readonly text: string
  put(id: string): void
}

/**
 * Returns a copy of a filter, and the texts that it compares with a field. Only operators that compare whole values count.
 * Conditions inside `$and`, `$or`, `$nor` and `$not` count as well.
 */
export function textsInFilter(filter: object): { readonly filter: object; readonly texts: FilterText[] } {
  const texts: FilterText[] = []
  const visit = (part: unknown, field: string | null) => {
    if (part === null || typeof part !== 'object') return
    const holder = part as Record<string, unknown>
    for (const key of Object.keys(holder)) {
      const text = holder[key]
      const isField = !key.startsWith('$') && !Array.isArray(part)
      const of = isField ? key : field
      const isCompared = isField || Array.isArray(part) || comparing.has(key)
      if (of !== null && isCompared && typeof text === 'string') {
        const put = (id: string) => Object.assign(holder, { [key]: id })
        texts.push({ field: of, text, put })
      }
      visit(text, of)
    }
  }
  const copy = structuredClone(filter)
  visit(copy, null)
  return { filter: copy, texts }
}

/** Yields the fields and texts that a parsed filter compares. */
export function* textsInWhere(tree: Where): Generator<Omit<FilterText, 'put'>> {
  if ('of' in tree) {
    for (const part of [tree.of].flat()) yield* textsInWhere(part)
    return
  }
  const values: readonly unknown[] = 'values' in tree ? tree.values : [tree.value]
  for (const text of partial.has(tree.op) ? [] : values)
    if (typeof text === 'string') yield { field: tree.field, text }
}

/** Throws if a filter has more names than are looked up. */
export function refuseManyNames(names: number): void {
  if (names <= namesMax) return
  throw new Refusal('invalid_field', `\`q\` has more than ${namesMax} names. Send ids instead.`, {
    errors: [{ pointer: '/q', code: 'too_long', message: `accepts at most ${namesMax} names` }],
  })
}
