import { describe, expect, test } from 'bun:test'
import type { Where } from 'renown'
import { Sample } from '../sample-entity'
import { all, eq, moment, sample, type Tools } from './tools'

/** Values go in and out unchanged. */
export function storing({ put, rows, documents }: Tools): void {
  describe('storing', () => {
    const full = sample(1, {
      kind: null,
      score: 0.1,
      rank: 2 ** 53 - 1,
      is_open: true,
      seen_at: moment(5),
      due: '2026-02-28',
      title: 'Grüße 🎉 "quoted" \\ \u2028',
      tags: [],
      numbers: [1, 0.30000000000000004, -5e-324, 1797693134.8623157],
      author: { handle: 'a', followers: null, at: moment(6) },
      people: [{ name: 'b', met_at: moment(7) }, { name: 'c' }],
      raw: { ü: [{ deep: { er: null } }], empty: {}, list: [[]], date: '2026-01-01T00:00:00Z' },
      secret: 'hidden',
      attempts: 0,
    })

    test('what went in comes out, null stays null and missing stays missing', async () => {
      await put(full, sample(2))
      expect(await rows().get(full.id)).toEqual(full)
      expect(await rows().find({ where: eq('id', full.id) })).toEqual([full])
      expect(Object.keys((await rows().get('smp_0002')) ?? {}).sort()).toEqual(Object.keys(sample(2)).sort())
      expect(await rows().get('smp_0003')).toBeNull()
    })

    test('undefined is missing and −0 is 0', async () => {
      await rows().insert(
        sample(1, { score: -0, kind: undefined, author: { handle: 'x', followers: undefined } }),
      )
      const found = await rows().get('smp_0001')
      expect(Object.is(found?.score, 0)).toBe(true)
      expect(found).toStrictEqual(sample(1, { score: 0, author: { handle: 'x' } }))
    })

    test('keys of passed-through objects are whatever a third party sent', async () => {
      const raw = JSON.parse(
        '{"a.b":1,"$set":{"$gt":""},"__proto__":{"x":1},"list":[{"$where":"1"}],"constructor":"c","":0}',
      )
      await put(sample(1, { raw }), sample(2))
      await rows().updateOne(eq('id', 'smp_0002'), { set: { raw } })
      for (const id of ['smp_0001', 'smp_0002']) {
        expect(JSON.stringify((await rows().get(id))?.raw)).toBe(JSON.stringify(raw))
      }
      expect(({} as { x?: number }).x).toBeUndefined()
    })

    test('a read belongs to the caller: changing it changes nothing', async () => {
      await put(full)
      const found = (await rows().get(full.id)) as { tags: string[] } | null
      found?.tags.push('x')
      expect((await rows().get(full.id))?.tags).toEqual([])
    })

    test('ensure keeps what is there; ping answers', async () => {
      await put(full)
      await documents().ensure([Sample])
      await documents().ping()
      expect(await rows().count(all)).toBe(1)
    })
  })
}

/** The filter tree means the same everywhere. */
export function matching({ put, ids }: Tools): void {
  const cases = async (expected: readonly (readonly [Where, number[]])[]) => {
    for (const [where, wanted] of expected) {
      expect([where, await ids(where)]).toEqual([where, wanted])
      const others = (await ids(all)).filter((id) => !wanted.includes(id))
      expect([{ not: where }, await ids({ op: 'not', of: where })]).toEqual([{ not: where }, others])
      expect(await ids({ op: 'nor', of: [where] })).toEqual(others)
    }
  }

  describe('matching', () => {
    test('null and missing match alike; every negation includes them', async () => {
      await put(
        sample(1, { score: null, kind: 'a' }),
        sample(2, { kind: 'b' }),
        sample(3, { score: 3 }),
        sample(4, { score: 5 }),
      )
      await cases([
        [eq('score', null), [1, 2]],
        [{ op: 'ne', field: 'score', value: null }, [3, 4]],
        [{ op: 'ne', field: 'score', value: 3 }, [1, 2, 4]],
        [{ op: 'nin', field: 'score', values: [3, 9] }, [1, 2, 4]],
        [{ op: 'nin', field: 'score', values: [3, null] }, [4]],
        [{ op: 'in', field: 'score', values: [null, 5] }, [1, 2, 4]],
        [{ op: 'in', field: 'score', values: [] }, []],
        [{ op: 'nin', field: 'score', values: [] }, [1, 2, 3, 4]],
        [{ op: 'exists', field: 'score', value: true }, [3, 4]],
        [{ op: 'exists', field: 'score', value: false }, [1, 2]],
        [{ op: 'gt', field: 'score', value: 3 }, [4]],
        [{ op: 'gte', field: 'score', value: 3 }, [3, 4]],
        [{ op: 'lt', field: 'score', value: 5 }, [3]],
        [{ op: 'lte', field: 'score', value: 5 }, [3, 4]],
        [{ op: 'lt', field: 'score', value: null }, []],
        [{ op: 'and', of: [] }, [1, 2, 3, 4]],
        [{ op: 'or', of: [] }, []],
        [{ op: 'or', of: [eq('kind', 'a'), eq('score', 5)] }, [1, 4]],
        [{ op: 'nor', of: [eq('kind', 'a'), eq('score', 5)] }, [2, 3]],
        [
          { op: 'not', of: { op: 'or', of: [eq('kind', 'a'), { op: 'gt', field: 'score', value: 4 }] } },
          [2, 3],
        ],
      ])
    })

    test('on an array a comparison holds when any element meets it', async () => {
      await put(
        sample(1, { tags: ['a', 'b'], numbers: [1, 9] }),
        sample(2, { tags: ['b'], numbers: [5] }),
        sample(3, { tags: [], numbers: [] }),
        sample(4),
        sample(5, { tags: null }),
      )
      await cases([
        [eq('tags', 'b'), [1, 2]],
        [{ op: 'ne', field: 'tags', value: 'a' }, [2, 3, 4, 5]],
        [eq('tags', null), [4, 5]],
        [{ op: 'in', field: 'tags', values: ['a', 'x'] }, [1]],
        [{ op: 'in', field: 'tags', values: ['a', null] }, [1, 4, 5]],
        [{ op: 'nin', field: 'tags', values: ['a', 'x'] }, [2, 3, 4, 5]],
        [{ op: 'all', field: 'tags', values: ['b', 'a'] }, [1]],
        [{ op: 'size', field: 'tags', value: 0 }, [3]],
        [{ op: 'size', field: 'tags', value: 2 }, [1]],
        [{ op: 'exists', field: 'tags', value: true }, [1, 2, 3]],
        [{ op: 'exists', field: 'tags', value: false }, [4, 5]],
        [{ op: 'gt', field: 'numbers', value: 5 }, [1]],
        [
          {
            op: 'and',
            of: [
              { op: 'gt', field: 'numbers', value: 4 },
              { op: 'lt', field: 'numbers', value: 2 },
            ],
          },
          [1],
        ],
        [{ op: 'startsWith', field: 'tags', value: 'B' }, [1, 2]],
      ])
    })

    test('booleans, days, instants, whole numbers and entries of objects compare by their kind', async () => {
      await put(
        sample(1, { is_open: true, due: '2026-02-01', seen_at: moment(10), rank: 2 }),
        sample(2, { is_open: false, due: '2026-11-01', seen_at: moment(20), rank: 10 }),
        sample(3, { author: { handle: 'x', at: moment(30), followers: 3 } }),
        sample(4, { author: { handle: 'y', followers: null } }),
        sample(5, { author: null, people: [{ name: 'p' }] }),
      )
      await cases([
        [eq('is_open', true), [1]],
        [{ op: 'ne', field: 'is_open', value: true }, [2, 3, 4, 5]],
        [{ op: 'in', field: 'is_open', values: [false, null] }, [2, 3, 4, 5]],
        [{ op: 'lt', field: 'due', value: '2026-10-01' }, [1]],
        [{ op: 'gte', field: 'seen_at', value: moment(20) }, [2]],
        [eq('seen_at', moment(10)), [1]],
        [{ op: 'gt', field: 'rank', value: 9.5 }, [2]],
        [eq('author.handle', 'x'), [3]],
        [{ op: 'lte', field: 'author.at', value: moment(30) }, [3]],
        [eq('author.followers', null), [1, 2, 4, 5]],
        [{ op: 'exists', field: 'author', value: true }, [3, 4]],
        [{ op: 'exists', field: 'people', value: true }, [5]],
        [{ op: 'size', field: 'people', value: 1 }, [5]],
        [{ op: 'in', field: 'id', values: ['smp_0002', 'smp_0005', 'smp_0009'] }, [2, 5]],
        [{ op: 'gt', field: 'id', value: 'smp_0003' }, [4, 5]],
      ])
    })
  })
}
