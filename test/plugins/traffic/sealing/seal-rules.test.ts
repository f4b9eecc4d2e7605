import { describe, expect, test } from 'bun:test'
import type { OwnerContext } from '../../../../core/contracts/plugin'
import { pathsMax } from '../../../../plugins/traffic/records/dailyRow'
import { dailyTable } from '../../../../plugins/traffic/records/dailyTable'
import { RobotsCopy } from '../../../../plugins/traffic/records/RobotsCopy'
import { type PendingDay, pendingDays } from '../../../../plugins/traffic/sealing/pendingDays'
import { readDays } from '../../../../plugins/traffic/sealing/readDays'
import { sealDays } from '../../../../plugins/traffic/sealing/sealDays'
import { sealRounds } from '../../../../plugins/traffic/sealing/sealRounds'
import { stampSites } from '../../../../plugins/traffic/sealing/stampSites'

const asked_ms = Date.parse('2026-11-20T12:00:00.000Z')
const now = new Date('2026-11-20T12:00:01.000Z')
const iso = (ms: number) => new Date(ms).toISOString()

type Params = Readonly<Record<string, unknown>>
type Answer = (params: Params) => readonly object[]

/** What the column store answers to each query of a run, and what it was asked and told. */
function fakeColumns(answers: {
  first?: Answer
  pending?: Answer
  sizes?: Answer
  sums?: Answer
  answers?: Answer
  last?: Answer
}) {
  const asked: { readonly name: string; readonly params: Params }[] = []
  const inserted: { readonly table: string; readonly rows: Record<string, unknown>[] }[] = []
  const query = async (sql: string, params: Params = {}) => {
    const name = sql.includes('AS sweeps')
      ? 'first'
      : sql.includes('recent AS')
        ? 'pending'
        : sql.includes('toUInt32(count())')
          ? 'sizes'
          : sql.includes('AS over')
            ? 'sums'
            : sql.includes('concat(site_id')
              ? 'answers'
              : 'last'
    asked.push({ name, params })
    return answers[name]?.(params) ?? []
  }
  const insert = async (table: string, columns: readonly string[], rows: readonly unknown[][]) =>
    void inserted.push({
      table,
      rows: rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]]))),
    })
  return { columns: { query, insert } as never, asked, inserted }
}

const pending = (site_id: string, over: Partial<PendingDay> = {}): PendingDay => ({
  site_id,
  date: '2026-11-20',
  touched_ms: asked_ms - 60_000,
  asked_ms,
  last_rev: 0,
  first_created: '',
  ...over,
})
const siteOf = (id: string) => ({
  id,
  workspace_id: `wsp_${id}`,
  location_id: `loc_${id}`,
  timezone: 'Asia/Tokyo',
})

/** Runs the job for these days. `aborts` is the name of the query after which the process is stopped. */
async function seal(
  days: readonly PendingDay[],
  { known = days.map(({ site_id }) => site_id), sweeps = 0, size = 1, aborts = '' } = {},
) {
  const controller = new AbortController()
  const { columns, asked, inserted } = fakeColumns({
    first: () => [{ sweeps, asked_ms }],
    pending: () => days,
    sizes: () => {
      if (aborts === 'sizes') controller.abort()
      return days.map(({ site_id, date }) => ({ site_id, date, n: size }))
    },
    sums: () => {
      if (aborts === 'sums') controller.abort()
      return []
    },
  })
  const updated: unknown[] = []
  const rows = {
    list: async ({ where, limit }: { where: { values: readonly string[] }; limit: number }) =>
      where.values
        .filter((id) => known.includes(id))
        .slice(0, limit)
        .map(siteOf),
    update: async (...given: unknown[]) => void updated.push(given),
  }
  const ofEntity = (entity: unknown) => (entity === RobotsCopy ? { list: async () => [] } : rows)
  const ctx = { columns, now: () => now, rows: ofEntity } as unknown as OwnerContext
  await sealDays.run(ctx, controller.signal)
  const sealed = inserted.filter(({ table }) => table === dailyTable.name).flatMap((call) => call.rows)
  const marked = inserted.filter(({ table }) => table !== dailyTable.name).flatMap((call) => call.rows)
  return { sealed, marked, asked: asked.map(({ name }) => name), calls: asked, updated }
}

describe('a sealed row', () => {
  test('has every column of the table', async () => {
    const { sealed } = await seal([pending('a')])
    expect(sealed).toStrictEqual([
      {
        id: 'a:2026-11-20',
        workspace_id: 'wsp_a',
        location_id: 'loc_a',
        site_id: 'a',
        date: '2026-11-20',
        timezone: 'Asia/Tokyo',
        rev: asked_ms,
        sealed_at: iso(asked_ms),
        crawler_hits: 0,
        verified_hits: 0,
        spoofed_hits: 0,
        unique_agents: 0,
        referral_visits: 0,
        by_agent: '{}',
        by_referrer: '{}',
        top_paths: '[]',
        referral_paths: '[]',
        by_category: '{"ai_answers":0,"search_index":0,"training":0,"other_ai":0}',
        paths_by_category: '{"ai_answers":[],"search_index":[],"training":[],"other_ai":[]}',
        signed_hits: 0,
        verified_by: null,
        by_signer: null,
        crawler_errors: null,
        robots_check: null,
        agent_paths: '[]',
        created_date: now.toISOString(),
        updated_date: now.toISOString(),
      },
    ])
  })

  test.each([
    [0, asked_ms],
    [asked_ms - 2, asked_ms],
    [asked_ms - 1, asked_ms],
    [asked_ms, asked_ms + 1],
    [asked_ms + 7, asked_ms + 8],
  ])('after the revision %d has %d', async (last_rev, rev) => {
    const { sealed } = await seal([pending('a', { last_rev })])
    expect(sealed).toMatchObject([{ rev }])
  })

  test('keeps the time at which the day was sealed first', async () => {
    const first_created = '2026-11-19T00:00:00.000Z'
    expect((await seal([pending('a', { first_created })])).sealed).toMatchObject([
      { created_date: first_created, updated_date: now.toISOString() },
    ])
  })

  test('exists only for sites that exist, and nothing is read for the others', async () => {
    const days = [pending('a'), pending('gone'), pending('b')]
    const { sealed, calls } = await seal(days, { known: ['a', 'b'] })
    expect(sealed.map(({ id }) => id)).toEqual(['a:2026-11-20', 'b:2026-11-20'])
    expect(calls.find(({ name }) => name === 'sums')?.params.sites).toEqual(['a', 'b'])
    const { asked } = await seal([pending('gone')], { known: [] })
    expect(asked).toEqual(['first', 'pending', 'sizes'])
  })
})

describe('a run', () => {
  test('ends where no day was touched', async () => {
    const { columns, asked, inserted } = fakeColumns({})
    await sealDays.run({ columns } as unknown as OwnerContext, new AbortController().signal)
    expect(asked.map(({ name }) => name)).toEqual(['first'])
    expect(inserted).toEqual([])
  })

  const many = (count: number) => Array.from({ length: count }, (_, n) => pending(`s${n}`))

  test('asks for the sizes of 500 days at once', async () => {
    const sizes = async (count: number) => {
      const { calls } = await seal(many(count), { known: [] })
      return calls.flatMap(({ name, params }) =>
        name === 'sizes' ? [(params.sites as readonly string[]).length] : [],
      )
    }
    expect(await sizes(500)).toEqual([500])
    expect(await sizes(501)).toEqual([500, 1])
    expect(await sizes(1_001)).toEqual([500, 500, 1])
  })

  test('stops before the next round when the process ends', async () => {
    expect((await seal(many(2), { aborts: 'sizes' })).sealed).toEqual([])
    const { sealed, asked } = await seal(many(2), { size: 50_000, aborts: 'sums' })
    expect(sealed).toHaveLength(1)
    expect(asked.filter((name) => name === 'sums')).toHaveLength(1)
    const stopped = await seal(many(501), { aborts: 'sizes' })
    expect(stopped.asked.filter((name) => name === 'sizes')).toHaveLength(1)
  })

  test('marks a sweep as done, except where a full run may go on', async () => {
    expect((await seal([pending('a')], { sweeps: 0 })).marked).toEqual([])
    const mark = [{ id: 'sealing', swept_at: iso(asked_ms) }]
    expect((await seal([pending('a')], { sweeps: 1 })).marked).toEqual(mark)
    expect((await seal(many(1_999), { sweeps: 1, known: ['s0'] })).marked).toEqual(mark)
    expect((await seal(many(2_000), { sweeps: 1, known: ['s0'] })).marked).toEqual([])
    expect((await seal(many(2_000), { sweeps: 1, known: [] })).marked).toEqual(mark)
  })

  test('is not marked as a sweep when it is stopped', async () => {
    expect((await seal([pending('a')], { sweeps: 1, aborts: 'sizes' })).marked).toEqual([])
  })
})

test('touched days are looked for with the bounds of the job', async () => {
  for (const sweeps of [0, 1]) {
    const { columns, asked } = fakeColumns({ first: () => [{ sweeps, asked_ms: `${asked_ms}` }] })
    const answer = await pendingDays(columns)
    expect(answer).toEqual({ days: [], isFull: false, sweptMs: sweeps === 1 ? asked_ms : null })
    expect(asked[1]?.params).toEqual({ overlap: 5_000, pause: 2_500, days: 2_000, sweeps })
  }
})

describe('rounds', () => {
  const rounds = async (sizes: readonly number[]) => {
    const days = sizes.map((_, n) => ({ site_id: `s${n}`, date: '2026-11-20' }))
    const { columns } = fakeColumns({ sizes: () => days.map((day, n) => ({ ...day, n: sizes[n] })) })
    return (await sealRounds(columns, days)).map((round) => round.length)
  }
  test('hold 100 days and 50,000 rows of hits', async () => {
    expect(await rounds(Array(100).fill(1))).toEqual([100])
    expect(await rounds(Array(101).fill(1))).toEqual([100, 1])
    expect(await rounds([25_000, 25_000])).toEqual([2])
    expect(await rounds([25_000, 25_001])).toEqual([1, 1])
    expect(await rounds([60_000, 1, 49_999, 1])).toEqual([1, 2, 1])
    expect(await rounds([])).toEqual([])
  })

  test('count a day without rows as empty', async () => {
    const { columns } = fakeColumns({})
    const day = { site_id: 'a', date: '2026-11-20' }
    expect(await sealRounds(columns, [day, day])).toEqual([[day, day]])
  })
})

describe('the sums of a day', () => {
  const day = { site_id: 'a', date: '2026-11-20' }
  const sum = (over: object) => ({
    ...day,
    kind: 'crawl',
    agent: '',
    category: '',
    operator: '',
    path: '',
    n: 1,
    verified: 0,
    spoofed: 0,
    ...over,
  })
  const read = async (sums: readonly object[]) => {
    const { columns, asked } = fakeColumns({ sums: () => sums })
    return {
      facts: (await readDays(columns, [day, { ...day, date: '2026-11-21' }])).get('a:2026-11-20'),
      asked,
    }
  }
  const paths = (count: number, over: object) =>
    Array.from({ length: count }, (_, n) => sum({ ...over, path: `/${n}` }))

  test('are asked for with each site and date once', async () => {
    expect((await read([])).asked[0]?.params).toMatchObject({
      sites: ['a'],
      dates: ['2026-11-20', '2026-11-21'],
      keys: ['a:2026-11-20', 'a:2026-11-21'],
    })
  })

  test('go to the lists that they belong to', async () => {
    const { facts } = await read([
      sum({ over: 'agent', agent: 'GPTBot', category: 'training', operator: 'OpenAI', n: 3 }),
      sum({ over: 'agent', kind: 'visit', agent: 'chatgpt.com', n: 2 }),
      sum({ over: 'path', path: '/a' }),
      sum({ over: 'path', kind: 'visit', path: '/b' }),
      sum({ over: 'category path', category: 'training', path: '/c' }),
      sum({ over: 'agent', date: '2026-11-21', agent: 'other' }),
      sum({ over: 'agent', date: '2026-11-22', agent: 'not asked for' }),
    ])
    expect(facts?.agents).toMatchObject([{ agent: 'GPTBot', operator: 'OpenAI', hits: 3 }])
    expect(facts?.referrers).toEqual([{ host: 'chatgpt.com', visits: 2 }])
    expect(facts?.topPaths.map(({ path }) => path)).toEqual(['/a'])
    expect(facts?.referralPaths.map(({ path }) => path)).toEqual(['/b'])
    expect(facts?.categoryPaths.map(({ path }) => path)).toEqual(['/c'])
  })

  test('list as many paths as a row holds', async () => {
    const { facts } = await read([
      ...paths(30, { over: 'path' }),
      ...paths(30, { over: 'path', kind: 'visit' }),
      ...paths(13, { over: 'category path', category: 'training' }),
      ...paths(12, { over: 'category path', category: 'other_ai' }),
    ])
    expect(facts?.topPaths).toHaveLength(pathsMax.top)
    expect(facts?.referralPaths).toHaveLength(pathsMax.referral)
    expect(facts?.categoryPaths).toHaveLength(2 * pathsMax.category)
  })
})

describe('the times of the last hits', () => {
  const stands = '2026-11-20T11:00:00.000Z'
  const stamp = async (
    last: readonly object[],
    { site = {}, touched_ms = asked_ms - 60_000, days = [pending('a', { touched_ms })] } = {},
  ) => {
    const { columns, asked } = fakeColumns({ last: () => last })
    const updates: unknown[] = []
    const rows = () => ({ update: async (...given: unknown[]) => void updates.push(given) })
    const ctx = { columns, now: () => now, rows } as unknown as OwnerContext
    await stampSites(ctx, [{ ...siteOf('a'), ...site } as never], days)
    expect(asked[0]?.params).toEqual({ sites: ['a'] })
    return updates
  }
  const at = Date.parse(stands)
  const hit = (source: string, ms: number) => ({ site_id: 'a', source, at: ms })

  test('are stored by source, and nothing else is', async () => {
    expect(await stamp([hit('log', at)])).toStrictEqual([['a', { last_log_at: stands }]])
    expect(await stamp([hit('beacon', at)])).toStrictEqual([['a', { last_beacon_at: stands }]])
    expect(await stamp([hit('other', at), { ...hit('log', at), site_id: 'b' }])).toEqual([])
    expect(await stamp([hit('log', now.getTime() + 1)])).toEqual([['a', { last_log_at: now.toISOString() }]])
  })

  test('of a quiet site move forward by any step, and never back', async () => {
    const site = { last_log_at: stands }
    expect(await stamp([hit('log', at)], { site })).toEqual([])
    expect(await stamp([hit('log', at - 1)], { site })).toEqual([])
    expect(await stamp([hit('log', at + 1)], { site })).toEqual([['a', { last_log_at: iso(at + 1) }]])
  })

  test('of a busy site lag a minute at most', async () => {
    const busy = { site: { last_log_at: stands }, touched_ms: asked_ms - 2_500 }
    expect(await stamp([hit('log', at + 60_000)], busy)).toEqual([])
    expect(await stamp([hit('log', at + 60_001)], busy)).toEqual([['a', { last_log_at: iso(at + 60_001) }]])
    const quiet = { ...busy, touched_ms: asked_ms - 2_501 }
    expect(await stamp([hit('log', at + 1)], quiet)).toEqual([['a', { last_log_at: iso(at + 1) }]])
    const otherIsBusy = { ...busy, days: [pending('b', { touched_ms: asked_ms })] }
    expect(await stamp([hit('log', at + 1)], otherIsBusy)).toEqual([['a', { last_log_at: iso(at + 1) }]])
  })
})
