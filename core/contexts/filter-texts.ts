import { Refusal } from '../contracts/errors'
import type { Where } from '../contracts/where'

/** Every name costs a read. */
const namesMax = 10
const comparing = new Set(['$eq', '$ne', '$in', '$nin'])

/** A text in a filter that is compared with a field. */
export interface FilterText {
  readonly field: string
  readonly text: string
  put(id: string): void
}

/**
 * Returns a copy of a filter, and the texts in it that are compared with a field: as a value of the field, or of `$eq`, `$ne`,
 * `$in` and `$nin` of it. Conditions inside `$and`, `$or`, `$nor` and `$not` count as well.
 */
export function textsInFilter(filter: object): { readonly filter: object; readonly texts: FilterText[] } {
  const texts: FilterText[] = []
  const note = (field: string, holder: Record<string | number, unknown>, key: string | number) => {
    const text = holder[key]
    if (typeof text === 'string')
      texts.push({ field, text, put: (id) => Object.assign(holder, { [key]: id }) })
  }
  const visit = (part: unknown, field: string | null) => {
    if (part === null || typeof part !== 'object') return
    const holder = part as Record<string, unknown>
    for (const key of Object.keys(holder)) {
      const value = holder[key]
      const of = key.startsWith('$') || Array.isArray(part) ? field : key
      if (of !== null && (of === key || Array.isArray(part) || comparing.has(key))) note(of, holder, key)
      visit(value, of)
    }
  }
  const copy = structuredClone(filter)
  visit(copy, null)
  return { filter: copy, texts }
}

/** Yields the fields and texts that a parsed filter compares. */
export function* textsInWhere(tree: Where): Generator<Pick<FilterText, 'field' | 'text'>> {
  if (tree.op === 'eq' || tree.op === 'ne') {
    if (typeof tree.value === 'string') yield { field: tree.field, text: tree.value }
  } else if (tree.op === 'in' || tree.op === 'nin') {
    for (const text of tree.values) if (typeof text === 'string') yield { field: tree.field, text }
  } else if ('of' in tree) {
    for (const part of [tree.of].flat()) yield* textsInWhere(part)
  }
}

/** Throws if a filter has more names than are looked up. */
export function refuseManyNames(names: number): void {
  if (names <= namesMax) return
  throw new Refusal('invalid_field', `\`q\` has more than ${namesMax} names. Send ids instead.`, {
    errors: [{ pointer: '/q', code: 'too_long', message: `accepts at most ${namesMax} names` }],
  })
}
