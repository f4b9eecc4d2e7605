import type * as v from 'valibot'
import type { AnyEntity } from '../contracts/entity'
import { ownCodes, ownWords } from '../contracts/values'
import { visibleFields } from './fields'

/**
 * Who wrote the texts of a value, known from its schema. `ours` are numbers, instants, closed lists, and what a
 * declaration marks with `ours()`. `code` is what a declaration calls an id or a name of a list: a text of one word is ours.
 * Everything else is `theirs`, because anybody may have written it.
 */
export type Words =
  | 'ours'
  | 'code'
  | 'theirs'
  | { readonly items: Words }
  | { readonly fields: ReadonlyMap<string, Words>; readonly others: Words }

interface Loose {
  readonly type: string
  readonly kind?: string
  readonly wrapped?: Loose
  readonly pipe?: readonly Loose[]
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly options?: readonly unknown[]
  readonly item?: Loose
  readonly items?: readonly Loose[]
  readonly entries?: Readonly<Record<string, Loose>>
  readonly value?: Loose
}

const closed = new Set(['number', 'boolean', 'bigint', 'picklist', 'enum', 'literal', 'null', 'undefined'])

/** Returns who wrote the texts of the values that a schema accepts. */
export const wordsOf = (schema: v.GenericSchema): Words => read(schema as unknown as Loose)

function read(schema: Loose): Words {
  const marked = markedAs(schema)
  if (marked) return marked
  const first = schema.pipe?.[0]
  if (first && first !== schema && first.kind === 'schema' && first.wrapped) return read(first)
  if (schema.wrapped) return read(schema.wrapped)
  if (closed.has(schema.type)) return 'ours'
  if (schema.type === 'array') return { items: schema.item ? read(schema.item) : 'theirs' }
  if (schema.type === 'tuple') return { items: (schema.items ?? []).map(read).reduce(either, 'ours') }
  if (schema.type === 'record')
    return { fields: new Map(), others: schema.value ? read(schema.value) : 'theirs' }
  if (schema.type === 'union' || schema.type === 'variant')
    return ((schema.options ?? []) as Loose[]).map(read).reduce(either)
  if (!schema.entries) return 'theirs'
  const fields = Object.entries(schema.entries).map(([name, entry]) => [name, read(entry)] as const)
  return { fields: new Map(fields), others: 'theirs' }
}

/** Returns what metadata of the schema, or of one that it wraps in a pipe, says about its words. */
function markedAs({ pipe = [] }: Loose): 'ours' | 'code' | null {
  for (const part of pipe) {
    const { words, value } = part.metadata ?? {}
    if (words === ownWords || value === 'instant' || value === 'day') return 'ours'
    if (words === ownCodes) return 'code'
    const inside = part.pipe !== undefined && part.pipe !== pipe ? markedAs(part) : null
    if (inside) return inside
  }
  return null
}

/** Ours only what is ours in both. */
export function either(one: Words, other: Words): Words {
  if (one === 'ours') return other
  if (other === 'ours') return one
  if (one === other) return one
  if (typeof one === 'string' || typeof other === 'string') return 'theirs'
  if ('items' in one || 'items' in other)
    return 'items' in one && 'items' in other ? { items: either(one.items, other.items) } : 'theirs'
  const names = new Set([...one.fields.keys(), ...other.fields.keys()])
  const fields = [...names].map((name) => {
    const a = one.fields.get(name)
    const b = other.fields.get(name)
    return [name, a && b ? either(a, b) : (a ?? b ?? 'theirs')] as const
  })
  return { fields: new Map(fields), others: either(one.others, other.others) }
}

const known = new WeakMap<AnyEntity, Words>()

/** Returns who wrote the fields of a record as callers see it. */
export function wordsOfEntity(entity: AnyEntity): Words {
  const found = known.get(entity)
  if (found) return found
  const own = visibleFields(entity).map(({ name, schema }) => [name, wordsOf(schema)] as const)
  const words: Words = { fields: new Map(own), others: 'theirs' }
  known.set(entity, words)
  return words
}
