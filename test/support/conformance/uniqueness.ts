import { describe, expect, test } from 'bun:test'
import { ConflictError } from '../../../core/stores/documents/port'
import { Sample } from '../sample-entity'
import { all, eq, sample, type Tools } from './tools'

/** Unique and partial unique indexes. */
export function uniqueness({ put, rows, documents }: Tools): void {
  const conflict = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(ConflictError)
    const { entity, fields, index } = error as ConflictError
    return { entity, fields, index }
  }

  describe('uniqueness', () => {
    test('of ids and unique fields answers a conflict that names index and fields', async () => {
      await put(sample(1, { unique_key: 'k' }))
      expect(await conflict(rows().insert(sample(1)))).toEqual({
        entity: 'Sample',
        fields: ['id'],
        index: 'id',
      })
      const named = { entity: 'Sample', fields: ['unique_key'], index: 'workspace_id.unique_key.unique' }
      expect(await conflict(rows().insert(sample(2, { unique_key: 'k' })))).toEqual(named)
      await put(sample(2, { unique_key: 'other' }))
      expect(await conflict(rows().updateOne(eq('id', 'smp_0002'), { set: { unique_key: 'k' } }))).toEqual(
        named,
      )
      expect((await rows().get('smp_0002'))?.unique_key).toBe('other')
    })

    test('holds in one workspace, and does not reach another', async () => {
      const theirs = { workspace_id: 'wks_2', unique_key: 'k' }
      await put(sample(1, { unique_key: 'k' }), sample(2, theirs))
      expect(await rows().count(eq('unique_key', 'k'))).toBe(2)
      expect((await conflict(rows().insert(sample(3, theirs)))).fields).toEqual(['unique_key'])
      expect(
        (await rows().insertMany([sample(4, theirs)])).failures.map(({ error }) => error.fields),
      ).toEqual([['unique_key']])
    })

    test('an index of before, across workspaces, gives way when the store is opened', async () => {
      const legacy = (Sample.indexes ?? []).map(({ unique, ...index }) =>
        unique ? { ...index, unsafeUniqueAcrossTenants: true as const } : index,
      )
      await documents().ensure([{ ...Sample, indexes: legacy }])
      await put(sample(1, { unique_key: 'k' }))
      const theirs = sample(2, { workspace_id: 'wks_2', unique_key: 'k' })
      await conflict(rows().insert(theirs))
      await documents().ensure([Sample])
      await put(theirs)
      expect((await conflict(rows().insert(sample(3, { unique_key: 'k' })))).fields).toEqual(['unique_key'])
    })

    test('does not concern null, missing, or rows outside a partial index', async () => {
      await put(sample(1), sample(2, { unique_key: null }), sample(3, { unique_key: null }), sample(4))
      const pair = { kind: 'a', rank: 1 }
      await put(
        sample(5, { ...pair, is_open: false }),
        sample(6, { ...pair, is_open: false }),
        sample(7, pair),
      )
      await put(
        sample(8, { ...pair, is_open: true }),
        sample(9, { kind: 'a', is_open: true }),
        sample(10, { kind: 'a', is_open: true }),
      )
      expect((await conflict(rows().insert(sample(11, { ...pair, is_open: true })))).fields).toEqual([
        'kind',
        'rank',
      ])
      expect(
        (await conflict(rows().updateOne(eq('id', 'smp_0007'), { set: { is_open: true } }))).fields,
      ).toEqual(['kind', 'rank'])
    })

    test('insertMany inserts what it can and reports the others by position', async () => {
      await put(sample(1, { unique_key: 'k' }))
      const answer = await rows().insertMany([
        sample(2),
        sample(3, { unique_key: 'k' }),
        sample(4),
        sample(2),
        sample(5),
      ])
      expect(answer.inserted).toBe(3)
      expect(answer.failures.map(({ index, error }) => [index, error.fields])).toEqual([
        [1, ['unique_key']],
        [3, ['id']],
      ])
      expect(await rows().count(all)).toBe(4)
      expect(await rows().insertMany([])).toEqual({ inserted: 0, failures: [] })
    })

    test('an upsert makes one row, however many ask at once', async () => {
      const upsert = (n: number) =>
        rows().updateOne(
          eq('unique_key', 'only'),
          { setOnInsert: sample(n), inc: { attempts: 1 } },
          { upsert: true, returning: 'after' },
        )
      const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => upsert(n)))
      expect(new Set(answers.map((row) => row?.id)).size).toBe(1)
      expect(await rows().count(all)).toBe(1)
      expect((await rows().find({ where: all }))[0]).toMatchObject({ unique_key: 'only', attempts: 12 })
    })
  })
}
