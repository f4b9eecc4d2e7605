import type { Scalar, Where } from 'renown'
import { filterFields, type Random, randomWhere } from './random-documents'

/** What a caller may not name, or not compare by order. */
const hidden = ['secret', 'workspace_id']
const unordered = ['is_open', 'is_archived']
const offered = filterFields.filter((name) => !hidden.includes(name))

/** A filter as a caller writes it, and the tree that it means. */
export interface RandomFilter {
  readonly q: object
  readonly where: Where
}

/** A filter that the gate must take. */
export function validFilter(random: Random): RandomFilter {
  for (;;) {
    const where = randomWhere(random, 2, offered)
    const q = written(where, random)
    if (q) return { q, where }
  }
}

/** A tree in the filter language, by one of the ways to say it; undefined where it cannot be said. */
function written(where: Where, random: Random): object | undefined {
  if ('field' in where) {
    const condition = comparison(where, random)
    return condition === undefined ? undefined : { [where.field]: condition }
  }
  if (where.op === 'not') {
    if ('field' in where.of) {
      const inner = operator(where.of)
      return inner && { [where.of.field]: { $not: inner } }
    }
    const inner = written(where.of, random)
    return inner && { $nor: [inner] }
  }
  const of = where.of.map((part) => written(part, random))
  if (of.some((part) => part === undefined)) return undefined
  if (of.length === 0) return where.op === 'and' ? {} : undefined
  return { [`$${where.op}`]: of }
}

type Leaf = Extract<Where, { readonly field: string }>

function comparison(leaf: Leaf, random: Random): Scalar | readonly Scalar[] | object | undefined {
  if (random.chance(0.5)) {
    if (leaf.op === 'eq') return leaf.value
    if (leaf.op === 'in' && leaf.values.length > 0) return leaf.values
  }
  return operator(leaf)
}

function operator(leaf: Leaf): object | undefined {
  if (['gt', 'gte', 'lt', 'lte'].includes(leaf.op) && unordered.includes(leaf.field)) return undefined
  if ('values' in leaf) return leaf.values.length > 0 ? { [`$${leaf.op}`]: leaf.values } : undefined
  return { [`$${leaf.op}`]: leaf.value }
}

const forbidden = [
  '$where',
  '$expr',
  '$function',
  '$regex',
  '$jsonSchema',
  '$text',
  '$elemMatch',
  '$comment',
  '$',
]
const names = [
  '__proto__',
  'constructor',
  'toString',
  'prototype',
  'hasOwnProperty',
  '',
  '.',
  'a.b',
  'author.',
  '.author',
  'secret',
  'workspace_id',
  'raw',
  'raw.x',
  'attempts',
  'people.name',
  '_id',
  '$$ROOT',
  'title\0',
  "title' OR 1=1",
]
const values: readonly unknown[] = [
  null,
  true,
  0,
  -0,
  1e308,
  2 ** 53,
  '',
  '\0',
  '\ud800',
  "'; DROP TABLE x; --",
  '{w0:String}',
  '\\',
  '`',
  [],
  {},
  [[]],
  [null],
  [{}],
  { $ne: null },
  { $gt: '' },
  { $in: [] },
  { $not: null },
  { $not: { $not: {} } },
  'x'.repeat(5000),
  Array.from({ length: 201 }, String),
  { $regex: '(a+)+$' },
  { $where: 'while(1);' },
]

/** The text of a filter that was meant to harm: a valid one with something done to it, or none at all. */
export function maliciousFilter(random: Random): string {
  const { q } = validFilter(random)
  const text = JSON.stringify(spoilt(q, random))
  if (random.chance(0.1)) return text.slice(0, random.below(text.length + 1))
  if (random.chance(0.1))
    return text.replace('{', `{"${random.one(names)}":{"$gt":""},"id":1,"id":{"$ne":1},`)
  if (random.chance(0.05)) return `${'{"$and":['.repeat(random.below(3000))}{}`
  if (random.chance(0.05)) return JSON.stringify(random.one(values)) ?? 'undefined'
  return text
}

/** One or more places of a filter replaced, renamed or nested. */
function spoilt(node: unknown, random: Random): unknown {
  if (random.chance(0.15)) return random.one(values)
  if (Array.isArray(node)) {
    const parts = node.map((part) => spoilt(part, random))
    return random.chance(0.1) ? [...parts, random.one(values)] : parts
  }
  if (node === null || typeof node !== 'object')
    return random.chance(0.2) ? { [random.one(forbidden)]: node } : node
  const entries = Object.entries(node).map(([name, part]) => {
    const renamed = random.chance(0.15) ? random.one([...names, ...forbidden, '$or', '$not', '$size']) : name
    return [renamed, spoilt(part, random)] as const
  })
  if (random.chance(0.1)) entries.push([random.one(names), random.one(values)])
  // Not by assignment: `__proto__` must come out as a key.
  return Object.fromEntries(entries)
}
