import { describe, expect, test } from 'bun:test'
import type { Where } from 'renown'
import { hiddenFields } from '../../../core/kit/fields'
import { Sample } from '../sample-entity'
import { all, asc, desc, eq, moment, sample, type Tools, text } from './tools'

/** Groups and measures. */
export function grouping({ put, rows }: Tools): void {
  describe('grouping', () => {
    test('by fields in the order of their values, null for missing', async () => {
      await put(
        sample(1, { stage: 'won', score: 2, is_open: true }),
        sample(2, { stage: 'won', score: 4, is_open: false }),
        sample(3, { stage: 'new', score: null }),
        sample(4, { stage: 'won', is_open: true, seen_at: moment(3) }),
      )
      const by = ['stage', 'is_open']
      const measures = [
        { as: 'n', fn: 'count' },
        { as: 'scored', fn: 'count', field: 'score' },
        { as: 'seen', fn: 'count', field: 'seen_at' },
        { as: 'sum', fn: 'sum', field: 'score' },
        { as: 'avg', fn: 'avg', field: 'score' },
        { as: 'low', fn: 'min', field: 'score' },
        { as: 'last', fn: 'max', field: 'seen_at' },
        { as: 'open', fn: 'max', field: 'is_open' },
      ] as const
      expect(await rows().group({ by, measures })).toEqual([
        {
          stage: 'new',
          is_open: null,
          n: 1,
          scored: 0,
          seen: 0,
          sum: 0,
          avg: null,
          low: null,
          last: null,
          open: null,
        },
        {
          stage: 'won',
          is_open: false,
          n: 1,
          scored: 1,
          seen: 0,
          sum: 4,
          avg: 4,
          low: 4,
          last: null,
          open: false,
        },
        {
          stage: 'won',
          is_open: true,
          n: 2,
          scored: 1,
          seen: 1,
          sum: 2,
          avg: 2,
          low: 2,
          last: moment(3),
          open: true,
        },
      ])
      expect(await rows().group({ by: ['stage'], measures: [{ as: 'n', fn: 'count' }], limit: 1 })).toEqual([
        { stage: 'new', n: 1 },
      ])
      expect(await rows().group({ where: eq('kind', 'none'), by: ['stage'], measures: [] })).toEqual([])
    })

    test('by day, week and month of a time zone', async () => {
      const at = (n: number, created: string) => sample(n, { seen_at: created })
      await put(
        at(1, '2026-03-28T23:30:00.000Z'),
        at(2, '2026-03-29T22:30:00.000Z'),
        at(3, '2026-03-31T21:59:59.999Z'),
        at(4, '2026-03-31T22:00:00.000Z'),
        sample(5),
      )
      const cut = async (unit: 'day' | 'week' | 'month', timezone: string) =>
        (
          await rows().group({
            by: [{ field: 'seen_at', unit, timezone }],
            measures: [{ as: 'n', fn: 'count' }],
          })
        ).map(({ seen_at, n }) => [seen_at, n])
      expect(await cut('day', 'Europe/Berlin')).toEqual([
        [null, 1],
        ['2026-03-29', 1],
        ['2026-03-30', 1],
        ['2026-03-31', 1],
        ['2026-04-01', 1],
      ])
      expect(await cut('week', 'Europe/Berlin')).toEqual([
        [null, 1],
        ['2026-03-23', 1],
        ['2026-03-30', 3],
      ])
      expect(await cut('month', 'Asia/Kathmandu')).toEqual([
        [null, 1],
        ['2026-03-01', 2],
        ['2026-04-01', 2],
      ])
      expect(await cut('day', 'UTC')).toEqual([
        [null, 1],
        ['2026-03-28', 1],
        ['2026-03-29', 1],
        ['2026-03-31', 2],
      ])
    })
  })
}

/** The fast list. */
export function lists({ put, rows }: Tools): void {
  describe('lists as JSON', () => {
    const omit = hiddenFields(Sample)
    const some = () =>
      put(
        ...Array.from({ length: 5 }, (_, n) =>
          sample(n, {
            secret: 's',
            attempts: n,
            title: 'ü"\\',
            seen_at: moment(n),
            author: { handle: 'h', at: moment(n) },
          }),
        ),
      )

    test('hold the rows of find without what is omitted, and say whether more follow', async () => {
      await some()
      const query = { where: all, sort: [desc('created_date')], limit: 3 }
      const page = await rows().findJson({ ...query, omit })
      const expected = (await rows().find(query)).map((row) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => !omit.includes(name))),
      )
      expect(JSON.parse(text(page.body))).toEqual(expected)
      expect(text(page.body)).not.toMatch(/secret|attempts|workspace_id/)
      expect(page).toMatchObject({ count: 3, more: true, last: { values: [moment(2)], id: 'smp_0002' } })
      const rest = await rows().findJson({ ...query, omit, limit: 5 })
      expect(rest).toMatchObject({ count: 5, more: false })
      const none = await rows().findJson({ where: eq('kind', 'x'), limit: 3, omit })
      expect([text(none.body), none.count, none.more, none.last]).toEqual(['[]', 0, false, null])
    })

    test('are found with only the fields that were asked for, and the id', async () => {
      await some()
      const query = { where: all, sort: [desc('created_date')], limit: 2, skip: 1 }
      const whole = await rows().find(query)
      for (const fields of [['title', 'author'], ['seen_at', 'kind'], ['secret'], ['id', 'attempts'], []]) {
        const kept = new Set(['id', ...fields])
        expect<unknown>(await rows().find({ ...query, fields })).toEqual(
          whole.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => kept.has(name)))),
        )
      }
    })

    test('begin with the id and hold only the fields that were asked for', async () => {
      await some()
      const page = await rows().findJson({
        where: all,
        sort: [asc('id')],
        limit: 1,
        omit,
        fields: ['title', 'seen_at'],
      })
      expect(JSON.parse(text(page.body))).toEqual([{ title: 'ü"\\', seen_at: moment(0) }])
      expect(page.last?.id).toBe('smp_0000')
      const whole = await rows().findJson({ where: all, limit: 1, omit })
      expect(text(whole.body)).toStartWith('[{"id":"smp_')
      const other = await rows().findJson({ where: all, sort: [asc('id')], limit: 1, omit: ['title'] })
      expect(JSON.parse(text(other.body))[0]).toMatchObject({ secret: 's', workspace_id: 'wks_1' })
      expect(JSON.parse(text(other.body))[0]).not.toHaveProperty('title')
    })

    test('leave out exactly what is omitted, whether the entity hides it or not', async () => {
      await put(sample(1, { secret: 's', attempts: 1, title: 't', kind: 'k' }))
      const shown = async (left: readonly string[]) => {
        const { body, more } = await rows().findJson({ where: all, limit: 1, omit: left })
        expect(more).toBe(false)
        return Object.keys(JSON.parse(text(body))[0]).sort()
      }
      const every = Object.keys((await rows().get('smp_0001')) ?? {}).sort()
      for (const left of [
        [],
        ['title'],
        ['title', 'kind', 'stage'],
        [...omit, 'title'],
        ['secret', 'kind', 'attempts'],
      ]) {
        expect([left, await shown(left)]).toEqual([left, every.filter((name) => !left.includes(name))])
      }
    })

    test('counts stop at a limit; a find on a declared index examines nothing beside its answer', async () => {
      await some()
      expect(await rows().count(all)).toBe(5)
      expect(await rows().count(all, 3)).toBe(3)
      const inside = eq('workspace_id', 'wks_1')
      const examined = (...of: Where[]) => rows().examined({ where: { op: 'and', of: [inside, ...of] } }, 4)
      expect(await examined(eq('stage', 'new'))).toBe(0)
      expect(await examined({ op: 'ne', field: 'is_archived', value: true })).toBe(0)
      expect(await examined(eq('id', 'smp_0001'), eq('title', 'x'))).toBe(0)
      expect(await examined(eq('title', 'x'))).toBe(4)
      expect(await examined(eq('stage', 'won'), eq('title', 'x'))).toBe(0)
      expect(await rows().examined({ where: inside, sort: [asc('title')] }, 100)).toBe(5)
    })
  })
}
