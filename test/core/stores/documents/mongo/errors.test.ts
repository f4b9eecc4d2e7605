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

test('a duplicate key names the index and its fields', () => {
  const dup = (index: string) =>
    translated(
      Sample,
      fault({
        code: 11000,
        message: `E11000 duplicate key error collection: a.b index: ${index} dup key: { }`,
      }),
    )
  expect(dup('_id_')).toMatchObject({ entity: 'Sample', index: 'id', fields: ['id'] })
  expect(dup('workspace_id.unique_key.unique')).toMatchObject({
    index: 'workspace_id.unique_key.unique',
    fields: ['unique_key'],
  })
  expect(dup('made_by_hand_1')).toMatchObject({ index: 'made_by_hand_1', fields: ['made_by_hand_1'] })
  expect(dup('_id_')).toBeInstanceOf(ConflictError)
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
