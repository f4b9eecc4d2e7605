import type { Scalar, Where } from '../contracts/where'
import { textPattern } from './text-match'

export type SqlValue = string | number | bigint | boolean | null | Uint8Array

/** SQL text and the values of its `?`, in order. */
export interface Sql {
  readonly sql: string
  readonly params: readonly SqlValue[]
}

/** How SQL reads a field: an expression for its value and, for an array, the arguments of `json_each`. */
export interface SqlField {
  readonly value: string
  readonly list?: string
}

type Leaf = Extract<Where, { readonly field: string }>

/** The name of the SQL function that matches a text with a pattern of `textPattern`. Null matches nothing. */
export const matchFunction = 'text_matches'

/** The placeholder of a value. With a bare `?`, SQLite may plan again for each new value. */
export const bound = '+?'

/**
 * Compiles the tree into a condition that is never NULL. Negations are moved down to the comparisons, so that a
 * missing value is null everywhere and indexes stay usable.
 */
export function toSqlite(where: Where, locate: (path: string) => SqlField): Sql {
  const params: SqlValue[] = []
  const bind = (value: Scalar) => {
    params.push(typeof value === 'boolean' ? Number(value) : value)
    return bound
  }
  const sql = compile(where, false, { locate, bind })
  return { sql, params }
}

interface Compiler {
  locate(path: string): SqlField
  bind(value: Scalar): string
}

function compile(where: Where, negate: boolean, compiler: Compiler): string {
  if (where.op === 'not') return compile(where.of, !negate, compiler)
  if ('of' in where) {
    const inner = where.op === 'nor' ? !negate : negate
    const and = (where.op === 'and') !== inner
    const parts = where.of.map((part) => compile(part, inner, compiler))
    if (parts.length === 0) return and ? '1' : '0'
    return parts.length === 1 ? (parts[0] ?? '1') : `(${parts.join(and ? ' AND ' : ' OR ')})`
  }
  const field = compiler.locate(where.field)
  return field.list === undefined
    ? onValue(where, field.value, negate, compiler)
    : onList(where, field.value, field.list, negate, compiler)
}

const opposite = { gt: '<=', gte: '<', lt: '>=', lte: '>' } as const
const direct = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

function onValue(leaf: Leaf, value: string, negate: boolean, compiler: Compiler): string {
  const { bind } = compiler
  switch (leaf.op) {
    case 'eq':
    case 'ne': {
      const equal = (leaf.op === 'eq') !== negate
      if (leaf.value === null) return `${value} IS ${equal ? '' : 'NOT '}NULL`
      return equal ? `${value} = ${bind(leaf.value)}` : `${value} IS NOT ${bind(leaf.value)}`
    }
    case 'exists':
      return `${value} IS ${leaf.value !== negate ? 'NOT ' : ''}NULL`
    case 'in':
    case 'nin':
      return among(leaf.values, value, (leaf.op === 'in') !== negate, bind)
    case 'all':
      return compile(eachEqual(leaf), negate, compiler)
    case 'size':
      return negate ? '1' : '0'
    case 'contains':
    case 'startsWith':
      return `${negate ? 'NOT ' : ''}${matchFunction}(${value}, ${bind(textPattern(leaf.op, leaf.value))})`
    default:
      if (leaf.value === null) return negate ? '1' : '0'
      return negate
        ? `(${value} ${opposite[leaf.op]} ${bind(leaf.value)} OR ${value} IS NULL)`
        : `${value} ${direct[leaf.op]} ${bind(leaf.value)}`
  }
}

function among(values: readonly Scalar[], value: string, inside: boolean, bind: Compiler['bind']): string {
  const some = values.filter((entry) => entry !== null)
  const withNull = some.length < values.length
  if (some.length === 0) return withNull ? `${value} IS ${inside ? '' : 'NOT '}NULL` : inside ? '0' : '1'
  const list = some.map(bind).join(', ')
  if (inside) return withNull ? `(${value} IN (${list}) OR ${value} IS NULL)` : `${value} IN (${list})`
  return withNull
    ? `(${value} NOT IN (${list}) AND ${value} IS NOT NULL)`
    : `(${value} NOT IN (${list}) OR ${value} IS NULL)`
}

/**
 * Compiles a comparison with an array, which is true if any element matches. `list` contains the arguments of
 * `json_each`.
 */
function onList(leaf: Leaf, value: string, list: string, negate: boolean, compiler: Compiler): string {
  const { bind } = compiler
  const not = negate ? 'NOT ' : ''
  const any = (condition: string) => `EXISTS (SELECT 1 FROM json_each(${list}) AS e WHERE ${condition})`
  switch (leaf.op) {
    case 'ne':
      return onList({ ...leaf, op: 'eq' }, value, list, !negate, compiler)
    case 'nin':
      return onList({ ...leaf, op: 'in' }, value, list, !negate, compiler)
    case 'eq':
      if (leaf.value === null) return `${not}(${value} IS NULL OR ${any('e.value IS NULL')})`
      return `${not}${any(`e.value = ${bind(leaf.value)}`)}`
    case 'in': {
      const missing = leaf.values.includes(null) ? `${value} IS NULL OR ` : ''
      return `${not}(${missing}${any(among(leaf.values, 'e.value', true, bind))})`
    }
    case 'all':
      return compile(eachEqual(leaf), negate, compiler)
    case 'exists':
      return `${leaf.value !== negate ? '' : 'NOT '}coalesce(json_type(${list}) = 'array', 0)`
    case 'size':
      return `${not}coalesce(json_type(${list}) = 'array' AND json_array_length(${list}) = ${bind(leaf.value)}, 0)`
    default:
      return `${not}${any(onValue(leaf, 'e.value', false, compiler))}`
  }
}

const eachEqual = (leaf: Extract<Leaf, { readonly values: unknown }>): Where => ({
  op: 'and',
  of: leaf.values.map((value) => ({ op: 'eq', field: leaf.field, value })),
})
