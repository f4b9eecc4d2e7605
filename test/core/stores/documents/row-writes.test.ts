import { describe, expect, test } from 'bun:test'
import { isRefusal } from '../../../../core/contracts/errors'
import { ConflictError } from '../../../../core/stores/documents/port'
import {
  changesOf,
  conflictOf,
  newDocument,
  uniqueFilters,
} from '../../../../core/stores/documents/row-writes'
import { aNote, Note } from '../../../support/notes-plugin'
import { Sample } from '../../../support/sample-entity'

const now = new Date('2026-11-20T10:00:00.000Z')
const stamp = now.toISOString()
const faultsOf = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    if (isRefusal(error))
      return [error.message, ...(error.details.errors ?? []).map((one) => `${one.pointer} ${one.code}`)]
    throw error
  }
  return []
}

describe('a new row', () => {
  test('gets an id, its workspace and both dates; what is undefined is absent', () => {
    const row = newDocument(Note, { ...aNote, slug: undefined, workspace_id: 'wsp_forged' }, 'wsp_1', now)
    expect(row).toEqual({
      ...aNote,
      id: expect.stringMatching(/^not_[0-9A-Z]{26}$/),
      workspace_id: 'wsp_1',
      created_date: stamp,
      updated_date: stamp,
    })
    expect(Object.keys(row)).not.toContain('slug')
    expect(newDocument(Note, { ...aNote, id: 'not_own' }, 'wsp_1', now).id).toBe('not_own')
  })

  test('with a past keeps it', () => {
    const past = { created_date: '2020-01-01T00:00:00.000Z', updated_date: '2021-01-01T00:00:00.000Z' }
    expect(newDocument(Note, aNote, 'wsp_1', now, past)).toMatchObject(past)
    const { created_date } = past
    expect(newDocument(Note, aNote, 'wsp_1', now, { created_date })).toMatchObject({
      created_date,
      updated_date: created_date,
    })
    expect(newDocument(Note, { ...aNote, ...past }, 'wsp_1', now)).toMatchObject({
      created_date: stamp,
      updated_date: stamp,
    })
  })

  test('is refused with each field that does not fit', () => {
    expect(faultsOf(() => newDocument(Note, { ...aNote, stage: 'x', score: 101 }, 'wsp_1', now))).toEqual([
      'Note cannot be stored, because these fields are invalid: stage, score.',
      '/stage invalid',
      '/score invalid',
    ])
    expect(faultsOf(() => newDocument(Note, { ...aNote, nope: 1 }, 'wsp_1', now))).toHaveLength(2)
    expect(
      faultsOf(() => newDocument(Note, { ...aNote, title: '\ud800' }, 'wsp_1', now)).length,
    ).toBeGreaterThan(0)
  })
})

describe('changes of a row', () => {
  test('are set or, where undefined, taken away, and date the row', () => {
    expect(changesOf(Note, { title: 'b', score: undefined }, now)).toEqual({
      set: { title: 'b', updated_date: stamp },
      unset: ['score'],
    })
    expect(changesOf(Note, {}, now)).toEqual({ set: { updated_date: stamp }, unset: [] })
  })

  test('are refused together: unknown, immutable and invalid ones, and the loss of what is required', () => {
    const changes = {
      nope: 1,
      id: 'x',
      workspace_id: 'x',
      created_date: stamp,
      updated_date: stamp,
      score: 101,
      title: undefined,
    }
    expect(faultsOf(() => changesOf(Note, changes, now)).slice(1)).toEqual([
      '/nope unknown_field',
      '/id immutable',
      '/workspace_id immutable',
      '/created_date immutable',
      '/updated_date immutable',
      '/score invalid',
      expect.stringMatching(/^\/title /),
    ])
    expect(faultsOf(() => changesOf(Note, { secret: 'a\0b' }, now))[1]).toBe('/secret invalid')
    expect(faultsOf(() => changesOf(Sample, { raw: { deep: ['a\0b'] } }, now))[1]).toBe('/raw invalid')
  })
})

describe('what a unique index would refuse', () => {
  const base = { id: 'smp_1', workspace_id: 'wsp_1', created_date: stamp, updated_date: stamp }
  const clamp = { op: 'eq', field: 'workspace_id', value: 'wsp_1' }
  const own = { fields: ['id'], filter: { op: 'eq', field: 'id', value: 'smp_1' } }

  test('is the same id, and the same values inside the workspace', () => {
    expect<unknown>(uniqueFilters(Sample, base)).toEqual([own])
    expect<unknown>(uniqueFilters(Sample, { ...base, unique_key: null })).toEqual([own])
    expect<unknown>(uniqueFilters(Sample, { ...base, unique_key: 'k' } as never)).toEqual([
      own,
      {
        fields: ['unique_key'],
        filter: { op: 'and', of: [clamp, { op: 'eq', field: 'unique_key', value: 'k' }] },
      },
    ])
  })

  test('is bound by the values that the index names', () => {
    const row = { ...base, kind: 'a', rank: 0, is_open: true }
    const [, partial] = uniqueFilters(Sample, row)
    expect(partial?.fields).toEqual(['kind', 'rank'])
    expect<unknown>(partial?.filter).toEqual({
      op: 'and',
      of: [
        clamp,
        { op: 'eq', field: 'kind', value: 'a' },
        { op: 'eq', field: 'rank', value: 0 },
        { op: 'eq', field: 'is_open', value: true },
      ],
    })
    expect(uniqueFilters(Sample, { ...row, is_open: false })).toHaveLength(1)
    expect(uniqueFilters(Sample, { ...row, rank: undefined })).toHaveLength(1)
  })
})

test('a conflict of the store names the fields, and every other fault stays what it is', async () => {
  const refused = await conflictOf(() =>
    Promise.reject(new ConflictError('Note', 'slug.title', ['slug', 'title'])),
  ).catch((error) => error)
  expect(refused).toMatchObject({
    code: 'conflict',
    message: 'Another Note has the same slug, title.',
    details: {
      errors: [
        { pointer: '/slug', code: 'taken', message: 'must be unique' },
        { pointer: '/title', code: 'taken', message: 'must be unique' },
      ],
    },
  })
  const other = new Error('other')
  expect(await conflictOf(() => Promise.reject(other)).catch((error) => error)).toBe(other)
  expect(await conflictOf(async () => 7)).toBe(7)
})
