import * as v from 'valibot'
import type { AnyEntity, BaseRow } from '../../contracts/entity'
import { type Fault, Refusal, recoverIf } from '../../contracts/errors'
import { type Scalar, type Where, where } from '../../contracts/where'
import { faultsOf } from '../../kit/faults'
import { type Field, fieldsOf, rowSchema, unstorable } from '../../kit/fields'
import { newId } from '../../process/ids'
import { indexesOf } from './indexes'
import { ConflictError, type Document, type StoredRow } from './port'

const baseNames = new Set<string>(['id', 'workspace_id', 'created_date', 'updated_date'])
const schemas = new WeakMap<AnyEntity, ReturnType<typeof rowSchema>>()

/** The dates and the state of a row that is inserted with past values. */
interface Past {
  readonly created_date?: string
  readonly updated_date?: string
}

/**
 * Returns a row as it will be stored, with id and dates, checked against the entity. Throws a Refusal that names
 * invalid fields.
 */
export function newDocument<E extends AnyEntity>(
  entity: E,
  row: object,
  workspaceId: string,
  now: Date,
  past: Past = {},
): StoredRow<E> {
  const created = past.created_date ?? now.toISOString()
  const whole: Record<string, unknown> = { ...row }
  whole.id ??= newId(entity.idPrefix, now)
  whole.workspace_id = workspaceId
  whole.created_date = created
  whole.updated_date = past.updated_date ?? created
  const result = v.safeParse(schemaOf(entity), present(whole))
  if (!result.success) throw refusalOf(entity, faultsOf(result.issues))
  return present(result.output) as StoredRow<E>
}

function schemaOf(entity: AnyEntity) {
  const known = schemas.get(entity)
  if (known) return known
  const made = rowSchema(entity)
  schemas.set(entity, made)
  return made
}

/** Returns checked changes as a patch. `undefined` removes an optional field. */
export function changesOf(entity: AnyEntity, changes: object, now: Date) {
  const fields = new Map(fieldsOf(entity).map((field) => [field.name, field]))
  const set: Record<string, unknown> = {}
  const unset: string[] = []
  const faults: Fault[] = []
  for (const [name, value] of Object.entries(changes)) {
    const field = fields.get(name)
    if (!field) faults.push({ pointer: `/${name}`, code: 'unknown_field', message: 'no such field' })
    else if (baseNames.has(name) || entity.immutable?.includes(name))
      faults.push({ pointer: `/${name}`, code: 'immutable', message: 'never changes' })
    else if (value === undefined && field.optional) unset.push(name)
    else faults.push(...checkInto(set, field, value))
  }
  if (faults.length > 0) throw refusalOf(entity, faults)
  set.updated_date = now.toISOString()
  return { set, unset }
}

function checkInto(set: Record<string, unknown>, field: Field, value: unknown): Fault[] {
  const result = v.safeParse(field.schema, value)
  if (!result.success) return faultsOf(result.issues, `/${field.name}`)
  const fault = unstorable(result.output, `/${field.name}`)
  if (fault) return [{ pointer: `/${field.name}`, code: 'invalid', message: fault }]
  set[field.name] = result.output
  return []
}

/** Returns the filters for rows that conflict with this row in a unique index. */
export function uniqueFilters(entity: AnyEntity, row: Document): { fields: string[]; filter: Where }[] {
  const own = { fields: ['id'], filter: where.eq('id', row.id) }
  const found = indexesOf(entity).flatMap((index) => {
    const partial = Object.entries(index.where)
    if (!index.unique || partial.some(([name, value]) => row[name] !== value)) return []
    const fields = index.keys.map(({ field }) => field)
    if (fields.some((name) => (row[name] ?? null) === null)) return []
    const same = [...fields.map((name) => [name, row[name] as Scalar] as const), ...partial]
    const filter = where.and(...same.map(([name, value]) => where.eq(name, value)))
    return [{ fields: fields.filter((name) => name !== 'workspace_id'), filter }]
  })
  return [own, ...found]
}

/** Runs a write. A conflict with a unique index becomes a `conflict` Refusal. */
export const conflictOf = async <T>(write: () => Promise<T>): Promise<T> =>
  write().catch(recoverIf(isTaken, refuseTaken))

const isTaken = (error: unknown): error is ConflictError => error instanceof ConflictError
const refuseTaken = ({ entity, index, fields }: ConflictError): never => {
  const what = fields.join(', ') || `value of the index ${index}`
  throw new Refusal('conflict', `Another ${entity} has the same ${what}.`, {
    errors: fields.map((name) => ({ pointer: `/${name}`, code: 'taken', message: 'must be unique' })),
  })
}

function refusalOf(entity: AnyEntity, faults: readonly Fault[]) {
  const names = faults.map(({ pointer = '' }) => pointer.slice(1)).filter(Boolean)
  return new Refusal(
    'invalid_field',
    `${entity.name} cannot be stored, because these fields are invalid: ${names.join(', ')}.`,
    {
      errors: faults,
    },
  )
}

function present(row: BaseRow | Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))
}
