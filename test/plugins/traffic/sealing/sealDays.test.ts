import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { OwnerContext } from '../../../../core/contracts/plugin'
import {
  type CountedHit,
  hitsTable,
  touchedTable,
  trafficCategories,
} from '../../../../core/contracts/traffic'
import { confined } from '../../../../core/registry/plugin-context'
import { columnRows } from '../../../../core/stores/columns/rows'
import { connectClickhouse } from '../../../../ingest/flush/clickhouse'
import { flushSegment } from '../../../../ingest/flush/flush-segment'
import traffic from '../../../../plugins/traffic'
import { AiTrafficDaily } from '../../../../plugins/traffic/records/AiTrafficDaily'
import { dailyTable } from '../../../../plugins/traffic/records/dailyTable'
import { RobotsCopy } from '../../../../plugins/traffic/records/RobotsCopy'
import { sweepTable } from '../../../../plugins/traffic/records/sweepTable'
import { sealDays } from '../../../../plugins/traffic/sealing/sealDays'
import { sealRounds } from '../../../../plugins/traffic/sealing/sealRounds'
import { awaitingAll } from '../../../support/awaiting-all'
import { freshColumns } from '../../../support/chdb'
import { countedHit } from '../../../support/counted-hit'
import { part } from '../../../support/part'
import { quietLog } from '../../../support/quiet-log'

const columns = await freshColumns()
const daily = columnRows(columns, AiTrafficDaily)
const clickhouse = await connectClickhouse(columns.target)
beforeAll(() => columns.ensure([hitsTable, touchedTable, dailyTable, sweepTable]))
afterAll(async () => {
  await clickhouse.close()
  await columns.close()
})

type Site = Record<string, unknown> & { id: string }
/** The owner's side as far as the job uses it: sites in a list, columns in chDB. */
function owner(sites: Site[], now = () => new Date(), copies: object[] = []): OwnerContext {
  const rows = {
    list: async ({ where, limit }: { where: { values: readonly unknown[] }; limit?: number }) => {
      // Without a limit a store answers with its usual number of rows, which may be too few.
      expect(limit).toBe(where.values.length)
      return sites.filter(({ id }) => where.values.includes(id))
    },
    update: async (id: string, changes: object) =>
      Object.assign(sites.find((site) => site.id === id) ?? {}, changes),
  }
  const ofEntity = (entity: unknown) => (entity === RobotsCopy ? { list: async () => copies } : rows)
  return { columns, log: quietLog, now, rows: ofEntity } as unknown as OwnerContext
}
let sitesMade = 0
const site = (): Site => {
  const id = `sit_${++sitesMade}`
  return { id, workspace_id: `wsp_${sitesMade}`, location_id: `loc_${sitesMade}`, timezone: 'Asia/Tokyo' }
}
const seal = (sites: Site[], now?: () => Date) =>
  awaitingAll(owner(sites, now), (ctx) => sealDays.run(ctx, new AbortController().signal))

let segments = 0
const flush = (hits: readonly CountedHit[]) =>
  flushSegment(
    clickhouse,
    `seg-${++segments}`,
    { frames: [{ hits, batchIds: [], ends: [] }], validBytes: 0, torn: false, damaged: false },
    false,
  )

const hit = (site_id: string, over: Partial<CountedHit> = {}) => countedHit({ site_id, ...over })
const rowOf = (id: string, date = '2026-11-20') =>
  daily.get(`${id}:${date}`) as Promise<Record<string, unknown> | null>
/** Makes the last seals look older than the pause between two, as if time had passed. */
const age = () =>
  columns.query(
    `INSERT INTO ai_traffic_daily SELECT * REPLACE (rev + 1 AS rev, sealed_at - INTERVAL 3 SECOND AS sealed_at) FROM ai_traffic_daily FINAL`,
  )

test('the sizes of days are asked for only if there are days to seal', async () => {
  const asked: string[] = []
  const query = async (sql: string) => {
    asked.push(sql)
    return []
  }
  const idle = { query, insert: async () => {} }
  await sealDays.run(part({ ...owner([]), columns: idle }), new AbortController().signal)
  expect(asked.length).toBeGreaterThan(0)
  expect(asked.filter((sql) => sql.includes('count()) AS n'))).toEqual([])
})

test('hits of a deleted site are neither read nor written', async () => {
  await flush([hit('sit_deleted')])
  let calls = 0
  const counting = Object.assign(Object.create(columns), {
    insert: async (table: string) => {
      if (table === dailyTable.name) calls++
    },
  })
  await sealDays.run({ ...owner([]), columns: counting }, new AbortController().signal)
  expect(calls).toBe(0)
})

test('accepted hits of an inactive workspace are counted too, so that none expires unseen', async () => {
  const one = site()
  await flush([hit(one.id)])
  const inactive = [one.workspace_id]
  const outbound = { secrets: {} }
  const ctx = { ...owner([one]), settings: {}, outbound, inactiveWorkspaces: async () => inactive }
  await confined(traffic).jobs?.sealDays?.run(ctx as unknown as OwnerContext, new AbortController().signal)
  expect(await rowOf(one.id)).toMatchObject({ crawler_hits: 1 })
})

test('a hit stands in its day as soon as the job looks, and later ones are added', async () => {
  const one = site()
  await flush([hit(one.id, { verdict: 'verified' }), hit(one.id, { path: '~asset' })])
  await seal([one])
  const first = await rowOf(one.id)
  expect(first).toMatchObject({
    site_id: one.id,
    location_id: one.location_id,
    workspace_id: one.workspace_id,
    date: '2026-11-20',
    crawler_hits: 2,
    verified_hits: 1,
    spoofed_hits: 0,
    unique_agents: 1,
    by_agent: { GPTBot: { hits: 2, verified: 1, spoofed: 0, category: 'training', operator: 'OpenAI' } },
    by_category: { ai_answers: 0, search_index: 0, training: 2, other_ai: 0 },
    top_paths: [{ path: '/', hits: 1 }],
    paths_by_category: { ai_answers: [], search_index: [], training: [{ path: '/', hits: 1 }], other_ai: [] },
    referral_visits: 0,
    by_referrer: {},
    referral_paths: [],
  })
  await age()
  await flush([hit(one.id, { kind: 'visit', agent: 'chatgpt.com', category: '', operator: '', path: '/x' })])
  await seal([one], () => new Date('2030-01-01T00:00:00.000Z'))
  const second = await rowOf(one.id)
  expect(second).toMatchObject({
    crawler_hits: 2,
    referral_visits: 1,
    by_referrer: { 'chatgpt.com': 1 },
    referral_paths: [{ path: '/x', visits: 1 }],
  })
  expect(second?.created_date).toBe(first?.created_date)
  expect(second?.updated_date).toBe('2030-01-01T00:00:00.000Z')
  expect(await daily.count({ op: 'eq', field: 'site_id', value: one.id })).toBe(1)
})

const sealsOf = (id: string) =>
  columns.query('SELECT rev FROM ai_traffic_daily WHERE site_id = {id:String}', { id })

test('a busy day is sealed at most every few seconds', async () => {
  const one = site()
  await flush([hit(one.id)])
  await seal([one])
  await flush([hit(one.id)])
  await seal([one])
  expect(await sealsOf(one.id)).toHaveLength(1)
  await age()
  await seal([one])
  expect(await rowOf(one.id)).toMatchObject({ crawler_hits: 2 })
})

test('a day that nothing touched since its seal is left alone', async () => {
  const one = site()
  const touch = `INSERT INTO traffic_touched (site_id, date, source, last_hit_at, touched_at) SELECT '${one.id}', '2026-11-20', 'log', now64(3), now64(3) - INTERVAL 20 SECOND`
  await columns.query(touch)
  await seal([one])
  const backdate = `INSERT INTO ai_traffic_daily SELECT * REPLACE (rev + 1 AS rev, sealed_at - INTERVAL 10 SECOND AS sealed_at) FROM ai_traffic_daily FINAL WHERE site_id = '${one.id}'`
  await columns.query(backdate)
  await columns.query('OPTIMIZE TABLE ai_traffic_daily FINAL')
  await seal([one])
  expect(await sealsOf(one.id)).toHaveLength(1)
})

test('a seal that carries a time to come does not hold its day back', async () => {
  const one = site()
  await flush([hit(one.id)])
  await seal([one])
  await columns.query(
    `INSERT INTO ai_traffic_daily SELECT * REPLACE (rev + 1 AS rev, sealed_at + INTERVAL 2 HOUR AS sealed_at) FROM ai_traffic_daily FINAL WHERE site_id = '${one.id}'`,
  )
  await flush([hit(one.id)])
  await seal([one])
  expect(await rowOf(one.id)).toMatchObject({ crawler_hits: 2 })
})

test('a seal has a higher revision than the one before, whatever clock made that one', async () => {
  const one = site()
  await flush([hit(one.id)])
  await seal([one])
  const ahead =
    'SELECT * REPLACE (rev + 1000000000000 AS rev, sealed_at - INTERVAL 3 SECOND AS sealed_at) FROM ai_traffic_daily FINAL'
  await columns.query(`INSERT INTO ai_traffic_daily ${ahead} WHERE site_id = '${one.id}'`)
  await flush([hit(one.id)])
  await seal([one])
  expect(await rowOf(one.id)).toMatchObject({ crawler_hits: 2 })
})

test('a touch that carries an instant shortly before the seal is sealed once more', async () => {
  const late = site()
  const old = site()
  await flush([hit(late.id), hit(old.id)])
  await seal([late, old])
  // As if it had been a minute ago.
  const of = `site_id IN ('${late.id}', '${old.id}')`
  await columns.query(
    `INSERT INTO ai_traffic_daily SELECT * REPLACE (rev + 1 AS rev, sealed_at - INTERVAL 60 SECOND AS sealed_at, 0 AS crawler_hits) FROM ai_traffic_daily FINAL WHERE ${of}`,
  )
  await columns.query(`ALTER TABLE traffic_touched DELETE WHERE ${of} SETTINGS mutations_sync = 2`)
  const touch = (id: string, seconds: number) =>
    columns.query(
      `INSERT INTO traffic_touched (site_id, date, source, last_hit_at, touched_at) SELECT site_id, date, 'log', sealed_at, sealed_at - INTERVAL ${seconds} SECOND FROM ai_traffic_daily FINAL WHERE site_id = '${id}'`,
    )
  await touch(late.id, 4)
  await touch(old.id, 6)
  await seal([late, old])
  expect(await rowOf(late.id)).toMatchObject({ crawler_hits: 1 })
  expect(await rowOf(old.id)).toMatchObject({ crawler_hits: 0 })
})

describe('a sweep', () => {
  const mark = (ago: string) =>
    columns.query(`INSERT INTO ai_traffic_sweeps (id, swept_at) SELECT 'sealing', now64(3) - INTERVAL ${ago}`)
  const marked = async () => {
    const [row] = await columns.query<{ ms: number }>(
      'SELECT toUnixTimestamp64Milli(max(swept_at)) AS ms FROM ai_traffic_sweeps',
    )
    return Number(row?.ms)
  }
  const forget = () => columns.query('TRUNCATE TABLE ai_traffic_sweeps')
  /** A day that was touched an hour before the last seal of all, and never sealed. */
  const forgotten = async () => {
    const one = site()
    const other = site()
    await flush([hit(one.id), hit(other.id)])
    await columns.query(
      `ALTER TABLE traffic_touched DELETE WHERE site_id = '${one.id}' SETTINGS mutations_sync = 2`,
    )
    await columns.query(
      `INSERT INTO traffic_touched (site_id, date, source, last_hit_at, touched_at) SELECT '${one.id}', '2026-11-20', 'log', now64(3), now64(3) - INTERVAL 1 HOUR`,
    )
    await mark('1 SECOND')
    await seal([other])
    return one
  }

  test('finds a day that no later run looks at, ten minutes after the one before', async () => {
    const one = await forgotten()
    await seal([one])
    expect(await rowOf(one.id)).toBeNull()
    await forget()
    await mark('11 MINUTE')
    const before = await marked()
    await seal([one])
    expect(await rowOf(one.id)).toMatchObject({ crawler_hits: 1 })
    expect(await marked()).toBeGreaterThan(before)
  })

  test('is due where none was made, and after the clock was set back', async () => {
    for (const before of [forget, () => mark('-1 DAY')]) {
      const one = await forgotten()
      await forget()
      await before()
      await seal([one])
      expect(await rowOf(one.id)).toMatchObject({ crawler_hits: 1 })
    }
    await forget()
  })

  test('that breaks off is made again', async () => {
    const one = await forgotten()
    await forget()
    const away = {
      ...owner([one]),
      rows: () => ({ list: () => Promise.reject(new Error('the store is away')) }),
    }
    const run = sealDays.run(away as unknown as OwnerContext, new AbortController().signal)
    await expect(run).rejects.toThrow('the store is away')
    expect(await marked()).toBe(0)
    await seal([one])
    expect(await rowOf(one.id)).toMatchObject({ crawler_hits: 1 })
    expect(await marked()).toBeGreaterThan(0)
  })
})

test('a stamp may lag a minute while hits come, and is exact once they stopped', async () => {
  const quiet = site()
  const busy = site()
  const before = '2026-11-20T12:00:00.000Z'
  for (const [one, seconds] of [
    [quiet, 20],
    [busy, -60],
  ] as const) {
    one.last_log_at = before
    await columns.query(
      `INSERT INTO traffic_touched (site_id, date, source, last_hit_at, touched_at) SELECT '${one.id}', '2026-11-20', 'log', toDateTime64('2026-11-20 12:00:30', 3, 'UTC'), now64(3) - toIntervalSecond(${seconds})`,
    )
  }
  await seal([quiet, busy], () => new Date('2026-11-20T13:00:00.000Z'))
  expect([quiet.last_log_at, busy.last_log_at]).toEqual(['2026-11-20T12:00:30.000Z', before])
})

test('days of a site that is gone are left out, and those of others are sealed', async () => {
  const gone = site()
  const here = site()
  await flush([hit(gone.id), hit(here.id)])
  await seal([here])
  expect(await rowOf(gone.id)).toBeNull()
  expect(await rowOf(here.id)).toMatchObject({ crawler_hits: 1 })
})

test('last hits are stamped by their source, forward only, and never in the future', async () => {
  const one = site()
  const at = Date.parse('2026-11-20T10:00:00.123Z')
  const now = () => new Date(at + 1000)
  await flush([
    hit(one.id),
    hit(one.id, { kind: 'visit', agent: 'chatgpt.com', category: '', operator: '', ts: at + 60_000 }),
  ])
  await seal([one], now)
  expect(one).toMatchObject({
    last_log_at: '2026-11-20T10:00:00.123Z',
    last_beacon_at: '2026-11-20T10:00:01.123Z',
  })
  one.last_log_at = '2026-11-21T00:00:00.000Z'
  await age()
  await flush([hit(one.id)])
  await seal([one], now)
  expect(one.last_log_at).toBe('2026-11-21T00:00:00.000Z')
})

test('a stamp of one source leaves the stamp of the other as it is', async () => {
  const visit = { kind: 'visit', agent: 'chatgpt.com', category: '', operator: '' } as const
  const at = Date.parse('2026-11-20T10:00:00.123Z')
  const logged = site()
  const visited = site()
  for (const one of [logged, visited]) {
    one.last_log_at = '2026-11-20T12:00:00.000Z'
    one.last_beacon_at = '2026-11-20T12:00:00.000Z'
  }
  const later = at + 4 * 3_600_000
  await flush([hit(logged.id, { ts: later }), hit(visited.id, { ...visit, ts: later })])
  await seal([logged, visited], () => new Date(later + 1_000))
  const old = '2026-11-20T12:00:00.000Z'
  const stamped = new Date(later).toISOString()
  expect([logged.last_log_at, logged.last_beacon_at]).toEqual([stamped, old])
  expect([visited.last_log_at, visited.last_beacon_at]).toEqual([old, stamped])
})

const paths = [
  '/',
  '/a',
  '/b',
  '/é',
  '/Z',
  '~asset',
  '~other',
  ...Array.from({ length: 40 }, (_, n) => `/p${n}`),
]
const anyHit = (id: string): fc.Arbitrary<CountedHit> =>
  fc
    .record({
      isVisit: fc.boolean(),
      agent: fc.nat(6),
      path: fc.constantFrom(...paths),
      verdict: fc.constantFrom('verified', 'spoofed', 'unchecked'),
      date: fc.constantFrom('2026-11-19', '2026-11-20', '2026-12-01'),
    })
    .map(({ isVisit, agent, path, verdict, date }) =>
      isVisit
        ? hit(id, { kind: 'visit', agent: `ai${agent}.example`, category: '', operator: '', path, date })
        : hit(id, {
            agent: `Bot${agent}`,
            category: trafficCategories[agent % 4] ?? 'training',
            operator: `Op${agent % 3}`,
            path,
            verdict: verdict,
            date,
          }),
    )

/** The row as the specification words it, on plain arrays. */
function model(hits: readonly CountedHit[]) {
  const crawls = hits.filter(({ kind }) => kind === 'crawl')
  const visits = hits.filter(({ kind }) => kind === 'visit')
  const tally = (of: readonly CountedHit[], key: 'agent' | 'path') => {
    const counts: Record<string, number> = {}
    for (const one of of) counts[one[key]] = (counts[one[key]] ?? 0) + 1
    return counts
  }
  const list = (of: readonly CountedHit[], most: number, name: string) =>
    Object.entries(
      tally(
        of.filter(({ path }) => !path.startsWith('~')),
        'path',
      ),
    )
      .sort((a, b) => b[1] - a[1] || Buffer.compare(Buffer.from(a[0]), Buffer.from(b[0])))
      .slice(0, most)
      .map(([path, n]) => ({ path, [name]: n }))
  const of = (category: string) => crawls.filter((one) => one.category === category)
  const with_ = (some: readonly CountedHit[], verdict: string) =>
    some.filter((one) => one.verdict === verdict).length
  return {
    crawler_hits: crawls.length,
    verified_hits: with_(crawls, 'verified'),
    spoofed_hits: with_(crawls, 'spoofed'),
    unique_agents: Object.keys(tally(crawls, 'agent')).length,
    by_agent: Object.fromEntries(
      Object.keys(tally(crawls, 'agent')).map((agent) => {
        const own = crawls.filter((one) => one.agent === agent)
        return [
          agent,
          {
            hits: own.length,
            verified: with_(own, 'verified'),
            spoofed: with_(own, 'spoofed'),
            category: own[0]?.category,
            operator: own[0]?.operator,
          },
        ]
      }),
    ),
    by_category: Object.fromEntries(trafficCategories.map((category) => [category, of(category).length])),
    top_paths: list(crawls, 25, 'hits'),
    paths_by_category: Object.fromEntries(
      trafficCategories.map((category) => [category, list(of(category), 12, 'hits')]),
    ),
    referral_visits: visits.length,
    by_referrer: tally(visits, 'agent'),
    referral_paths: list(visits, 25, 'visits'),
  }
}

test('rows are what a plain model of the specification says, for any hits in any segments', async () => {
  const segmentsOf = fc.array(fc.array(anyHit('?'), { maxLength: 150 }), { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(segmentsOf, async (parts) => {
      const one = site()
      const all = parts.map((hits) => hits.map((single) => ({ ...single, site_id: one.id })))
      for (const hits of all) await flush(hits)
      await seal([one])
      const dates = new Set(all.flat().map(({ date }) => date))
      expect(await daily.count({ op: 'eq', field: 'site_id', value: one.id })).toBe(dates.size)
      for (const date of dates) {
        const expected = model(all.flat().filter((single) => single.date === date))
        const row = (await rowOf(one.id, date)) ?? {}
        const counted = Object.fromEntries(Object.keys(expected).map((name) => [name, row[name]]))
        expect(counted).toEqual(expected)
        const listed = Object.values(row.by_agent as Record<string, { hits: number }>).map(({ hits }) => hits)
        expect(listed).toEqual([...listed].sort((a, b) => b - a))
      }
    }),
    { numRuns: process.env.RENOWN_LONG ? 500 : 12 },
  )
}, 300_000)

test('a round reads a bounded number of rows, because all its sums are in memory at once', async () => {
  const [large, ...small] = Array.from({ length: 130 }, site)
  if (!large) throw new Error('no site')
  const fill = (id: string, count: number) =>
    columns.query(
      `INSERT INTO traffic_hits SELECT 'crawl', '${id}', '2026-11-20', 'GPTBot', 'training', 'OpenAI', concat('/', toString(number)), 1, 0, 0
       FROM numbers(${count})`,
    )
  await fill(large.id, 70_000)
  for (const { id } of small.slice(0, 5)) await fill(id, 20_000)
  const days = [...small.slice(0, 3), large, ...small.slice(3)].map(({ id }) => ({
    site_id: id,
    date: '2026-11-20',
  }))
  const rounds = await sealRounds(columns, days)
  expect(rounds.flat()).toEqual(days)
  // 20,000 rows each: two fit, the large one stands alone, and where nothing is stored a hundred days do.
  expect(rounds.map((round) => round.length)).toEqual([2, 1, 1, 100, 26])
  await columns.query('TRUNCATE TABLE traffic_hits')
})

test('errors are counted by agent, page and status without spoofed hits, and unknown statuses are not counted', async () => {
  const one = site()
  const missing = { path: '/gone', status: 404 } as const
  await flush([
    hit(one.id, { status: 200, verdict: 'verified' }),
    hit(one.id, { ...missing, verdict: 'verified' }),
    hit(one.id, missing),
    hit(one.id, { ...missing, verdict: 'spoofed' }),
    hit(one.id, { path: '~asset', status: 500 }),
    hit(one.id, { path: '/b', agent: 'CCBot', operator: 'Common Crawl' }),
  ])
  // The same error in another segment is added.
  await flush([hit(one.id, missing)])
  await seal([one])
  const row = await rowOf(one.id)
  expect(row?.crawler_hits).toBe(7)
  expect(row?.by_agent).toEqual({
    GPTBot: {
      hits: 6,
      verified: 2,
      spoofed: 1,
      category: 'training',
      operator: 'OpenAI',
      with_status: 5,
      client_errors: 3,
      server_errors: 1,
    },
    CCBot: { hits: 1, verified: 0, spoofed: 0, category: 'training', operator: 'Common Crawl' },
  })
  // The error of an asset counts, but is not listed.
  expect(row?.crawler_errors).toEqual([{ path: '/gone', agent: 'GPTBot', status: 404, hits: 3, verified: 1 }])
  expect(row?.agent_paths).toEqual([
    { agent: 'GPTBot', path: '/gone', hits: 3 },
    { agent: 'CCBot', path: '/b', hits: 1 },
    { agent: 'GPTBot', path: '/', hits: 1 },
  ])
})

test('a day without any status has no list of errors, and rows of older versions are read without the new fields', async () => {
  const one = site()
  await flush([hit(one.id)])
  await seal([one])
  const row = await rowOf(one.id)
  expect(row).not.toHaveProperty('crawler_errors')
  expect(row?.agent_paths).toEqual([{ agent: 'GPTBot', path: '/', hits: 1 }])
  const older = Object.keys(dailyTable.columns).filter(
    (name) => name !== 'crawler_errors' && name !== 'agent_paths',
  )
  await columns.query(
    `INSERT INTO ai_traffic_daily (${older.join(', ')}) SELECT ${older
      .map((name) => (name === 'id' ? `'old:2026-11-20'` : name === 'site_id' ? `'old'` : name))
      .join(', ')} FROM ai_traffic_daily FINAL WHERE id = '${one.id}:2026-11-20'`,
  )
  const old = await rowOf('old')
  expect(old?.crawler_hits).toBe(1)
  expect(old).not.toHaveProperty('agent_paths')
})

test('signed hits are sealed with their signer, and rows of older versions are read without signers', async () => {
  const one = site()
  const signed = { verdict: 'verified', signer: 'chatgpt.com', verified_by: 'signature' } as const
  await flush([
    hit(one.id, { verdict: 'verified' }),
    hit(one.id, signed),
    hit(one.id, { ...signed, verified_by: 'both' }),
    hit(one.id, { verdict: 'spoofed', signer: 'chatgpt.com' }),
  ])
  await flush([hit(one.id, { ...signed, path: '/a' })])
  await seal([one])
  const row = await rowOf(one.id)
  expect(row).toMatchObject({ crawler_hits: 5, verified_hits: 4, spoofed_hits: 1, signed_hits: 3 })
  expect(row?.verified_by).toEqual({ address: 1, signature: 2, both: 1 })
  expect(row?.by_signer).toEqual({ 'chatgpt.com': { verified: 3, spoofed: 1 } })
  expect(row?.by_agent).toMatchObject({ GPTBot: { hits: 5, verified: 4, spoofed: 1, signed: 3 } })
  expect(row?.top_paths).toEqual([
    { path: '/', hits: 4 },
    { path: '/a', hits: 1 },
  ])
  const older = Object.keys(dailyTable.columns).filter(
    (name) => !['signed_hits', 'verified_by', 'by_signer'].includes(name),
  )
  await columns.query(
    `INSERT INTO ai_traffic_daily (${older.join(', ')}) SELECT ${older
      .map((name) => (name === 'id' ? `'before:2026-11-20'` : name === 'site_id' ? `'before'` : name))
      .join(', ')} FROM ai_traffic_daily FINAL WHERE id = '${one.id}:2026-11-20'`,
  )
  const old = await rowOf('before')
  expect(old).toMatchObject({ verified_hits: 4, signed_hits: 0 })
  expect(old).not.toHaveProperty('verified_by')
})

test('a day is judged by the robots.txt that held then, without spoofed hits', async () => {
  const one = site()
  await flush([
    ...Array.from({ length: 3 }, () => hit(one.id, { path: '/private/a', verdict: 'verified' })),
    hit(one.id, { path: '/private/a', verdict: 'spoofed' }),
    hit(one.id, { path: '/private/b', agent: 'CCBot', operator: 'Common Crawl' }),
    hit(one.id, { path: '/' }),
  ])
  const copy = (rules: string, first_seen_at: string, last_seen_at: string) => ({
    site_id: one.id,
    rules,
    first_seen_at,
    last_seen_at,
  })
  const judge = (copies: object[]) =>
    awaitingAll(owner([one], undefined, copies), (ctx) => sealDays.run(ctx, new AbortController().signal))
  await judge([
    copy('User-agent: *\nDisallow: /private/', '2026-11-19T01:00:00.000Z', '2026-11-20T08:00:00.000Z'),
  ])
  const row = await rowOf(one.id)
  expect(row?.robots_check).toEqual({
    judged: 5,
    disallowed: 4,
    verified: 3,
    most: [
      { path: '/private/a', agent: 'GPTBot', rule: 'Disallow: /private/', hits: 3, verified: 3 },
      { path: '/private/b', agent: 'CCBot', rule: 'Disallow: /private/', hits: 1, verified: 0 },
    ],
  })
  expect(row?.by_agent).toMatchObject({ GPTBot: { disallowed: 3 }, CCBot: { disallowed: 1 } })
  const where = { op: 'and', of: [] } as never
  const sums = await daily.group({
    where: { op: 'eq', field: 'site_id', value: one.id },
    by: ['site_id'],
    measures: [{ as: 'judged', fn: 'sum', field: 'robots_check.judged' }],
  })
  expect(sums).toEqual([{ site_id: one.id, judged: 5 }])
  const most = await daily.groupEntries({
    where,
    of: 'robots_check.most',
    by: [{ as: 'path', entry: 'value.path' }],
    measures: [{ as: 'hits', fn: 'sum', entry: 'value.hits' }],
  })
  expect(most).toEqual([
    { path: '/private/a', hits: 3 },
    { path: '/private/b', hits: 1 },
  ])
})
