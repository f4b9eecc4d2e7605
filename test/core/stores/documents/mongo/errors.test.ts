import { expect, test } from 'bun:test'
import { mongo } from 'mongoose'
import { guarded, translated } from '../../../../../core/stores/documents/mongo/errors'
import { ConflictError, UnavailableError } from '../../../../../core/stores/documents/port'
import { part } from '../../../../support/part'
import { Sample } from '../../../../support/sample-entity'

const fault = (fields: Record<string, unknown>) =>
  Object.assign(new Error(String(fields.message ?? 'x')), fields)

test('what a lost or stepping-down server says is unavailable, with its cause', () => {
  const { MongoNetworkError, MongoNetworkTimeoutError, MongoNotConnectedError, MongoServerSelectionError } =
    mongo
  for (const error of [
    new MongoServerSelectionError('x', part({})),
    new MongoNetworkError('x'),
    new MongoNetworkTimeoutError('x'),
    new MongoNotConnectedError('x'),
  ]) {
    expect(translated(Sample, error)).toBeInstanceOf(UnavailableError)
    expect((translated(null, error) as Error).cause).toBe(error)
  }
  for (const code of [50, 91, 189, 10107, 11600, 13435]) {
    expect(translated(Sample, fault({ name: 'MongoServerError', code }))).toBeInstanceOf(UnavailableError)
  }
  const early = fault({
    name: 'MongooseError',
    message: 'Cannot call x before initial connection is complete',
  })
  expect(translated(Sample, early)).toBeInstanceOf(UnavailableError)
})

const dup = (index: string) => `E11000 duplicate key error collection: a.b index: ${index} dup key: { }`
const duplicate = (fields: Record<string, unknown>) => translated(Sample, fault({ code: 11000, ...fields }))

test('a duplicate key names the index and its fields', () => {
  expect(duplicate({ message: dup('_id_') })).toMatchObject({ entity: 'Sample', index: 'id', fields: ['id'] })
  expect(duplicate({ message: dup('workspace_id.unique_key.unique') })).toMatchObject({
    index: 'workspace_id.unique_key.unique',
    fields: ['unique_key'],
  })
  expect(duplicate({ message: dup('_id_') })).toBeInstanceOf(ConflictError)
})

test('the keys of the answer tell the fields, whatever the server calls its index', () => {
  const keyPattern = { workspace_id: 1, unique_key: 1 }
  expect(duplicate({ message: 'duplicate key', keyPattern })).toMatchObject({ fields: ['unique_key'] })
  expect(duplicate({ message: dup('_id_'), keyPattern })).toMatchObject({ fields: ['unique_key'] })
  expect(duplicate({ message: 'duplicate key', keyPattern: { _id: 1 } })).toMatchObject({ fields: ['id'] })
  expect(duplicate({ message: dup('made_by_hand_1'), keyPattern: { label: 1 } })).toMatchObject({
    index: 'made_by_hand_1',
    fields: ['label'],
  })
})

test('a duplicate key of an index that is not declared names the index, and no field', () => {
  const conflict = duplicate({ message: dup('made_by_hand_1') })
  expect(conflict).toMatchObject({ index: 'made_by_hand_1', fields: [] })
  expect((conflict as Error).message).toBe(
    'Sample: another document holds the same value of the index made_by_hand_1',
  )
})

test('a duplicate key that tells neither keys nor index is no conflict of a field', () => {
  for (const fields of [
    { message: 'duplicate key' },
    { message: 'Duplicate key violation', keyPattern: {} },
  ]) {
    const error = duplicate(fields)
    expect(error).not.toBeInstanceOf(ConflictError)
    expect(error).toMatchObject({ code: 11000 })
  }
})

test('our own mistakes stay what they are', async () => {
  for (const error of [
    new TypeError('x'),
    fault({ name: 'MongoServerError', code: 2 }),
    fault({ name: 'MongooseError' }),
  ]) {
    expect(translated(Sample, error)).toBe(error)
  }
  const wrong = new RangeError('x')
  expect(await guarded(Sample, () => Promise.reject(wrong)).catch((error) => error)).toBe(wrong)
})
