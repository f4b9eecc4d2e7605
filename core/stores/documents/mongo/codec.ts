import type { AnyEntity } from '../../../contracts/entity'
import { fieldsOf, type Shape } from '../../../kit/fields'
import type { Document } from '../port'

type Json = Record<string, unknown>

/** The positions of instants inside a value. Null if there are none. */
type Instants =
  | 'here'
  | { readonly each: Instants }
  | { readonly entries: Readonly<Record<string, Instants>> }
  | null

/** Converts documents to their form in MongoDB and back: `id` is `_id`, instants are dates. */
export interface Codec {
  encode(document: Readonly<Json>): Json
  /** A value that a patch sets at a dotted path. */
  encodeAt(path: string, value: unknown): unknown
  decode(stored: Json): Document
}

/** Derives the codec of an entity from its fields. */
export function codecOf(entity: AnyEntity): Codec {
  const whole: Instants = { entries: entriesOf(fieldsOf(entity)) }
  const dated = Object.entries(whole.entries)
  return {
    encode: ({ id, ...document }) => ({ _id: id, ...(toStored(document, whole) as Json) }),
    encodeAt: (path, value) => toStored(value, path.split('.').reduce<Instants>(below, whole)),
    decode: ({ _id, ...stored }) => {
      for (const [name, instants] of dated) {
        if (stored[name] !== undefined) stored[name] = fromStored(stored[name], instants)
      }
      return { id: _id, ...stored } as unknown as Document
    },
  }
}

function instantsOf(shape: Shape): Instants {
  if (shape.kind === 'instant') return 'here'
  if (shape.kind === 'array') {
    const each = shape.element ? instantsOf(shape.element) : null
    return each && { each }
  }
  const entries = entriesOf(shape.fields ?? [])
  return Object.keys(entries).length > 0 ? { entries } : null
}

function entriesOf(fields: readonly (Shape & { readonly name: string })[]): Record<string, Instants> {
  const found = fields.map((field): [string, Instants] => [field.name, instantsOf(field)])
  return Object.fromEntries(found.filter(([, instants]) => instants !== null))
}

function below(instants: Instants, name: string): Instants {
  if (instants === null || instants === 'here') return null
  return 'each' in instants ? instants.each : (instants.entries[name] ?? null)
}

/** Returns a deep copy with dates for instants, 0 for −0, and without undefined. */
function toStored(value: unknown, instants: Instants): unknown {
  if (typeof value === 'string') return instants === 'here' ? new Date(value) : value
  if (typeof value === 'number') return value + 0
  if (Array.isArray(value)) return value.map((entry) => toStored(entry, below(instants, '')))
  if (value === null || typeof value !== 'object') return value
  // Copies entries instead of assigning, because JSON of third parties may contain the key `__proto__`.
  const kept = Object.entries(value).filter(([, entry]) => entry !== undefined)
  return Object.fromEntries(kept.map(([name, entry]) => [name, toStored(entry, below(instants, name))]))
}

/** Converts in place, because nothing else uses the driver's objects. */
function fromStored(value: unknown, instants: Instants): unknown {
  if (value instanceof Date) return value.toISOString()
  if (instants === null || instants === 'here' || value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((entry) => fromStored(entry, below(instants, '')))
  const holder = value as Json
  for (const name of 'entries' in instants ? Object.keys(instants.entries) : []) {
    if (holder[name] !== undefined) holder[name] = fromStored(holder[name], below(instants, name))
  }
  return holder
}
