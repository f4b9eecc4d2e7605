import type { EntryGroupQuery, EntryPart } from '../../contracts/context'
import type { AnyEntity } from '../../contracts/entity'
import { fieldAt } from '../../kit/fields'
import { quoteName, quoteText } from '../../query/clickhouse-text'
import { valueSql } from '../../query/to-clickhouse'

/**
 * Returns the statement of a group of entries. `rows` is the table with its condition. ClickHouse reads each JSON
 * text once, as a list of entries with the types that the query needs.
 */
export function entriesSql(entity: AnyEntity, query: EntryGroupQuery, rows: string): string {
  const { list, part } = listOf(entity, query)
  const keys = query.by.map((key, place) => ({
    sql: typeof key === 'string' ? valueSql(entity, key) : part(key.entry),
    alias: `_k${place}`,
    name: typeof key === 'string' ? key : key.as,
  }))
  const measures = query.measures.map((measure, place) => ({
    sql: measureSql(entity, measure, part),
    alias: `_m${place}`,
    name: measure.as,
  }))
  const all = [...keys, ...measures]
  const columns = new Set(
    [...rowFields(query), ...[query.of].flat()].map((name) => name.split('.')[0] ?? name),
  )
  const outer = all.map(({ alias, name }) => `${alias} AS ${quoteName(name)}`).join(', ')
  const inner = all.map(({ sql, alias }) => `${sql} AS ${alias}`).join(', ')
  const by = keys.map(({ alias }) => alias).join(', ')
  const order = keys.map(({ alias }) => `${alias} ASC NULLS FIRST`).join(', ')
  const only = query.entryIs
    ? ` WHERE ${part(groupedPart(query, query.entryIs.entry))} = {${entryParam}:String}`
    : ''
  const grouped = by ? ` GROUP BY ${by} ORDER BY ${order}` : ''
  return `SELECT ${outer} FROM (SELECT ${inner} FROM (SELECT ${[...columns].map(quoteName).join(', ')}, arrayJoin(${list}) AS _e FROM ${rows})${only}${grouped})`
}

/** The name of the query parameter for the value of `entryIs`. SQL text never contains input of callers. */
export const entryParam = 'entry'

function groupedPart({ by }: EntryGroupQuery, entry: EntryPart): EntryPart {
  if (by.some((key) => typeof key !== 'string' && key.entry === entry)) return entry
  throw new Error(`entryIs: ${entry} must be grouped by`)
}

type Measure = EntryGroupQuery['measures'][number]

const rowFields = ({ by, measures }: EntryGroupQuery) => [
  ...by.filter((key) => typeof key === 'string'),
  ...measures.flatMap((measure) => ('field' in measure ? [measure.field] : [])),
]

function measureSql(entity: AnyEntity, measure: Measure, part: (entry: EntryPart) => string): string {
  if (measure.fn === 'count') return 'count()'
  if (measure.fn === 'sum') return `ifNull(sumOrNull(${part(measure.entry)}), 0)`
  return `${measure.fn}OrNull(${valueSql(entity, measure.field)})`
}

/** Returns the SQL for the entries as one array, and for the parts of an entry. */
function listOf(entity: AnyEntity, query: EntryGroupQuery) {
  const value = valueType(query)
  const fields = [query.of].flat().map((name) => oneList(entity, name, value))
  const isList = fields.every((field) => field.isList)
  if (!isList && fields.length > 1)
    throw new Error(`${query.of} cannot be read as one list, because some of its values are not lists`)
  const partOf = (entry: EntryPart, of: string): string => {
    if (entry === 'key') {
      if (isList) throw new Error(`${entity.name}.${query.of} is a list: its entries have no key`)
      return `${of}.1`
    }
    const whole = isList ? of : `${of}.2`
    return entry === 'value' ? whole : `tupleElement(${whole}, ${quoteText(memberOf(entry))})`
  }
  const lists = fields.map(({ sql }) => sql)
  return { list: concat(lists, query, partOf), part: (entry: EntryPart) => partOf(entry, '_e') }
}

function oneList(entity: AnyEntity, name: string, value: string) {
  const field = fieldAt(entity, name)
  if (!field) throw new Error(`${entity.name} declares no field ${name}`)
  const isList = field.kind === 'array'
  if (!isList && (field.kind !== 'object' || field.fields))
    throw new Error(`${entity.name}.${name} has no entries: it is neither a list nor a record`)
  const [column = '', ...path] = name.split('.')
  const steps = [`ifNull(${quoteName(column)}, '')`, ...path.map(quoteText)]
  const sql = isList
    ? `JSONExtract(${[...steps, quoteText(`Array(${value})`)].join(', ')})`
    : `JSONExtractKeysAndValues(${[...steps, quoteText(value)].join(', ')})`
  return { sql, isList }
}

/** Joins the lists. If the query says so, leaves out entries that the first list already has. */
function concat(
  lists: readonly string[],
  { by, unlessFirst }: EntryGroupQuery,
  partOf: (entry: EntryPart, of: string) => string,
): string {
  const [first = '', ...later] = lists
  if (later.length === 0) return first
  if (unlessFirst === undefined) return `arrayConcat(${lists.join(', ')})`
  if (!by.some((key) => typeof key !== 'string' && key.entry === unlessFirst))
    throw new Error(`unlessFirst: ${unlessFirst} must be grouped by`)
  const parts = (list: string) => `arrayMap(_x -> ${partOf(unlessFirst, '_x')}, ${list})`
  // Numbers each entry by how often its part occurred before it; 1 is the first. Reads the entries once,
  // unlike `has`.
  const times = (list: string) =>
    `arraySlice(arrayEnumerateUniq(arrayConcat(${parts(first)}, ${parts(list)})), length(${first}) + 1)`
  const further = later.map((list) => `arrayFilter((_x, _n) -> _n = 1, ${list}, ${times(list)})`)
  return `arrayConcat(${[first, ...further].join(', ')})`
}

/** Returns the type of an entry's values: text for groups, numbers for sums. */
function valueType({ by, measures }: EntryGroupQuery): string {
  const types = new Map<EntryPart, string>()
  for (const key of by) if (typeof key !== 'string') types.set(key.entry, 'Nullable(String)')
  for (const measure of measures) {
    if (measure.fn !== 'sum') continue
    if (types.get(measure.entry) === 'Nullable(String)')
      throw new Error(`${measure.entry} cannot be both grouped by and summed`)
    types.set(measure.entry, 'Nullable(Float64)')
  }
  types.delete('key')
  const whole = types.get('value')
  if (whole === undefined) {
    const members = [...types].map(([entry, type]) => `${quoteName(memberOf(entry))} ${type}`)
    return members.length > 0 ? `Tuple(${members.join(', ')})` : 'String'
  }
  if (types.size > 1) throw new Error('an entry is read either as one value or by its members')
  return whole
}

function memberOf(entry: EntryPart): string {
  const name = entry.slice('value.'.length)
  if (!/^[a-z_][a-z0-9_]*$/i.test(name)) throw new Error(`${entry} is not a member of an entry`)
  return name
}
