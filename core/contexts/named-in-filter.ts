import type { AnyEntity } from '../contracts/entity'
import { Refusal } from '../contracts/errors'

/** Every name costs a read. */
const namesMax = 10
const comparing = new Set(['$eq', '$ne', '$in', '$nin'])

/** A name that stands where an id is expected. */
export interface NamedValue {
  /** The field, as refusals name it. */
  readonly argument: string
  readonly entity: AnyEntity
  readonly text: string
  put(id: string): void
}

/** Returns the entity whose names a field accepts, unless the text is an id already. */
export type EntityNamed = (field: string, text: string) => AnyEntity | null

/**
 * Returns a copy of a filter, and where it has names instead of ids: as a value of a field, or of `$eq`, `$ne`, `$in` and
 * `$nin` of a field. Conditions inside `$and`, `$or`, `$nor` and `$not` count as well.
 */
export function namedInFilter(
  filter: object,
  entityNamed: EntityNamed,
): { filter: object; places: NamedValue[] } {
  const places: NamedValue[] = []
  const note = (field: string, holder: Record<string | number, unknown>, key: string | number) => {
    const text = holder[key]
    const entity = typeof text === 'string' ? entityNamed(field, text) : null
    if (entity === null || typeof text !== 'string') return
    places.push({ argument: `q.${field}`, entity, text, put: (id) => Object.assign(holder, { [key]: id }) })
    if (places.length > namesMax)
      throw new Refusal('invalid_field', `\`q\` has more than ${namesMax} names. Send ids instead.`, {
        errors: [{ pointer: '/q', code: 'too_long', message: `accepts at most ${namesMax} names` }],
      })
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
  return { filter: copy, places }
}
