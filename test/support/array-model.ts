import type { EntryGroupQuery, GroupQuery, GroupRow, Scalar, SortKey, Where } from 'renown'

type Json = Readonly<Record<string, unknown>>

/** The documents port over a plain array, written from its description: what the adapters are compared with. */
export function arrayFind(
  documents: readonly Json[],
  query: { where: Where; sort: readonly SortKey[]; limit?: number; skip?: number },
): Json[] {
  const sort = [...query.sort, { field: 'id', direction: query.sort.at(-1)?.direction ?? 'asc' } as const]
  const found = documents.filter((document) => holds(query.where, document))
  found.sort((a, b) => {
    for (const key of sort) {
      const { field, direction } = key
      const one = at(a, field) ?? null
      const other = at(b, field) ?? null
      if ('nulls' in key && key.nulls === 'last' && (one === null) !== (other === null))
        return one === null ? 1 : -1
      const order = compare(one, other)
      if (order !== 0) return direction === 'asc' ? order : -order
    }
    return 0
  })
  const from = query.skip ?? 0
  return found.slice(from, query.limit === undefined ? undefined : from + query.limit)
}

/** Groups of a plain array, in the order of their keys. Sums are taken in the order of the rows. */
export function arrayGroup(documents: readonly Json[], query: GroupQuery): GroupRow[] {
  const groups = new Map<string, { key: unknown[]; rows: Json[] }>()
  for (const document of documents) {
    if (query.where && !holds(query.where, document)) continue
    const key = query.by.map((by) => groupKey(document, by))
    const group = groups.get(JSON.stringify(key)) ?? { key, rows: [] }
    group.rows.push(document)
    groups.set(JSON.stringify(key), group)
  }
  const sorted = [...groups.values()].sort((a, b) => {
    const orders = a.key.map((value, place) => compare(value, b.key[place]))
    return orders.find((order) => order !== 0) ?? 0
  })
  return sorted.slice(0, query.limit).map(({ key, rows }) => {
    const out: GroupRow = {}
    for (const [place, by] of query.by.entries())
      out[typeof by === 'string' ? by : by.field] = key[place] as string
    for (const measure of query.measures) out[measure.as] = measured(rows, measure)
    return out
  })
}

/** Groups of the entries of a field: each entry becomes a row of its own, which is then grouped as rows are. */
export function arrayEntries(documents: readonly Json[], query: EntryGroupQuery): GroupRow[] {
  const rows = documents
    .filter((document) => !query.where || holds(query.where, document))
    .flatMap((document) => {
      const [first = [], ...later] = [query.of].flat().map((name) => entriesAt(document, name))
      const partOf = (entry: Json) => query.unlessFirst && (at(entry, query.unlessFirst) ?? null)
      const taken = new Set(query.unlessFirst ? first.map(partOf) : [])
      const entries = [...first, ...later.flat().filter((entry) => !taken.has(partOf(entry)))]
      const { entryIs } = query
      const wanted = entries.filter((entry) => !entryIs || at(entry, entryIs.entry) === entryIs.value)
      return wanted.map((entry) => {
        const parts = [...query.by, ...query.measures].flatMap((part) =>
          typeof part !== 'string' && 'entry' in part ? [[part.as, at(entry, part.entry)] as const] : [],
        )
        return { ...document, ...Object.fromEntries(parts) }
      })
    })
  return arrayGroup(rows, {
    by: query.by.map((by) => (typeof by === 'string' ? by : by.as)),
    measures: query.measures.map((measure) =>
      measure.fn === 'sum' ? { as: measure.as, fn: 'sum', field: measure.as } : measure,
    ),
  })
}

function entriesAt(document: Json, name: string): Json[] {
  const whole = at(document, name)
  return Array.isArray(whole)
    ? whole.map((value) => ({ value }))
    : Object.entries((whole ?? {}) as Json).map(([key, value]) => ({ key, value }))
}

function groupKey(document: Json, by: GroupQuery['by'][number]): unknown {
  if (typeof by === 'string') return at(document, by) ?? null
  const value = at(document, by.field) ?? null
  if (value === null) return null
  const local = new Date(
    new Date(String(value)).toLocaleString('sv', { timeZone: by.timezone }).replace(' ', 'T').concat('Z'),
  )
  if (by.unit === 'month') local.setUTCDate(1)
  if (by.unit === 'week') local.setUTCDate(local.getUTCDate() - ((local.getUTCDay() + 6) % 7))
  return local.toISOString().slice(0, 10)
}

function measured(rows: readonly Json[], measure: GroupQuery['measures'][number]): Scalar {
  const { field } = measure
  if (field === undefined) return rows.length
  const values = rows.map((row) => at(row, field) ?? null).filter((value) => value !== null)
  const sum = values.reduce<number>((total, value) => total + Number(value), 0)
  if (measure.fn === 'count') return values.length
  if (measure.fn === 'sum') return sum
  if (values.length === 0) return null
  if (measure.fn === 'avg') return sum / values.length
  values.sort(compare)
  return values.at(measure.fn === 'min' ? 0 : -1) as Scalar
}

function holds(where: Where, document: Json): boolean {
  if (where.op === 'not') return !holds(where.of, document)
  if ('of' in where) {
    const parts = where.of.map((part) => holds(part, document))
    if (where.op === 'and') return parts.every(Boolean)
    return where.op === 'or' ? parts.some(Boolean) : !parts.some(Boolean)
  }
  const value = at(document, where.field)
  const any = (test: (one: unknown) => boolean) => (Array.isArray(value) ? value.some(test) : test(value))
  const equals = (wanted: Scalar) => any((one) => (one ?? null) === wanted)
  switch (where.op) {
    case 'eq':
      return equals(where.value)
    case 'ne':
      return !equals(where.value)
    case 'in':
      return where.values.some(equals)
    case 'nin':
      return !where.values.some(equals)
    case 'all':
      return where.values.every(equals)
    case 'exists':
      return ((value ?? null) !== null) === where.value
    case 'size':
      return Array.isArray(value) && value.length === where.value
    case 'contains':
      return any((one) => typeof one === 'string' && position(one, where.value) >= 0)
    case 'startsWith':
      return any((one) => typeof one === 'string' && position(one, where.value) === 0)
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte': {
      const { op, value: wanted } = where
      return any((one) => ordered(op, one, wanted))
    }
  }
}

function ordered(op: string, one: unknown, wanted: Scalar): boolean {
  if (one === null || one === undefined || wanted === null) return false
  const order = compare(one, wanted)
  if (op === 'gt') return order > 0
  if (op === 'gte') return order >= 0
  return op === 'lt' ? order < 0 : order <= 0
}

/** Where a text begins in another, letter by letter under Unicode's simple folding. */
function position(text: string, wanted: string): number {
  const letters = Array.from(text)
  const sought = Array.from(wanted)
  const same = (a: string, b: string | undefined) => a === b || new RegExp(`^[${b}]$`, 'iu').test(a)
  const special = /[\\\]^-]/
  const alike = (a: string | undefined, b: string | undefined) =>
    a !== undefined && b !== undefined && (special.test(b) ? a === b : same(a, b))
  for (let start = 0; start + sought.length <= letters.length; start++) {
    if (sought.every((letter, offset) => alike(letters[start + offset], letter))) return start
  }
  return -1
}

function compare(a: unknown, b: unknown): number {
  const left = a ?? null
  const right = b ?? null
  if (left === null || right === null) return Number(left !== null) - Number(right !== null)
  if (typeof left === 'string') return Buffer.compare(Buffer.from(left), Buffer.from(String(right)))
  return Number(left) - Number(right)
}

const at = (document: Json, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Json | null | undefined)?.[name], document)
