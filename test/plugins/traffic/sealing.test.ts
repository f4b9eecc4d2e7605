import { describe, expect, test } from 'bun:test'
import { type Columns, Refusal } from 'renown'
import { assetPath, otherPath } from 'renown/traffic'
import * as v from 'valibot'
import { rowPages, rowsOf } from '../../../core/contexts/row-pages'
import type { PagesQuery } from '../../../core/contracts/context'
import { daysWhere, refuseTooMany, sitesOf, siteWhere, todayOf } from '../../../plugins/traffic/records/days'
import { pendingDays } from '../../../plugins/traffic/sealing/pendingDays'
import { readDays } from '../../../plugins/traffic/sealing/readDays'
import { sealDays } from '../../../plugins/traffic/sealing/sealDays'
import { sealRounds } from '../../../plugins/traffic/sealing/sealRounds'
import { stampSites } from '../../../plugins/traffic/sealing/stampSites'
import { claimsFeed } from '../../../plugins/traffic/sites/claimsFeed'
import { listedDays } from '../../../plugins/traffic/sums/listedDays'
import { summedDays } from '../../../plugins/traffic/sums/summedDays'

type TrafficFilters = { sql: string; params: Record<string, unknown> | undefined }
/** Columns that give these rows, query after query, and remember what they were asked. */
function columnsOf(...answers: readonly object[][]) {
  const asked: TrafficFilters[] = []
  const query = async (sql: string, params?: Record<string, unknown>) => {
    asked.push({ sql, params })
    return answers[asked.length - 1] ?? []
  }
  return { columns: { query } as unknown as Columns, asked }
}
const day = (site_id: string, date = '2026-01-01') => ({ site_id, date })

describe('the rounds of sealing', () => {
  const sizes = async (counts: readonly number[]) => {
    const days = counts.map((_, place) => day(`s${place}`))
    const { columns } = columnsOf(days.map((one, place) => ({ ...one, n: counts[place] })))
    return (await sealRounds(columns, days)).map((round) => round.length)
  }

  test('hold at most 100 days', async () => {
    expect(await sizes(Array(250).fill(1))).toEqual([100, 100, 50])
    expect(await sizes(Array(100).fill(1))).toEqual([100])
    expect(await sizes([])).toEqual([])
  })

  test('read at most 50,000 rows, unless a single day has more', async () => {
    expect(await sizes([25_000, 25_000, 1])).toEqual([2, 1])
    expect(await sizes([25_000, 25_001])).toEqual([1, 1])
    expect(await sizes([60_000, 1, 49_999, 1])).toEqual([1, 2, 1])
    expect(await sizes([10_000, 20_000, 20_000, 50_000, 1])).toEqual([3, 1, 1])
  })

  test('keep the order, ask for each site and date once, and count a day without rows as none', async () => {
    const days = [day('b'), day('a'), day('a', '2026-01-02')]
    const { columns, asked } = columnsOf([{ ...day('b'), n: 50_000 }])
    expect(await sealRounds(columns, days)).toEqual([days])
    expect(asked[0]?.params).toEqual({ sites: ['b', 'a'], dates: ['2026-01-01', '2026-01-02'] })
  })
})

describe('the facts of a day', () => {
  const sum = (over: string, n: number, more: object = {}) => ({
    ...day('s'),
    kind: 'crawl',
    agent: '',
    category: '',
    operator: '',
    path: `/${n}`,
    n,
    verified: 0,
    spoofed: 0,
    over,
    ...more,
  })
  const many = (over: string, count: number, more: object = {}) =>
    Array.from({ length: count }, (_, place) => sum(over, 1_000 - place, more))

  test('list 25 paths, 12 of each category and 25 landing pages, the first that come', async () => {
    const { columns, asked } = columnsOf([
      ...many('path', 30),
      ...many('category path', 14, { category: 'training' }),
      ...many('category path', 14, { category: 'ai_answers' }),
      ...many('path', 30, { kind: 'visit' }),
      sum('agent', 7, { agent: 'GPTBot', category: 'training', operator: 'OpenAI', verified: 3, spoofed: 1 }),
      sum('agent', 4, { kind: 'visit', agent: 'chatgpt.com' }),
      sum('path', 1, { site_id: 'nobody asked' }),
    ])
    const facts = (await readDays(columns, [day('s'), day('t')])).get('s:2026-01-01')
    const paths = (rows: readonly { path: string }[] = []) => rows.map(({ path }) => path)
    const first = (count: number) => Array.from({ length: count }, (_, place) => `/${1_000 - place}`)
    expect(paths(facts?.topPaths)).toEqual(first(25))
    expect(paths(facts?.referralPaths)).toEqual(first(25))
    for (const category of ['training', 'ai_answers'])
      expect(paths(facts?.categoryPaths.filter((one) => one.category === category))).toEqual(first(12))
    expect(facts?.agents).toEqual([
      expect.objectContaining({
        agent: 'GPTBot',
        category: 'training',
        operator: 'OpenAI',
        hits: 7,
        verified: 3,
        spoofed: 1,
      }),
    ])
    expect(facts?.referrers).toEqual([{ host: 'chatgpt.com', visits: 4 }])
    expect(asked[0]?.sql).toContain('LIMIT 25 BY')
    expect(asked[0]?.params).toEqual({
      sites: ['s', 't'],
      dates: ['2026-01-01'],
      keys: ['s:2026-01-01', 't:2026-01-01'],
      collecting: [otherPath, assetPath],
    })
  })

  test('of a day without hits are there and empty', async () => {
    const facts = await readDays(columnsOf([]).columns, [day('s')])
    expect([...facts]).toEqual([
      [
        's:2026-01-01',
        {
          agents: [],
          topPaths: [],
          categoryPaths: [],
          referrers: [],
          referralPaths: [],
          signed: [],
          statuses: [],
          agentPaths: [],
        },
      ],
    ])
  })
})

describe('the days to seal', () => {
  test('are looked for only where something was touched, 2,000 at once', async () => {
    const nothing = columnsOf([])
    expect(await pendingDays(nothing.columns)).toEqual({ days: [], isFull: false, sweptMs: null })
    expect(nothing.asked).toHaveLength(1)
    const { columns, asked } = columnsOf([{ sweeps: 0, asked_ms: 7 }], [day('s')])
    expect<unknown>(await pendingDays(columns)).toEqual({ days: [day('s')], isFull: false, sweptMs: null })
    expect(asked[1]?.params).toEqual({ overlap: 5_000, pause: 2_500, days: 2_000, sweeps: 0 })
    for (const { sql } of asked) {
      expect(sql).toContain('INTERVAL 10 MINUTE')
    }
  })

  test('say when a sweep looked, and whether more may wait', async () => {
    const { columns, asked } = columnsOf([{ sweeps: 1, asked_ms: 7 }], Array(2_000).fill(day('s')))
    expect(await pendingDays(columns)).toMatchObject({ isFull: true, sweptMs: 7 })
    expect(asked[1]?.params).toMatchObject({ sweeps: 1 })
  })
})

describe('the last hits of a site', () => {
  const now = Date.parse('2026-01-01T12:00:00.000Z')
  const iso = (ms: number) => new Date(ms).toISOString()
  const stamped = async (
    found: { source: string; at: number; site_id?: string }[],
    site: object = {},
    touched: { ago: number; site_id?: string }[] = [],
  ) => {
    const { columns, asked } = columnsOf(found.map((one) => ({ site_id: 's', ...one })))
    const updates: unknown[] = []
    const rows = () => ({ update: async (id: string, changes: object) => updates.push([id, changes]) })
    const ctx = { columns, rows, now: () => new Date(now) } as never
    const days = touched.map(({ ago, site_id = 's' }) => ({
      ...day(site_id),
      asked_ms: now,
      touched_ms: now - ago,
    }))
    await stampSites(ctx, [{ id: 's', ...site }] as never, days as never)
    expect(asked[0]?.params).toEqual({ sites: ['s'] })
    return updates
  }

  test('are stamped by source, the first time at once', async () => {
    expect(await stamped([{ source: 'beacon', at: now - 5 }], {}, [{ ago: 0 }])).toEqual([
      ['s', { last_beacon_at: iso(now - 5) }],
    ])
    expect(await stamped([{ source: 'log', at: now - 5 }], {}, [{ ago: 0 }])).toEqual([
      ['s', { last_log_at: iso(now - 5) }],
    ])
    expect(await stamped([{ source: 'log', at: now - 5, site_id: 'other' }])).toEqual([])
    expect(await stamped([])).toEqual([])
  })

  test('lag up to a minute while hits come, and are exact after 2.5 quiet seconds', async () => {
    const site = { last_log_at: iso(now - 60_000) }
    const hit = [{ source: 'log', at: now }]
    expect(await stamped(hit, site, [{ ago: 2_500 }])).toEqual([])
    expect(await stamped(hit, { last_log_at: iso(now - 60_001) }, [{ ago: 0 }])).toHaveLength(1)
    expect(await stamped(hit, site, [{ ago: 2_501 }])).toEqual([['s', { last_log_at: iso(now) }]])
    expect(await stamped(hit, site, [{ ago: 2_501 }, { ago: 0 }])).toEqual([])
    expect(await stamped(hit, site, [{ ago: 0, site_id: 'other' }])).toHaveLength(1)
  })

  test('never go back, and never beyond now', async () => {
    expect(await stamped([{ source: 'log', at: now - 10 }], { last_log_at: iso(now - 10) })).toEqual([])
    expect(await stamped([{ source: 'log', at: now - 10 }], { last_log_at: iso(now - 9) })).toEqual([])
    expect(await stamped([{ source: 'log', at: now + 9_999 }])).toEqual([['s', { last_log_at: iso(now) }]])
    const both = [
      { source: 'log', at: now - 1 },
      { source: 'beacon', at: now - 2 },
    ]
    expect(await stamped(both)).toEqual([['s', { last_beacon_at: iso(now - 2), last_log_at: iso(now - 1) }]])
  })
})

describe('reading daily rows', () => {
  /** A list of rows, page by page, with what each page was asked. */
  function listing(all: readonly { id: string; site_id?: string }[]) {
    const asked: { where: unknown; limit: number }[] = []
    const list = async (query: { where: unknown; limit: number }) => {
      const from = asked.reduce((sum, { limit }) => sum + limit, 0)
      asked.push(query)
      return all.slice(from, from + query.limit)
    }
    const pages = (query: PagesQuery) => rowPages(list as never, query)
    const ctx = {
      rows: () => ({ list, pages, each: (query: PagesQuery) => rowsOf(pages(query)) }),
      now: () => new Date('2026-01-01T12:00:00.000Z'),
      workspace: { timezone: 'Pacific/Niue' },
    }
    return { ctx: ctx as never, asked }
  }
  const rows = (count: number) =>
    Array.from({ length: count }, (_, place) => ({ id: `id${String(place).padStart(5, '0')}`, site_id: 's' }))

  test('finds every site, 500 at a time, each page after the last id', async () => {
    for (const [count, pages] of [
      [0, 1],
      [499, 1],
      [500, 2],
      [1_250, 3],
    ] as const) {
      const { ctx, asked } = listing(rows(count))
      expect(await sitesOf(ctx, {})).toHaveLength(count)
      expect([count, asked.length]).toEqual([count, pages])
    }
    const { ctx, asked } = listing(rows(1_001))
    await sitesOf(ctx, { location_id: 'loc' })
    expect((asked as { sort?: unknown }[])[0]?.sort).toEqual([{ field: 'id', direction: 'asc' }])
    const own = { op: 'and', of: [{ op: 'eq', field: 'location_id', value: 'loc' }] }
    expect(asked.map((one) => one.where)).toEqual([
      { op: 'and', of: [own] },
      { op: 'and', of: [own, { op: 'gt', field: 'id', value: 'id00499' }] },
      { op: 'and', of: [own, { op: 'gt', field: 'id', value: 'id00999' }] },
    ])
  })

  test('a site that is not there is not found; a location without sites is no fault', async () => {
    const found = await sitesOf(listing([]).ctx, { site_id: 'x', location_id: 'loc' }).catch((error) => error)
    expect(found).toBeInstanceOf(Refusal)
    expect(found.code).toBe('not_found')
    expect(await sitesOf(listing([]).ctx, { location_id: 'loc' })).toEqual([])
  })

  test('a period is bounded at both ends, of a site, a location or all', () => {
    const period = { date_from: '2026-01-01', date_to: '2026-01-31' }
    const from = { op: 'gte', field: 'date', value: '2026-01-01' }
    const to = { op: 'lte', field: 'date', value: '2026-01-31' }
    const all = { op: 'and', of: [] }
    expect<unknown>(daysWhere({}, period)).toEqual({ op: 'and', of: [from, to, all] })
    expect(siteWhere({ site_id: 's', location_id: 'l' })).toEqual({
      op: 'and',
      of: [
        { op: 'eq', field: 'site_id', value: 's' },
        { op: 'eq', field: 'location_id', value: 'l' },
      ],
    })
    expect<unknown>(siteWhere({})).toEqual(all)
  })

  test('today is the day of the sites, and of the workspace where there is none', () => {
    const { ctx } = listing([])
    const sites = (...zones: string[]) => zones.map((timezone) => ({ timezone })) as never
    expect(todayOf(ctx, sites('UTC'))).toEqual({ latest: '2026-01-01', earliest: '2026-01-01' })
    expect(todayOf(ctx, sites('Pacific/Kiritimati', 'UTC'))).toEqual({
      latest: '2026-01-02',
      earliest: '2026-01-01',
    })
    expect(todayOf(ctx, sites())).toEqual({ latest: '2026-01-01', earliest: '2026-01-01' })
  })

  test('an answer is made from at most 50,000 site-days', () => {
    expect(() => refuseTooMany(50_000)).not.toThrow()
    let refusal: unknown
    try {
      refuseTooMany(50_001)
    } catch (error) {
      refusal = error
    }
    expect(refusal).toMatchObject({
      code: 'invalid_field',
      message: 'That is more than 50,000 site-days. Choose a site or a shorter period.',
      details: {
        errors: [{ pointer: '/site_id', code: 'required', message: 'required for such a long period' }],
      },
    })
  })

  test('lists of paths come 200 rows at a time, each after the last one, with the lists that are asked for', async () => {
    const all = { op: 'and', of: [] } as never
    const { ctx, asked } = listing(rows(1_000))
    const pages: number[] = []
    for await (const page of listedDays(ctx, all, undefined)) pages.push(page.length)
    expect(pages).toEqual([200, 200, 200, 200, 200])
    expect((asked as { sort?: unknown }[])[0]?.sort).toEqual([
      { field: 'site_id', direction: 'asc' },
      { field: 'id', direction: 'asc' },
    ])
    const fields = (asked as { fields?: unknown }[]).map((one) => one.fields)
    expect(fields[0]).toEqual(['site_id', 'paths_by_category', 'top_paths', 'id'])
    expect(asked[0]?.where).toEqual({ op: 'and', of: [all] })
    const same = { op: 'eq', field: 'site_id', value: 's' }
    expect(asked[1]?.where).toEqual({
      op: 'and',
      of: [
        all,
        {
          op: 'and',
          of: [
            { op: 'gte', field: 'site_id', value: 's' },
            {
              op: 'or',
              of: [
                { op: 'gt', field: 'site_id', value: 's' },
                { op: 'and', of: [same, { op: 'gt', field: 'id', value: 'id00199' }] },
              ],
            },
          ],
        },
      ],
    })
    const one = listing(rows(3))
    for await (const page of listedDays(one.ctx, all, 'training'))
      expect<unknown>(page).toEqual(rows(3).map((row) => ({ ...row, top_paths: [] })))
    expect((one.asked as { fields?: unknown }[])[0]?.fields).toEqual(['site_id', 'paths_by_category', 'id'])
    expect(one.asked).toHaveLength(1)
  })
})

test('days are sealed every second', () => {
  expect(sealDays.everyMs).toBe(1_000)
})

test('a segment asks about at most 2,000 batches, each a word of 1 to 128 visible characters', () => {
  const isTaken = (query: object) => v.safeParse(claimsFeed.takes ?? v.never(), query).success
  const ids = (count: number) => Array.from({ length: count }, (_, place) => `b${place}`)
  expect(isTaken({ segment: 's', ids: ids(2_000) })).toBe(true)
  expect(isTaken({ segment: 's', ids: ids(2_001) })).toBe(false)
  expect(isTaken({ segment: 's' })).toBe(false)
  expect(isTaken({ ids: [] })).toBe(false)
  expect(isTaken({ segment: 's', ids: [], more: 1 })).toBe(false)
  for (const [word, is] of [
    ['!~', true],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['', false],
    ['a b', false],
    ['é', false],
  ] as const) {
    expect([word, isTaken({ segment: word, ids: [] })]).toEqual([word, is])
    expect([word, isTaken({ segment: 's', ids: [word] })]).toEqual([word, is])
  }
})

test('each of two periods has at most 50,000 site-days', async () => {
  const previous = { date_from: '2026-01-01', date_to: '2026-01-02', days: 2 }
  const period = { date_from: '2026-01-03', date_to: '2026-01-04', days: 2 }
  const sums = (counts: Record<string, number>) => {
    const group = async ({ measures }: { measures: readonly object[] }) => {
      expect(measures[0]).toEqual({ as: 'rows', fn: 'count' })
      return Object.entries(counts).map(([date, rows]) => ({ date, rows }))
    }
    return summedDays(
      { rows: () => ({ group, groupEntries: async () => [] }) } as never,
      {},
      previous,
      period,
    )
  }
  const { days, earlier } = await sums({ '2026-01-02': 50_000, '2026-01-03': 25_000, '2026-01-04': 25_000 })
  expect([earlier.map(({ date }) => date), days.map(({ date }) => date)]).toEqual([
    ['2026-01-02'],
    ['2026-01-03', '2026-01-04'],
  ])
  for (const counts of [
    { '2026-01-02': 50_001 },
    { '2026-01-01': 25_001, '2026-01-02': 25_000 },
    { '2026-01-03': 50_001 },
  ])
    expect(await sums(counts as never).catch((error) => error.code)).toBe('invalid_field')
})
