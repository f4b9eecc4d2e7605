import { echoed } from '../contracts/echoed'
import type { AnyEntity } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import type { Scalar, SortKey, Where } from '../contracts/where'
import { fieldAt, visibleFields } from '../kit/fields'
import { nearest } from '../kit/suggest'
import { type Cursor, decodeCursor } from './cursor'
import { parseFilter } from './filter'
import { sortKey } from './sort'

/** The query parameters of a list. */
export const listParameters = ['q', 'sort', 'limit', 'skip', 'fields', 'cursor', 'count'] as const
/** The bounds of a list's parameters, published with the surface. */
export const listBounds = { limitDefault: 100, limitMax: 1000, skipMax: 100_000, sortKeys: 3 } as const

/** A requested list, with every part checked against the entity. */
export interface ListRequest {
  readonly where: Where
  readonly sort: readonly SortKey[]
  readonly limit: number
  /** Whether the requested limit was above the maximum. */
  readonly limitApplied: boolean
  readonly skip: number
  readonly fields?: readonly string[]
  readonly cursor?: Cursor
  readonly count: boolean
}

/** Reads the query string of a list. Throws a Refusal that names the parameter and the accepted values. */
export function parseListQuery(entity: AnyEntity, params: URLSearchParams): ListRequest {
  checkNames(params, listParameters)
  const q = params.get('q')
  const { where, named } = q === null ? { where: null, named: new Set<string>() } : parseFilter(entity, q)
  const sort = readSort(entity, params.get('sort'))
  const { limit, limitApplied } = readLimit(params.get('limit'))
  const fields = readFields(entity, params.get('fields'))
  const cursorText = params.get('cursor')
  const skip = readSkip(params.get('skip'))
  if (cursorText !== null && skip > 0) {
    throw refuse('skip', 'conflict', 'cannot be combined with `cursor`, which already sets the position')
  }
  return {
    where: withDefaults(entity, where, named),
    sort,
    limit,
    limitApplied,
    skip,
    ...(fields ? { fields } : {}),
    ...(cursorText === null ? {} : { cursor: decodeCursor(entity, sort, cursorText) }),
    count: readCount(params.get('count')),
  }
}

/** Throws for unknown and for repeated parameters. */
export function checkNames(params: URLSearchParams, names: readonly string[]): void {
  const seen = new Set<string>()
  for (const name of params.keys()) {
    if (!names.includes(name)) {
      const meant = nearest(name, names)
      const shown = echoed(name)
      throw new Refusal('unknown_parameter', `This address has no query parameter \`${shown}\`.`, {
        errors: [
          {
            parameter: shown,
            code: 'unknown_parameter',
            message: 'is not accepted here',
            allowed: names,
            ...(meant ? { did_you_mean: meant } : {}),
          },
        ],
      })
    }
    if (seen.has(name)) throw refuse(name, 'duplicate', 'came twice')
    seen.add(name)
  }
}

/** Returns the default sort of a list. */
export function defaultSort(entity: AnyEntity): readonly SortKey[] {
  return [sortKey(entity.defaultSort ?? '-created_date')]
}

/** Adds the defaults of a list: `except` unless the filter names the field, `exceptSet` always. */
export function withDefaults(entity: AnyEntity, where: Where | null, named: ReadonlySet<string>): Where {
  const of: Where[] = where ? [where] : []
  for (const [field, value] of Object.entries((entity.except ?? {}) as Record<string, Scalar>)) {
    if (!named.has(field)) of.push({ op: 'ne', field, value })
  }
  for (const field of entity.exceptSet ?? []) of.push({ op: 'eq', field, value: null })
  const [only, second] = of
  return only && !second ? only : { op: 'and', of }
}

function readSort(entity: AnyEntity, text: string | null): readonly SortKey[] {
  if (text === null) return defaultSort(entity)
  const keys = text.split(',').map(sortKey)
  if (keys.length > listBounds.sortKeys) {
    throw refuse('sort', 'too_many', `takes at most ${listBounds.sortKeys} fields`)
  }
  const visible = new Set(visibleFields(entity).map(({ name }) => name))
  const sortable = entity.sortable.filter((name: string) => visible.has(name))
  for (const [place, { field }] of keys.entries()) {
    if (!sortable.includes(field)) {
      const meant = nearest(field, sortable)
      throw refuse('sort', 'not_sortable', `cannot sort by \`${echoed(field)}\``, sortable, meant)
    }
    if (keys.findIndex((key) => key.field === field) !== place) {
      throw refuse('sort', 'duplicate', `names \`${field}\` twice`)
    }
  }
  // Callers who want the lowest rating first do not mean rows without one.
  return keys.map((key) =>
    key.direction === 'asc' && mayLack(entity, key) ? { ...key, nulls: 'last' } : key,
  )
}

function mayLack(entity: AnyEntity, { field }: SortKey): boolean {
  const found = fieldAt(entity, field)
  return found !== undefined && (found.nullable || found.optional)
}

function readLimit(text: string | null): { limit: number; limitApplied: boolean } {
  if (text === null) return { limit: listBounds.limitDefault, limitApplied: false }
  const wanted = wholeNumber(text)
  if (wanted === null || wanted < 1) {
    throw refuse('limit', 'invalid', `must be a whole number from 1 to ${listBounds.limitMax}`)
  }
  return { limit: Math.min(wanted, listBounds.limitMax), limitApplied: wanted > listBounds.limitMax }
}

function readSkip(text: string | null): number {
  if (text === null) return 0
  const skip = wholeNumber(text)
  if (skip === null) throw refuse('skip', 'invalid', 'must be a whole number, 0 or more')
  if (skip > listBounds.skipMax) {
    throw refuse('skip', 'too_large', `can be at most ${listBounds.skipMax}. Use \`cursor\` to read further`)
  }
  return skip
}

function readFields(entity: AnyEntity, text: string | null): readonly string[] | undefined {
  if (text === null) return undefined
  const names = visibleFields(entity).map(({ name }) => name)
  const asked = [...new Set(text.split(','))]
  for (const name of asked) {
    if (!names.includes(name)) {
      throw refuse(
        'fields',
        'unknown_field',
        `names a field that ${entity.name} does not have: \`${echoed(name)}\``,
        names,
        nearest(name, names),
      )
    }
  }
  return asked
}

function readCount(text: string | null): boolean {
  if (text === null || text === '0') return false
  if (text === '1') return true
  throw refuse('count', 'invalid', 'must be 1 or left out', ['0', '1'])
}

const wholeNumber = (text: string): number | null => (/^\d+$/.test(text) ? Number(text) : null)

function refuse(
  parameter: string,
  code: string,
  message: string,
  allowed?: readonly string[],
  meant?: string,
): Refusal {
  return new Refusal('invalid_parameter', `The parameter \`${parameter}\` ${message}.`, {
    errors: [
      {
        parameter,
        code,
        message,
        ...(allowed ? { allowed } : {}),
        ...(meant ? { did_you_mean: meant } : {}),
      },
    ],
  })
}
