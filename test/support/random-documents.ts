import type { AnyEntity, Row, Scalar, SortKey, Where } from 'renown'
import { Sample } from './sample-entity'

/** A seeded source of randomness: mulberry32. */
export function randomSource(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number) => Math.floor(next() * bound)
  return {
    next,
    below,
    chance: (share: number) => next() < share,
    one: <T>(values: readonly T[]): T => values[below(values.length)] as T,
    some: <T>(values: readonly T[], most: number): T[] =>
      Array.from({ length: below(most + 1) }, () => values[below(values.length)] as T),
  }
}
export type Random = ReturnType<typeof randomSource>

const texts = [
  '',
  'a',
  'A',
  'b',
  'ab',
  'Straße',
  'STRASSE',
  'ẞ',
  'ı',
  'İ',
  'K',
  'é',
  'e\u0301',
  '%_',
  '\\',
  '🎉',
  '\ufffd',
  '^a$',
  'a.b',
  '[',
  '}',
  ' ',
]
const instants = [0, 1, 999, 86_400_000, 1e12].map((time) => new Date(time).toISOString())
const days = ['1999-12-31', '2026-02-28', '2026-11-20']
const numbers = [0, 1, -1, 2, 0.1, 0.30000000000000004, -2.5, 1e-7, 123456789.123, 2 ** 53 - 1]
const whole = [0, 1, 2, -7, 2 ** 53 - 1]
const stages = ['new', 'contacted', 'won', 'lost']
const kinds = ['a', 'B', 'b', '']
const workspaces = ['wks_1', 'wks_2']

const pools: Readonly<Record<string, readonly Exclude<Scalar, null>[]>> = {
  id: Array.from({ length: 12 }, (_, n) => `smp_${n}`),
  workspace_id: workspaces,
  location_id: ['loc_1', 'loc_2', 'loc_3'],
  stage: stages,
  kind: kinds,
  score: numbers,
  rank: whole,
  is_open: [true, false],
  is_archived: [true, false],
  seen_at: instants,
  due: days,
  title: texts,
  tags: texts,
  numbers,
  'author.handle': texts,
  'author.followers': numbers,
  'author.at': instants,
  created_date: instants,
  secret: kinds,
}
const arrays = ['tags', 'numbers']
const searchable = ['title', 'tags']
const optional = ['kind', 'score', 'rank', 'is_open', 'seen_at', 'due', 'title', 'secret']
const sortable = [
  'created_date',
  'score',
  'rank',
  'stage',
  'title',
  'seen_at',
  'due',
  'is_open',
  'kind',
  'location_id',
]

/** An entity with the fields of `Sample` and visibility, order and indexes by chance. */
export function randomEntity(random: Random, name: string): AnyEntity {
  const signed = (field: string) => (random.chance(0.4) ? `-${field}` : field)
  return {
    ...Sample,
    name,
    hidden: random.chance(0.5) ? ['secret', 'attempts'] : ['title', 'author', 'score'],
    sortable: ['created_date', ...random.some(sortable.slice(1), 6)],
    defaultSort: random.one(['-created_date', 'created_date', '-rank']),
    except: random.chance(0.5) ? { is_archived: true } : {},
    exceptSet: random.chance(0.5) ? ['removed_at'] : [],
    counts: { by: random.some(['stage', 'kind', 'title', 'is_open', 'due'], 3), bySet: ['seen_at', 'rank'] },
    indexes: Array.from({ length: random.below(4) }, () => ({
      on: [...new Set(random.some(sortable, 3))].map(signed),
    })),
  }
}

/** A document whose values come from small pools, so that filters meet. */
export function randomDocument(random: Random, n: number): Row<typeof Sample> {
  const row: Record<string, unknown> = {
    id: `smp_${n}`,
    workspace_id: random.one(workspaces),
    location_id: random.one(pools.location_id ?? []),
    stage: random.one(stages),
    is_archived: random.chance(0.3),
    created_date: random.one(instants),
    updated_date: random.one(instants),
  }
  for (const name of optional) {
    if (random.chance(0.25)) continue
    row[name] = random.chance(0.2) ? null : random.one(pools[name] ?? [])
  }
  if (random.chance(0.8)) row.tags = random.chance(0.1) ? null : random.some(texts, 3)
  if (random.chance(0.5)) row.numbers = random.some(numbers, 3)
  if (random.chance(0.7)) {
    const author = {
      handle: random.one(texts),
      followers: random.one([...numbers, null]),
      at: random.one(instants),
    }
    row.author = random.chance(0.1) ? null : author
  }
  return row as Row<typeof Sample>
}

/** The fields that random filters name. */
export const filterFields: readonly string[] = Object.keys(pools)

/** A filter tree of at most `depth` levels. */
export function randomWhere(random: Random, depth: number, fields = filterFields): Where {
  if (depth > 0 && random.chance(0.5)) {
    const op = random.one(['and', 'or', 'nor', 'not'] as const)
    if (op === 'not') return { op, of: randomWhere(random, depth - 1, fields) }
    return { op, of: Array.from({ length: random.below(4) }, () => randomWhere(random, depth - 1, fields)) }
  }
  const field = random.one(fields)
  const pool = pools[field] ?? []
  const value = () => random.one(pool)
  const list = arrays.includes(field)
  const op = random.one([
    'eq',
    'ne',
    'gt',
    'gte',
    'lt',
    'lte',
    'in',
    'nin',
    'exists',
    ...(list ? (['all', 'size'] as const) : []),
    ...(searchable.includes(field) ? (['contains', 'startsWith'] as const) : []),
  ] as const)
  if (op === 'in' || op === 'nin') return { op, field, values: random.some([...pool, null], 3) }
  if (op === 'all') return { op, field, values: [value(), ...random.some(pool, 1)] }
  if (op === 'size') return { op, field, value: random.below(4) }
  if (op === 'exists') return { op, field, value: random.chance(0.5) }
  if (op === 'contains' || op === 'startsWith') return { op, field, value: String(value()) || 'x' }
  return { op, field, value: (op === 'eq' || op === 'ne') && random.chance(0.2) ? null : value() }
}

/** A sort of one to three fields, array fields left out. */
export function randomSort(random: Random): SortKey[] {
  const fields = [...new Set([random.one(sortable), ...random.some(sortable, 2)])]
  return fields.map((field) => ({
    field,
    direction: random.chance(0.5) ? 'asc' : 'desc',
    ...(random.chance(0.5) ? { nulls: 'last' } : {}),
  }))
}
