import { describe, expect, test } from 'bun:test'
import type { Collection } from '../../../core/stores/documents/port'
import { all, asc, desc, eq, moment, sample, type Tools } from './tools'

/** Patches of one document, and changes of many. */
export function updating({ put, rows }: Tools): void {
  describe('updating one document', () => {
    const update = async (patch: Parameters<Collection['updateOne']>[1]) => {
      await rows().updateOne(eq('id', 'smp_0001'), patch)
      return rows().get('smp_0001')
    }

    test('sets, unsets and reaches into objects', async () => {
      await put(sample(1, { author: { handle: 'a', followers: 1 }, kind: 'k' }))
      const changed = await update({
        set: {
          'author.handle': 'b',
          'author.at': moment(3),
          score: null,
          people: [{ name: 'p', met_at: moment(4) }],
        },
        unset: ['kind', 'author.followers', 'title'],
      })
      expect(changed).toEqual(
        sample(1, {
          author: { handle: 'b', at: moment(3) },
          score: null,
          people: [{ name: 'p', met_at: moment(4) }],
        }),
      )
      expect(await update({ unset: ['author'], set: { seen_at: moment(9) } })).toEqual(
        sample(1, { score: null, people: [{ name: 'p', met_at: moment(4) }], seen_at: moment(9) }),
      )
      expect((await update({ set: { 'author.handle': 'new' } }))?.author).toEqual({ handle: 'new' })
    })

    test('counts, and keeps the lowest or highest', async () => {
      await put(sample(1, { rank: 5, numbers: [] }))
      expect(await update({ inc: { rank: -2, attempts: 3, score: 0.5 } })).toMatchObject({
        rank: 3,
        attempts: 3,
        score: 0.5,
      })
      expect(
        await update({ min: { rank: 1, score: 9 }, max: { attempts: 2, seen_at: moment(5) } }),
      ).toMatchObject({
        rank: 1,
        score: 0.5,
        attempts: 3,
        seen_at: moment(5),
      })
      expect(await update({ max: { seen_at: moment(7) } })).toMatchObject({ seen_at: moment(7) })
      expect(await update({ min: { seen_at: moment(8) } })).toMatchObject({ seen_at: moment(7) })
    })

    test('pushes with a cap, adds to a set and pulls', async () => {
      await put(sample(1, { tags: ['a'] }))
      expect(
        (await update({ push: { tags: { values: ['b', 'c'] }, numbers: { values: [1] } } }))?.tags,
      ).toEqual(['a', 'b', 'c'])
      expect((await update({ push: { tags: { values: ['d', 'e'], cap: 3 } } }))?.tags).toEqual([
        'c',
        'd',
        'e',
      ])
      expect((await update({ addToSet: { tags: ['e', 'f', 'f'] } }))?.tags).toEqual(['c', 'd', 'e', 'f'])
      const pulled = await update({ pull: { tags: ['d', 'f', 'x'], numbers: [2] } })
      expect([pulled?.tags, pulled?.numbers]).toEqual([['c', 'e'], [1]])
    })

    test('answers the row before or after, null where none matched', async () => {
      await put(sample(1, { score: 1 }))
      const where = eq('id', 'smp_0001')
      expect((await rows().updateOne(where, { inc: { score: 1 } }, { returning: 'before' }))?.score).toBe(1)
      expect((await rows().updateOne(where, { inc: { score: 1 } }, { returning: 'after' }))?.score).toBe(3)
      expect((await rows().updateOne(where, { inc: { score: 1 } }))?.score).toBe(4)
      expect(await rows().updateOne(eq('id', 'smp_0002'), { inc: { score: 1 } })).toBeNull()
      expect(await rows().count(all)).toBe(1)
    })

    test('upserts by id: setOnInsert only when it inserts', async () => {
      const upsert = (returning: 'before' | 'after') =>
        rows().updateOne(
          eq('id', 'smp_0001'),
          { setOnInsert: sample(1, { kind: 'first' }), set: { score: 1 } },
          { upsert: true, returning },
        )
      expect(await upsert('before')).toBeNull()
      expect(await upsert('after')).toEqual(sample(1, { kind: 'first', score: 1 }))
      await rows().updateOne(eq('id', 'smp_0001'), { set: { kind: 'second' } })
      expect((await upsert('after'))?.kind).toBe('second')
    })

    test("sets a field to the store's own clock plus an offset", async () => {
      await put(sample(1))
      const before = Date.now()
      const now = await update({
        setNow: { seen_at: 0, expires_at: 60_000 },
        set: { kind: 'leased' },
        inc: { attempts: 1 },
      })
      const [seen, expires] = [now?.seen_at, now?.expires_at].map((value) => Date.parse(String(value)))
      expect(Math.abs((seen ?? 0) - before)).toBeLessThan(20_000)
      expect(Math.abs((expires ?? 0) - (seen ?? 0) - 60_000)).toBeLessThan(50)
      expect(now).toMatchObject({ kind: 'leased', attempts: 1 })
      expect(
        await rows().count({ op: 'gt', field: 'expires_at', value: new Date(before).toISOString() }),
      ).toBe(1)
    })

    test("joins the store's clock with every other change, and with an upsert", async () => {
      await put(sample(1, { tags: ['a', 'b', 'c'], rank: 5, attempts: 5, kind: 'k', numbers: [1, 2] }))
      const changed = await update({
        setNow: { seen_at: 0 },
        set: { 'author.handle': 'h', title: '$literal' },
        unset: ['kind'],
        inc: { score: 1.5 },
        min: { rank: 3 },
        max: { attempts: 9, due: '2026-01-01' },
        push: { tags: { values: ['d', 'e'], cap: 4 } },
        addToSet: { numbers: [2, 3, 3] },
      })
      expect(changed).toEqual(
        sample(1, {
          tags: ['b', 'c', 'd', 'e'],
          numbers: [1, 2, 3],
          rank: 3,
          attempts: 9,
          due: '2026-01-01',
          score: 1.5,
          title: '$literal',
          author: { handle: 'h' },
          seen_at: changed?.seen_at,
        }),
      )
      expect(
        (await update({ setNow: { seen_at: 0 }, pull: { tags: ['c', 'x'] }, min: { rank: 8 } }))?.tags,
      ).toEqual(['b', 'd', 'e'])
      const claim = () =>
        rows().updateOne(
          eq('id', 'smp_0002'),
          { setNow: { expires_at: 1000 }, setOnInsert: sample(2, { kind: 'first' }), inc: { attempts: 1 } },
          { upsert: true },
        )
      const first = await claim()
      expect(first).toEqual(sample(2, { kind: 'first', attempts: 1, expires_at: first?.expires_at }))
      await update({ set: { kind: 'x' } })
      await rows().updateOne(eq('id', 'smp_0002'), { set: { kind: 'second' } })
      expect(await claim()).toMatchObject({ kind: 'second', attempts: 2, created_date: moment(2) })
    })

    test('fails as a whole: a patch that cannot be applied changes nothing', async () => {
      await put(sample(1, { title: 'text', author: null }))
      await expect(update({ set: { kind: 'x' }, inc: { title: 1 } })).rejects.toThrow()
      await expect(update({ set: { kind: 'x' }, push: { title: { values: ['a'] } } })).rejects.toThrow()
      await expect(update({ set: { kind: 'x', 'author.handle': 'y' } })).rejects.toThrow()
      expect(await rows().get('smp_0001')).toEqual(sample(1, { title: 'text', author: null }))
    })
  })

  test('updateMany and remove say how many rows they met', async () => {
    await put(...Array.from({ length: 1234 }, (_, n) => sample(n, { score: n % 2 })))
    expect(await rows().updateMany(eq('score', 1), { set: { stage: 'won' }, inc: { rank: 1 } })).toBe(617)
    expect(await rows().count({ op: 'and', of: [eq('stage', 'won'), eq('rank', 1)] })).toBe(617)
    expect(await rows().remove(eq('stage', 'won'))).toBe(617)
    expect(await rows().remove(eq('stage', 'won'))).toBe(0)
    expect(await rows().remove(all)).toBe(617)
  })
}

/** One winner among many. */
export function claiming({ put, rows }: Tools): void {
  describe('claiming', () => {
    test('gives every waiting row to one claimant, the first in order first', async () => {
      await put(...Array.from({ length: 30 }, (_, n) => sample(n, { score: n % 10 })))
      const claim = () =>
        rows().updateOne(eq('stage', 'new'), { set: { stage: 'won' } }, { sort: [desc('score'), asc('id')] })
      expect((await claim())?.id).toBe('smp_0009')
      const rest = await Promise.all(Array.from({ length: 40 }, claim))
      const won = rest.filter((row) => row !== null).map(({ id }) => id)
      expect([won.length, new Set(won).size]).toEqual([29, 29])
    })

    test('compare-and-set lets one of many win', async () => {
      await put(sample(1, { attempts: 0 }))
      const attempt = (n: number) =>
        rows().updateOne(
          { op: 'and', of: [eq('id', 'smp_0001'), eq('attempts', 0)] },
          { set: { kind: `${n}` }, inc: { attempts: 1 } },
        )
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => attempt(n)))
      expect(answers.filter((row) => row !== null)).toHaveLength(1)
    })
  })
}
