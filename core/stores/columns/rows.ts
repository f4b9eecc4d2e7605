import type { EntryGroupQuery, GroupQuery, GroupRow, Measure } from '../../contracts/context'
import type { AnyEntity } from '../../contracts/entity'
import type { TableDeclaration } from '../../contracts/plugin'
import type { Scalar, SortKey, Where } from '../../contracts/where'
import { type Field, fieldAt, fieldsOf } from '../../kit/fields'
import { quoteName, quoteText } from '../../query/clickhouse-text'
import { toClickhouse, valueSql } from '../../query/to-clickhouse'
import { tableOf } from '../../registry/table-of'
import { currentWork } from '../../work/scope'
import { createCachedAnswers, textOfValues } from '../cached-answers'
import { withId } from '../documents/indexes'
import { boundedWhere } from '../documents/keyset'
import { conjuncts } from '../documents/plan'
import type { Collection, Document, FindQuery, JsonPage } from '../documents/port'
import { entriesSql, entryParam } from './entries'
import { isTooManyRows } from './errors'
import type { ColumnsStore } from './port'

/** The read methods of the documents port, for an entity stored in columns. */
export type ColumnRows = Required<
  Pick<
    Collection,
    'get' | 'find' | 'findJson' | 'prepareList' | 'count' | 'group' | 'groupEntries' | 'examined'
  >
>

/** Threads of one statement in the embedded engine while a request waits for it. */
const embeddedThreads = Math.max(1, Math.floor(navigator.hardwareConcurrency / 2))

/** The limit of a list that names none. */
const rowsMax = 1_000_000_000

/**
 * Creates the reads of an entity's rows. A ReplacingMergeTree is read with FINAL, so that a recently replaced
 * row appears once. Instants are text columns, days Date columns, arrays and objects String columns with
 * JSON.
 */
export function columnRows(store: ColumnsStore, entity: AnyEntity): ColumnRows {
  const table = () => {
    const declared = store.declared(tableOf(entity))
    if (!declared)
      throw new Error(`${entity.name} is served from columns, but no table ${tableOf(entity)} is declared`)
    return declared
  }
  const kept = createCachedAnswers()
  const once = <T>({ kind, query, where }: Asked, sizeOf: (answer: T) => number, ask: () => Promise<T>) => {
    const workspaces = workspacesOf(where)
    const written = () => store.written(tableOf(entity), workspaces)
    return kept.answer({ text: `${kind} ${textOfValues(query)}`, written, ask, sizeOf })
  }
  const findJson: ColumnRows['findJson'] = (query) =>
    once(
      { kind: 'find', query, where: query.where },
      ({ body }) => body.length,
      async () => {
        const limit = query.limit ?? rowsMax
        const names = printed(entity, query.omit, query.fields)
        const { sql, params } = pageSql(store, entity, table(), query, names, limit)
        return readPage(await store.text(sql, params))
      },
    )
  const find: ColumnRows['find'] = async (query) => {
    const page = await findJson({ ...query, omit: [] })
    return JSON.parse(page.body as string) as Document[]
  }
  /** Callers get rows of their own, because they may change them. */
  const grouped = async (asked: Asked, ask: () => Promise<GroupRow[]>) =>
    (await once(asked, sizeOfRows, ask)).map((row) => ({ ...row }))
  return {
    findJson,
    prepareList: (query) => query,
    find,
    async get(id) {
      const [row] = await find({ where: { op: 'eq', field: 'id', value: id }, limit: 1 })
      return row ?? null
    },
    count: (where, limit) =>
      once({ kind: 'count', query: { where, limit }, where }, sizeOfNumber, () =>
        countRows(store, entity, table(), where, limit),
      ),
    group: (query) =>
      grouped({ kind: 'group', query, where: query.where }, () => {
        const { sql, params } = groupSql(store, entity, table(), query)
        return store.query<GroupRow>(sql, params)
      }),
    groupEntries: (query) =>
      grouped({ kind: 'entries', query, where: query.where }, () =>
        store.query<GroupRow>(...entryGroupSql(store, entity, table(), query)),
      ),
    async examined(query, limit) {
      if (isBounded(entity, table(), query)) return 0
      const { where } = query
      return await once({ kind: 'examined', query: { where, limit }, where }, sizeOfNumber, () =>
        examinedRows(store, entity, table(), where, limit),
      )
    },
  }
}

/** A read of rows. */
interface Asked {
  readonly kind: string
  readonly query: object
  readonly where: Where | undefined
}

/** Returns the workspaces that a filter is limited to, or undefined if it may match rows of any. */
function workspacesOf(where: Where | undefined): readonly string[] | undefined {
  for (const leaf of where ? conjuncts(where).leaves : []) {
    if (leaf.field !== 'workspace_id') continue
    const values = leaf.op === 'eq' ? [leaf.value] : leaf.op === 'in' ? leaf.values : [null]
    const ids = values.filter((value) => typeof value === 'string')
    if (ids.length === values.length) return ids
  }
  return undefined
}

const sizeOfNumber = () => 8
const sizeOfRows = (rows: readonly GroupRow[]) =>
  rows.length * 20 * Math.max(1, Object.keys(rows[0] ?? {}).length)

/** Returns how many rows a filter would read, up to a limit. */
async function examinedRows(
  store: ColumnsStore,
  entity: AnyEntity,
  table: TableDeclaration,
  where: Where,
  limit: number,
): Promise<number> {
  const { sql, params } = toClickhouse(where, entity)
  const [first = ''] = table.orderBy
  if (store.own(table.name) !== table.name) return await readWithin(store, table, { sql, params }, limit)
  const parts = await store.query<{ rows: number }>(
    `EXPLAIN ESTIMATE SELECT ${quoteName(first)} FROM ${from(table)} WHERE ${sql}${settings(store, table)}`,
    { ...params },
  )
  return Math.min(
    parts.reduce((sum, { rows }) => sum + Number(rows), 0),
    limit,
  )
}

async function countRows(
  store: ColumnsStore,
  entity: AnyEntity,
  table: TableDeclaration,
  where: Where,
  limit: number | undefined,
): Promise<number> {
  const { sql, params } = toClickhouse(where, entity)
  const inner = `SELECT 1 FROM ${from(table)} WHERE ${sql}${limit === undefined ? '' : ` LIMIT ${whole(limit)}`}`
  const counted = `SELECT count() AS n FROM (${inner})${settings(store, table)}`
  const [row] = await store.query<{ n: number }>(counted, { ...params })
  return row?.n ?? 0
}

/**
 * Whether the servers of a cluster would read more rows than a limit for a filter: if so, the limit, otherwise 0. `EXPLAIN
 * ESTIMATE` knows the parts of one server only, so that the filter itself runs, and each server refuses it before it reads
 * more.
 */
async function readWithin(
  store: ColumnsStore,
  table: TableDeclaration,
  { sql, params }: { readonly sql: string; readonly params: Record<string, unknown> },
  limit: number,
): Promise<number> {
  const bounds = [`max_rows_to_read = ${whole(limit)}`, `read_overflow_mode = 'throw'`]
  const statement = `SELECT count() FROM ${from(table)} WHERE ${sql}${settings(store, table, bounds)}`
  return await store.query(statement, { ...params }).then(
    () => 0,
    (error) => (isTooManyRows(error) ? limit : Promise.reject(error)),
  )
}

/** Returns the fields that decide which parts of the table are read. They narrow a filter that is too broad. */
export function narrowingColumns(store: ColumnsStore, entity: AnyEntity): readonly string[] {
  const columns = store.declared(tableOf(entity))?.orderBy ?? []
  return columns.filter((column) => fieldAt(entity, column)?.hidden === false)
}

/**
 * Whether a query reads so few rows that it needs no check. Such a query has a fixed key with one row per
 * day, or no filter and the order of the key.
 */
function isBounded(entity: AnyEntity, table: TableDeclaration, { where, sort }: FindQuery): boolean {
  const last = table.orderBy.at(-1) ?? ''
  if (pinsKey(where, table) && fieldAt(entity, last)?.kind === 'day') return true
  const { leaves, rest } = conjuncts(where)
  const free = new Set(['workspace_id', ...Object.keys(entity.except ?? {}), ...(entity.exceptSet ?? [])])
  const bare = rest.length === 0 && leaves.every(({ field }) => free.has(field))
  return bare && withId(sort ?? []).every(({ field }) => field === 'id' || table.orderBy.includes(field))
}

/** Lets ClickHouse print the answer, so that rows are not parsed and printed again. */
function pageSql(
  store: ColumnsStore,
  entity: AnyEntity,
  table: TableDeclaration,
  query: FindQuery,
  names: readonly Field[],
  limit: number,
) {
  const keys = withId(query.sort ?? [])
  const { sql: filter, params } = toClickhouse(boundedWhere(query, keys), entity)
  const order = keys.map(orderBy).join(', ')
  // Reads one row more than requested, to know whether more follow.
  const window = `LIMIT ${whole(limit + 1)} OFFSET ${whole(query.skip ?? 0)}`
  const wide = table.orderBy.map(quoteName).join(', ')
  const picked = pinsKey(query.where, table)
    ? `WHERE ${filter} ORDER BY ${order} ${window}`
    : `WHERE (${wide}) IN (SELECT ${wide} FROM ${from(table)} WHERE ${filter} ORDER BY ${order} ${window}) ORDER BY ${order}`
  const cut = whole(limit)
  const sql = `SELECT arrayStringConcat(arraySlice(groupArray(_row), 1, ${cut}), ','), least(count(), ${cut}), count() > ${cut}, groupArray(_last)[least(count(), ${cut})]
FROM (SELECT ${printRow(names)} AS _row, ${printLast(entity, query.sort)} AS _last FROM ${from(table)} ${picked})
${settings(store, table)} FORMAT TSVRaw`
  return { sql, params }
}

/** Reads body, count, whether more rows follow, and last keys. JSON escapes tabs, so a raw tab is a separator. */
function readPage(text: string): JsonPage {
  const [body = '', count = '0', more = '0', last = ''] = text.replace(/\n$/, '').split('\t')
  const values = last ? (JSON.parse(last) as Scalar[]) : null
  const id = values?.pop()
  return {
    body: `[${body}]`,
    count: Number(count),
    more: more === '1',
    last: values && typeof id === 'string' ? { values, id } : null,
  }
}

function printed(entity: AnyEntity, omit: readonly string[], fields?: readonly string[]): Field[] {
  const wanted = fieldsOf(entity).filter(
    (field) =>
      field.name === 'id' || (!omit.includes(field.name) && (!fields || fields.includes(field.name))),
  )
  return wanted.sort((a, b) => Number(b.name === 'id') - Number(a.name === 'id'))
}

/** `id` is always first, so that every other entry can start with a comma. */
function printRow(fields: readonly Field[]): string {
  const parts = fields.map((field, place) => {
    const head = quoteText(`${place === 0 ? '{' : ','}${JSON.stringify(field.name)}:`)
    const column = quoteName(field.name)
    const isJson = field.kind === 'array' || field.kind === 'object'
    const value = isJson ? `ifNull(${column}, 'null')` : `ifNull(toJSONString(${column}), 'null')`
    const entry = `concat(${head}, ${value})`
    return field.optional ? `if(isNull(${column}), '', ${entry})` : entry
  })
  return `concat(${parts.join(', ')}, '}')`
}

function printLast(entity: AnyEntity, sort: readonly SortKey[] = []): string {
  const values = [...sort.map(({ field }) => field), 'id'].map((field) => {
    if (!fieldAt(entity, field)) throw new Error(`${entity.name} declares no field ${field}`)
    return `ifNull(toJSONString(${quoteName(field)}), 'null')`
  })
  return `concat('[', ${values.join(", ',', ")}, ']')`
}

/** Sorts missing values first in ascending order unless the key says otherwise, as in the documents stores. */
const orderBy = ({ field, direction, nulls = direction === 'asc' ? 'first' : 'last' }: OrderKey) =>
  `${quoteName(field)} ${direction === 'asc' ? 'ASC' : 'DESC'} NULLS ${nulls === 'last' ? 'LAST' : 'FIRST'}`

type OrderKey = Omit<SortKey, 'nulls'> & { readonly nulls?: 'first' | 'last' }

/**
 * Whether a filter names all key columns but the last, so that few rows are read whole. Otherwise the keys
 * are selected first, because FINAL would read the wide columns of every row.
 */
function pinsKey(where: Where, table: TableDeclaration): boolean {
  const pinned = new Set(pinnedFields(where))
  return table.orderBy.slice(0, -1).every((column) => pinned.has(column))
}

const pinnedFields = (where: Where): string[] =>
  where.op === 'and' ? where.of.flatMap(pinnedFields) : where.op === 'eq' ? [where.field] : []

const from = (table: TableDeclaration) =>
  `${quoteName(table.name)}${table.engine.startsWith('Replacing') ? ' FINAL' : ''}`

/**
 * Returns the settings of a statement. If the partition depends on the key, all versions of a row are in one
 * partition. A statement ends with its work scope.
 */
function settings(
  store: ColumnsStore,
  { engine, partitionBy, orderBy }: TableDeclaration,
  further: readonly string[] = [],
): string {
  const isApart = engine.startsWith('Replacing') && orderBy.some((column) => partitionBy?.includes(column))
  const leftMs = currentWork().leftMs()
  const all = [
    ...(isApart ? ['do_not_merge_across_partitions_select_final = 1'] : []),
    ...(Number.isFinite(leftMs) ? [`max_execution_time = ${Math.max(leftMs, 10) / 1_000}`] : []),
    // The embedded engine shares the cores with the event loop.
    ...(store.kind === 'chdb' && Number.isFinite(leftMs) ? [`max_threads = ${embeddedThreads}`] : []),
    ...further,
  ]
  return all.length > 0 ? ` SETTINGS ${all.join(', ')}` : ''
}

function groupSql(store: ColumnsStore, entity: AnyEntity, table: TableDeclaration, query: GroupQuery) {
  const { sql: filter, params } = toClickhouse(query.where ?? { op: 'and', of: [] }, entity)
  const keys = query.by.map((key, place) => ({
    sql: groupKey(entity, key),
    alias: `_k${place}`,
    name: typeof key === 'string' ? key : key.field,
  }))
  const measures = query.measures.map((measure, place) => ({
    sql: measureSql(entity, measure),
    alias: `_m${place}`,
    name: measure.as,
  }))
  // Renames in an outer query, because a measure may have the name of the column that it sums.
  const outer = [...keys, ...measures].map(({ alias, name }) => `${alias} AS ${quoteName(name)}`)
  const inner = [...keys, ...measures].map(({ sql, alias }) => `${sql} AS ${alias}`)
  const by = keys.map(({ alias }) => alias).join(', ')
  const order = keys.map(({ alias }) => `${alias} ASC NULLS FIRST`).join(', ')
  const grouped = by ? ` GROUP BY ${by} ORDER BY ${order}` : ''
  const limit = query.limit === undefined ? '' : ` LIMIT ${whole(query.limit)}`
  const sql = `SELECT ${outer.join(', ')} FROM (SELECT ${inner.join(', ')} FROM ${from(table)} WHERE ${filter}${grouped}${limit})${settings(store, table)}`
  return { sql, params }
}

function entryGroupSql(
  store: ColumnsStore,
  entity: AnyEntity,
  table: TableDeclaration,
  query: EntryGroupQuery,
): [string, Record<string, unknown>] {
  const { sql: filter, params } = toClickhouse(query.where ?? { op: 'and', of: [] }, entity)
  const sql = entriesSql(entity, query, `${from(table)} WHERE ${filter}`)
  const entry = query.entryIs ? { [entryParam]: query.entryIs.value } : {}
  return [`${sql}${settings(store, table)}`, { ...params, ...entry }]
}

function groupKey(entity: AnyEntity, key: GroupQuery['by'][number]): string {
  if (typeof key === 'string') return valueSql(entity, key)
  const column = valueSql(entity, key.field)
  const day =
    fieldAt(entity, key.field)?.kind === 'day'
      ? column
      : `toDate(toTimeZone(parseDateTime64BestEffortOrNull(${column}, 3, 'UTC'), ${quoteText(key.timezone)}))`
  const start = { day, week: `toMonday(${day})`, month: `toStartOfMonth(${day})` }[key.unit]
  return `toString(${start})`
}

function measureSql(entity: AnyEntity, measure: Measure): string {
  if (measure.field === undefined) return 'count()'
  if (measure.fn === 'count') return `countIf(isNotNull(${valueSql(entity, measure.field)}))`
  const aggregate = `${measure.fn}OrNull(${valueSql(entity, measure.field)})`
  return measure.fn === 'sum' ? `ifNull(${aggregate}, 0)` : aggregate
}

const whole = (value: number) => {
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`${value} is not a number of rows`)
  return String(value)
}
