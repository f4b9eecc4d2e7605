import { describe, expect, test } from 'bun:test'
import type { Scalar, SortKey, Where } from 'renown'
import { hiddenFields } from '../../../core/kit/fields'
import { Sample } from '../sample-entity'
import { all, asc, desc, moment, sample, type Tools, text } from './tools'

/** The order of rows. */
export function ordering({ put, ids }: Tools): void {
  test('null and missing sort first ascending and last descending; ties go by id in the last direction', async () => {
    await put(
      sample(1, { score: 2 }),
      sample(2),
      sample(3, { score: null }),
      sample(4, { score: -1.5 }),
      sample(5, { score: 2 }),
    )
    expect(await ids(all, [asc('score')])).toEqual([2, 3, 4, 1, 5])
    expect(await ids(all, [desc('score')])).toEqual([5, 1, 4, 3, 2])
    expect(await ids(all, [desc('score'), asc('created_date')])).toEqual([1, 5, 4, 2, 3])
    expect(await ids(all, [asc('score'), desc('id')])).toEqual([3, 2, 4, 5, 1])
    expect(await ids(all, [desc('created_date')])).toEqual([5, 4, 3, 2, 1])
  })
}

/** Cursors, limits and skips. */
export function paging({ put, rows }: Tools): void {
  const walk = async (where: Where, sort: SortKey[], limit: number, between: () => Promise<void>) => {
    const seen: string[] = []
    let after: { values: readonly Scalar[]; id: string } | undefined
    for (let page = 0; page < 60; page++) {
      const query = { where, sort, limit, ...(after ? { after } : {}) }
      const { body, more, last } = await rows().findJson({ ...query, omit: hiddenFields(Sample) })
      seen.push(...JSON.parse(text(body)).map(({ id }: { id: string }) => id))
      if (!more || !last) return seen
      after = last
      await between()
    }
    throw new Error('the walk does not end')
  }

  describe('paging', () => {
    const sorts: SortKey[][] = [
      [desc('created_date')],
      [asc('score')],
      [desc('score')],
      [asc('stage'), desc('score')],
      [desc('is_open'), asc('seen_at'), desc('title')],
      [desc('id')],
    ]
    test('by cursor repeats and skips no row, whatever the sort, with nulls', async () => {
      const values = [null, undefined, 1, 2, 2, 2.5]
      await put(
        ...Array.from({ length: 40 }, (_, n) =>
          sample(n, {
            score: values[n % 6],
            is_open: [true, false, undefined][n % 3],
            stage: ['new', 'won'][n % 2],
            seen_at: n % 4 ? moment(n % 5) : null,
            title: n % 7 ? `t${n % 3}` : undefined,
          }),
        ),
      )
      for (const sort of sorts) {
        const whole = (await rows().find({ where: all, sort })).map(({ id }) => id)
        expect(await walk(all, sort, 7, async () => undefined)).toEqual(whole)
      }
    })

    test('by cursor loses nothing while rows come in', async () => {
      await put(...Array.from({ length: 30 }, (_, n) => sample(n, { score: n % 3 })))
      for (const sort of [[desc('created_date')], [desc('score')]] as SortKey[][]) {
        const before = (await rows().find({ where: all, sort })).map(({ id }) => id)
        let n = sort[0]?.field === 'score' ? 500 : 100
        const seen = await walk(all, sort, 4, async () => rows().insert(sample(n++, { score: n % 3 })))
        expect(new Set(seen).size).toBe(seen.length)
        expect(seen.filter((id) => before.includes(id))).toEqual(before)
      }
    })

    test('limit and skip cut the order', async () => {
      await put(...Array.from({ length: 9 }, (_, n) => sample(n)))
      const found = await rows().find({ where: all, sort: [asc('id')], limit: 3, skip: 4 })
      expect(found.map(({ id }) => id)).toEqual(['smp_0004', 'smp_0005', 'smp_0006'])
      expect(await rows().find({ where: all, skip: 9 })).toEqual([])
      expect(await rows().find({ where: all, skip: 7, sort: [asc('id')] })).toHaveLength(2)
    })
  })
}
