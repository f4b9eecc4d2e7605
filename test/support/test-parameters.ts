import { expect, test } from 'bun:test'
import type { AnyEntity, AnyOperation } from 'renown'
import { type Field, type FieldKind, hiddenFields, shapeOf, visibleFields } from '../../core/kit/fields'
import { operatorsOf } from '../../core/query/values'
import { exampleForReaders } from '../../core/registry/examples'
import type { AskOptions, Gate } from './harness'

interface Told {
  readonly status: number
  readonly code?: string
  readonly errors?: readonly { readonly parameter?: string; readonly pointer?: string }[]
}

/** Values that a field of a kind is never compared with. */
const misfits: Readonly<Record<FieldKind, readonly unknown[]>> = {
  string: [1, true, { $gt: 1 }, { nested: 'x' }],
  number: ['x', true, { $gte: 'x' }],
  integer: ['x', true, { $gte: 'x' }],
  boolean: ['x', 1, { $gt: true }],
  instant: ['yesterday', 1, '2026-13-01T00:00:00.000Z'],
  day: ['yesterday', 1, '2026-02-30'],
  array: [{ $size: 'x' }, { $exists: 1 }],
  object: ['x', 1, { nested: 'x' }],
}

/** Writes a test for each parameter of an entity's list: what it does not accept is 422 and named. */
export function testListParameters(entity: AnyEntity, gate: () => Gate): void {
  const list = `/api/entities/${entity.name}`
  const ask = async (name: string, value: string): Promise<Told> => {
    const response = await gate().ask(`${list}?${name}=${encodeURIComponent(value)}`)
    return { status: response.status, ...((await response.json()) as object) }
  }
  const refused = async (name: string, value: string) => {
    const told = await ask(name, value)
    expect({ value, status: told.status, names: told.errors?.[0]?.parameter }).toEqual({
      value,
      status: 422,
      names: name,
    })
  }
  const visible = visibleFields(entity)
  const notSortable = visible.map(({ name }) => name).filter((name) => !entity.sortable.includes(name))
  const parameters: readonly (readonly [string, readonly string[]])[] = [
    ['sort', [...notSortable, 'surely_unknown', '', 'id,id', '-', 'created_date;x']],
    ['limit', ['0', '-1', '1.5', 'x', '', '1e2', '0x10']],
    ['skip', ['-1', '100001', '1.5', 'x', '']],
    ['fields', ['surely_unknown', '', 'id,,', '__proto__']],
    ['cursor', ['nonsense', '', 'e30', 'bnVsbA']],
    ['count', ['2', 'true', '']],
  ]
  test.each(parameters)('answers 422 to what its parameter %s does not accept', async (name, values) => {
    for (const value of values) await refused(name, value)
  })

  test('answers 422 to a filter on each field with a value that is none of its kind', async () => {
    for (const field of visible) {
      const values = field.opaque ? ['x', null, { $exists: true }] : misfits[field.kind]
      for (const value of values) await refused('q', JSON.stringify({ [field.name]: value }))
      const offered = field.opaque ? [] : operatorsOf(field)
      for (const operator of ['$regex', '$where', '$contains', '$gt', '$size', '$all']) {
        if (!offered.includes(operator))
          await refused('q', JSON.stringify({ [field.name]: { [operator]: 1 } }))
      }
    }
    for (const name of ['surely_unknown', '__proto__', ...hiddenFields(entity)]) {
      await refused('q', `{${JSON.stringify(name)}:"x"}`)
    }
  })
}

/** Inputs that accept the name of a record, and of which a read may leave out the only one. */
const namedRecords = new Set(['location_id', 'business_location_id', 'site_id', 'tracker_id'])

/** Writes a test for each field of an operation's input: a value of another kind is 422 and pointed at. */
export function testInput(operation: AnyOperation, gate: () => Gate): void {
  const fields = shapeOf(operation.input).fields ?? []
  const whole = (exampleForReaders(operation.input) ?? {}) as object
  const call = async (body: object, more: AskOptions = {}): Promise<Told> => {
    const response = await gate().call(operation.name, body, more)
    return { status: response.status, ...((await response.json()) as object) }
  }
  const pointed = async (body: object, name: string) => {
    const { status, code, errors = [] } = await call(body)
    const found = errors.some(({ pointer = '' }) => pointer === `/${name}` || pointer.startsWith(`/${name}/`))
    expect({ body, status, code, found }).toEqual({ body, status: 422, code: 'invalid_field', found: true })
  }
  if (fields.length > 0) {
    test.each(fields.map((field) => [field.name, field] as const))(
      'answers 422 to a %s that is none, and points at it',
      async (name, field) => {
        for (const value of otherKinds(field)) await pointed({ ...whole, [name]: value }, name)
        // A read that leaves out a record means the only one of the workspace.
        const hasOnly = operation.class === 'read' && namedRecords.has(name)
        if (!field.optional && !hasOnly) {
          const { [name]: _, ...without } = whole as Record<string, unknown>
          await pointed(without, name)
        }
      },
    )
  }
  if (operation.class !== 'read') {
    test('answers 422 to a dry_run that is no boolean and to an Idempotency-Key that is none', async () => {
      await pointed({ ...whole, dry_run: 'yes' }, 'dry_run')
      const told = await call(whole, { headers: { 'idempotency-key': 'x'.repeat(256) } })
      expect([told.status, told.code]).toEqual([422, 'invalid_parameter'])
    })
  }
}

/** Values of every kind of JSON but the field's own. */
function otherKinds({ kind, nullable }: Field): readonly unknown[] {
  const isText = ['string', 'instant', 'day'].includes(kind)
  return [
    ...(isText ? [] : ['x']),
    ...(kind === 'number' || kind === 'integer' ? [] : [1.5]),
    ...(kind === 'boolean' ? [] : [true]),
    ...(kind === 'array' ? [] : [['x']]),
    ...(kind === 'object' ? [] : [{ nested: 'x' }]),
    ...(nullable ? [] : [null]),
  ]
}
