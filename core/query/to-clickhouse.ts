import type { AnyEntity } from '../contracts/entity'
import type { Scalar, Where } from '../contracts/where'
import { type Field, type FieldKind, fieldAt, type Shape } from '../kit/fields'
import { quoteName, quoteText } from './clickhouse-text'

/** A condition in ClickHouse SQL. Every value is in `params`. Names come from the declaration. */
export interface ClickhouseCondition {
  readonly sql: string
  readonly params: Readonly<Record<string, unknown>>
}

/**
 * Compiles a filter for an entity stored in columns. Instants are text columns, days Date columns, arrays and objects
 * String columns of JSON. A condition is never NULL, so `not` and `nor` include rows without the field.
 */
export function toClickhouse(where: Where, entity: AnyEntity): ClickhouseCondition {
  const params: Record<string, unknown> = {}
  const bind: Bind = (type, value) => {
    const name = `w${Object.keys(params).length}`
    params[name] = value
    return `{${name}:${type}}`
  }
  return { sql: compile(where, entity, bind), params }
}

type Bind = (type: string, value: unknown) => string
type Leaf = Exclude<Where, { readonly op: 'and' | 'or' | 'nor' | 'not' }>

const never = '0'
const always = '1'

function compile(where: Where, entity: AnyEntity, bind: Bind): string {
  switch (where.op) {
    case 'and':
      return joined(where.of, 'AND', always, entity, bind)
    case 'or':
      return joined(where.of, 'OR', never, entity, bind)
    case 'nor':
      return `NOT ${joined(where.of, 'OR', never, entity, bind)}`
    case 'not':
      return `NOT (${compile(where.of, entity, bind)})`
    default:
      return compileLeaf(where, entity, bind)
  }
}

function joined(of: readonly Where[], word: string, empty: string, entity: AnyEntity, bind: Bind): string {
  return of.length === 0 ? empty : `(${of.map((part) => compile(part, entity, bind)).join(` ${word} `)})`
}

function compileLeaf(leaf: Leaf, entity: AnyEntity, bind: Bind): string {
  const field = fieldAt(entity, leaf.field)
  if (!field) throw new Error(`${entity.name} declares no field ${leaf.field}`)
  const operand = operandOf(field)
  if (field.kind === 'object') return compileObject(leaf, operand)
  return field.kind === 'array'
    ? compileArray(leaf, operand, field.element ?? field, bind)
    : compileScalar(leaf, operand, bind)
}

interface Operand {
  readonly sql: string
  readonly kind: FieldKind
  /** Whether it can be NULL in the table or missing in the JSON. */
  readonly mayLack: boolean
}

const elementTypes: Partial<Record<FieldKind, string>> = {
  integer: 'Float64',
  number: 'Float64',
  boolean: 'Bool',
}

/** Returns a field's own column, or the declared entry of a JSON column. */
function operandOf(field: Field): Operand {
  const [column = '', ...path] = field.path.split('.')
  const { kind } = field
  if (path.length === 0) return { sql: quoteName(column), kind, mayLack: field.optional || field.nullable }
  const steps = [quoteName(column), ...path.map(quoteText)].join(', ')
  if (kind === 'array' || kind === 'object') {
    return { sql: `nullIf(nullIf(JSONExtractRaw(${steps}), ''), 'null')`, kind, mayLack: true }
  }
  const type = elementTypes[kind] ?? 'String'
  // A day inside JSON is text, and sorts correctly as text.
  const inner = kind === 'day' ? 'string' : kind
  return { sql: `JSONExtract(${steps}, 'Nullable(${type})')`, kind: inner, mayLack: true }
}

/** Returns a field's value as an expression, for grouping and summing. Throws for lists and objects. */
export function valueSql(entity: AnyEntity, path: string): string {
  const field = fieldAt(entity, path)
  if (!field) throw new Error(`${entity.name} declares no field ${path}`)
  if (field.kind === 'array' || field.kind === 'object')
    throw new Error(`${entity.name}.${path} is not a single value`)
  return operandOf(field).sql
}

const isLacking = ({ sql, mayLack }: Operand) => (mayLack ? `isNull(${sql})` : never)
const isPresent = ({ sql, mayLack }: Operand) => (mayLack ? `isNotNull(${sql})` : always)
const sure = ({ mayLack }: Operand, condition: string) => (mayLack ? `ifNull(${condition}, 0)` : condition)

function compileScalar(leaf: Leaf, operand: Operand, bind: Bind): string {
  switch (leaf.op) {
    case 'eq':
      return leaf.value === null ? isLacking(operand) : compare(operand, '=', leaf.value, bind)
    case 'ne':
      return leaf.value === null ? isPresent(operand) : `NOT ${compare(operand, '=', leaf.value, bind)}`
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return leaf.value === null ? never : compare(operand, signs[leaf.op], leaf.value, bind)
    case 'in':
      return isOneOf(operand, leaf.values, bind)
    case 'nin':
      return `NOT ${isOneOf(operand, leaf.values, bind)}`
    case 'all':
      return every(leaf.values.map((value) => isOneOf(operand, [value], bind)))
    case 'exists':
      return leaf.value ? isPresent(operand) : isLacking(operand)
    case 'contains':
      return sure(operand, matches(operand.sql, literalPattern(leaf.value), bind))
    case 'startsWith':
      return sure(operand, matches(operand.sql, `\\A${literalPattern(leaf.value)}`, bind))
    case 'size':
      return never
  }
}

const every = (parts: readonly string[]) => (parts.length === 0 ? always : `(${parts.join(' AND ')})`)

const signs = { gt: '>', lt: '<', gte: '>=', lte: '<=' } as const
type Sign = '=' | (typeof signs)[keyof typeof signs]

function compare(operand: Operand, sign: Sign, value: Exclude<Scalar, null>, bind: Bind): string {
  if (operand.kind === 'day' && typeof value === 'string') {
    const beyond = outsideDates(value)
    if (beyond !== 0) {
      const holds = sign !== '=' && sign.startsWith(beyond < 0 ? '>' : '<')
      return holds ? isPresent(operand) : never
    }
  }
  const type = typeFor(operand.kind, value)
  return type ? sure(operand, `(${operand.sql} ${sign} ${bind(type, bindable(value))})`) : never
}

/** chDB cannot bind integers beyond 2^53. As text they are converted to Float64. */
const isVast = (value: Scalar) => Number.isInteger(value) && !Number.isSafeInteger(value)
const bindable = (value: Scalar) => (isVast(value) ? String(value) : value)

function isOneOf(operand: Operand, values: readonly Scalar[], bind: Bind): string {
  const parts: string[] = []
  if (values.includes(null)) parts.push(isLacking(operand))
  for (const value of values) {
    if (value !== null && isVast(value)) parts.push(compare(operand, '=', value, bind))
  }
  const fitting = values.filter((value) => fits(operand.kind, value) && !isVast(value))
  if (fitting.length > 0) {
    const type = fitting.some((value) => typeFor(operand.kind, value) === 'Float64')
      ? 'Float64'
      : typeFor(operand.kind, fitting[0] ?? '')
    parts.push(sure(operand, `(${operand.sql} IN ${bind(`Array(${type})`, fitting)})`))
  }
  return parts.length === 0 ? never : `(${parts.join(' OR ')})`
}

const fits = (kind: FieldKind, value: Scalar): value is Exclude<Scalar, null> =>
  typeFor(kind, value) !== null && !(kind === 'day' && outsideDates(String(value)) !== 0)

/** Returns the type of the parameter, or null if a value of that type can never equal a value of the field. */
function typeFor(kind: FieldKind, value: Scalar): string | null {
  switch (kind) {
    case 'integer':
    case 'number':
      if (typeof value !== 'number') return null
      return Number.isSafeInteger(value) ? 'Int64' : 'Float64'
    case 'boolean':
      return typeof value === 'boolean' ? 'Bool' : null
    case 'day':
      return typeof value === 'string' ? 'Date' : null
    default:
      return typeof value === 'string' ? 'String' : null
  }
}

/**
 * Returns on which side of ClickHouse's Date range a day is, because a parameter outside of it would wrap
 * around.
 */
const outsideDates = (day: string): -1 | 0 | 1 => (day < '1970-01-01' ? -1 : day > '2149-06-06' ? 1 : 0)

/** Compares literally and ignores case, by Unicode's simple case folding, like `/…/iu` in JavaScript. */
const matches = (sql: string, pattern: string, bind: Bind) =>
  `match(${sql}, ${bind('String', `(?is)${pattern}`)})`
const literalPattern = (text: string) => text.replace(/[!-/:-@[-`{-~]/g, (sign) => `\\${sign}`)

function compileArray(leaf: Leaf, operand: Operand, element: Pick<Shape, 'kind'>, bind: Bind): string {
  const type = elementTypes[element.kind] ?? 'String'
  const list = `JSONExtract(ifNull(${operand.sql}, '[]'), 'Array(${type})')`
  const holds = (value: Scalar) => {
    if (value === null) return isLacking(operand)
    return typeFor(element.kind, value) ? `has(${list}, ${bind(type, bindable(value))})` : never
  }
  const any = (values: readonly Scalar[]) =>
    values.length === 0 ? never : `(${values.map(holds).join(' OR ')})`
  switch (leaf.op) {
    case 'eq':
      return holds(leaf.value)
    case 'ne':
      return `NOT ${holds(leaf.value)}`
    case 'in':
      return any(leaf.values)
    case 'nin':
      return `NOT ${any(leaf.values)}`
    case 'all':
      return every(leaf.values.map(holds))
    case 'size':
      return `(${isPresent(operand)} AND JSONLength(ifNull(${operand.sql}, '[]')) = ${bind('UInt32', leaf.value)})`
    case 'exists':
      return leaf.value ? isPresent(operand) : isLacking(operand)
    case 'contains':
    case 'startsWith': {
      const pattern = `${leaf.op === 'contains' ? '' : '\\A'}${literalPattern(leaf.value)}`
      return `arrayExists(e -> ${matches('e', pattern, bind)}, ${list})`
    }
    default:
      if (leaf.value === null || !typeFor(element.kind, leaf.value)) return never
      return `arrayExists(e -> e ${signs[leaf.op]} ${bind(type, bindable(leaf.value))}, ${list})`
  }
}

/** Compiles a condition on an object: whether it exists. Only its declared entries can be compared. */
function compileObject(leaf: Leaf, operand: Operand): string {
  if (leaf.op === 'exists') return leaf.value ? isPresent(operand) : isLacking(operand)
  if (leaf.op === 'eq' && leaf.value === null) return isLacking(operand)
  if (leaf.op === 'ne' && leaf.value === null) return isPresent(operand)
  return leaf.op === 'ne' || leaf.op === 'nin' ? always : never
}
