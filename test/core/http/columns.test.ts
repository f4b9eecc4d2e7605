import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import traffic from '../../../plugins/traffic'
import { dailyTable } from '../../../plugins/traffic/records/dailyTable'
import { freshColumns } from '../../support/chdb'
import { type Gate, startGate } from '../../support/harness'

let gate: Gate
let columns: Awaited<ReturnType<typeof freshColumns>>
const path = '/api/entities/AiTrafficDaily'

beforeAll(async () => {
  columns = await freshColumns()
  gate = await startGate({ plugins: [traffic], columns })
  const row = (site: string, workspace: string, date: string, hits: number) => {
    const stamp = '2026-11-20T10:00:00.000Z'
    const values: Record<string, unknown> = {
      id: `${site}:${date}`,
      workspace_id: workspace,
      site_id: site,
      location_id: 'loc_1',
      date,
      crawler_hits: hits,
      by_agent: '{"GPTBot":{"hits":1,"verified":1,"spoofed":0,"category":"training","operator":"OpenAI"}}',
      by_category: '{"ai_answers":0,"search_index":0,"training":1,"other_ai":0}',
      by_referrer: '{}',
      top_paths: '[{"path":"/\\"q\\"\\t/é","hits":1}]',
      referral_paths: '[]',
      paths_by_category: '{}',
      created_date: stamp,
      updated_date: stamp,
    }
    return Object.entries(dailyTable.columns).map(([name, type]) => {
      if (name in values) return values[name]
      if (/^Nullable/.test(type)) return null
      return /String/.test(type) ? '' : /^Date/.test(type) ? date : 0
    })
  }
  await columns.insert(dailyTable.name, Object.keys(dailyTable.columns), [
    row('sit_a', gate.tenant.workspaceId, '2026-11-18', 3),
    row('sit_a', gate.tenant.workspaceId, '2026-11-19', 7),
    row('sit_a', gate.tenant.workspaceId, '2026-11-20', 5),
    row('sit_b', gate.stranger.workspaceId, '2026-11-20', 9),
  ])
})
afterAll(async () => {
  await gate.stop()
  await columns.close()
})

const list = async (query = '') => {
  const response = await gate.ask(`${path}${query}`)
  return { response, rows: (await response.json()) as { date: string; [name: string]: unknown }[] }
}

test('column rows are listed like documents: clamped, newest day first, without hidden fields', async () => {
  const { response, rows } = await list('?count=1')
  expect(rows.map(({ date }) => date)).toEqual(['2026-11-20', '2026-11-19', '2026-11-18'])
  expect(response.headers.get('x-total-count')).toBe('3')
  expect(Object.keys(rows[0] ?? {})).not.toContain('workspace_id')
  expect(rows[0]).toMatchObject({
    crawler_hits: 5,
    by_category: { training: 1 },
    top_paths: [{ path: '/"q"\t/é', hits: 1 }],
  })
})

test('the same filter language reaches them, and the same refusals', async () => {
  const q = (filter: object) => list(`?q=${encodeURIComponent(JSON.stringify(filter))}`)
  expect(
    (await q({ date: { $gte: '2026-11-19' }, crawler_hits: { $gt: 5 } })).rows.map(({ date }) => date),
  ).toEqual(['2026-11-19'])
  expect((await q({ $or: [{ site_id: 'sit_b' }, { crawler_hits: 3 }] })).rows.length).toBe(1)
  expect((await q({ by_agent: 'x' })).response.status).toBe(422)
  expect((await q({ workspace_id: 'x' })).response.status).toBe(422)
  expect((await q({ date: '2026-11-19', site_id: "x' OR 1=1 --" })).response.status).toBe(404)
})

test('they page by cursor without repeats', async () => {
  const seen: string[] = []
  let cursor = ''
  for (let page = 0; page < 5; page++) {
    const { response, rows } = await list(`?limit=1${cursor ? `&cursor=${cursor}` : ''}`)
    seen.push(...rows.map(({ date }) => date))
    cursor = response.headers.get('x-next-cursor') ?? ''
    if (!cursor) break
  }
  expect(seen).toEqual(['2026-11-20', '2026-11-19', '2026-11-18'])
})

test('a single read tells another workspace from nowhere', async () => {
  const status = async (id: string) => (await gate.ask(`${path}/${id}`)).status
  expect(await status('sit_a:2026-11-20')).toBe(200)
  expect(await status('sit_a%3A2026-11-20')).toBe(200)
  expect(await status('sit_b:2026-11-20')).toBe(403)
  expect(await status('sit_c:2026-11-20')).toBe(404)
  expect(await (await gate.ask(`${path}/sit_a:2026-11-20?fields=date`)).json()).toEqual({
    id: 'sit_a:2026-11-20',
    date: '2026-11-20',
  })
})

describe('a workspace of more than 100,000 days', () => {
  const key = () => ({ key: gate.stranger.key, workspace: gate.stranger.otherWorkspaceId })
  const asked = async (query: string) => {
    const response = await gate.ask(`${path}?limit=5${query}`, key())
    const body = (await response.json()) as { code?: string; errors?: object[] }
    return [response.status, body.code ?? 'answered', body.errors ?? []] as const
  }
  const q = (filter: object) => `&q=${encodeURIComponent(JSON.stringify(filter))}`

  beforeAll(async () => {
    const stamp = '2026-11-20T10:00:00.000Z'
    await columns.query(
      `INSERT INTO ${dailyTable.name} (id, workspace_id, site_id, location_id, date, rev, crawler_hits, by_agent,
         by_category, top_paths, paths_by_category, by_referrer, referral_paths, created_date, updated_date)
       SELECT concat(site, ':', toString(day)), {workspace:String}, site, 'loc_1', day, 1, number, '{}', '{}', '[]', '{}', '{}',
         '[]', {stamp:String}, {stamp:String}
       FROM (SELECT number, concat('sit_', toString(number % 400)) AS site, toDate('2026-11-20') - intDiv(number, 400) AS day
         FROM numbers(101000))`,
      { workspace: gate.stranger.otherWorkspaceId, stamp },
    )
  })

  test.each([
    ['a site', { site_id: 'sit_7', crawler_hits: { $gt: 5 } }],
    ['a site and its days', { site_id: 'sit_7', date: { $gte: '2026-11-01' } }],
    ['some sites', { site_id: ['sit_1', 'sit_2'], crawler_hits: { $gt: 5 } }],
    ['days', { date: { $gte: '2026-10-01' }, crawler_hits: { $gt: 5 } }],
  ])('is read by %s', async (_, filter) => {
    expect((await asked(q(filter)))[0]).toBe(200)
  })

  test.each([
    ['counts alone', { crawler_hits: { $gt: 5 } }],
    ['days that leave nothing out', { date: { $gte: '2000-01-01' } }],
    ['branches of which one is broad', { $or: [{ site_id: 'sit_1' }, { crawler_hits: 3 }] }],
    ['what is left out', { site_id: { $ne: 'sit_1' } }],
  ])('is too broad by %s, and says what narrows', async (_, filter) => {
    expect(await asked(q(filter))).toEqual([
      422,
      'filter_too_broad',
      [expect.objectContaining({ parameter: 'q', allowed: ['site_id', 'date'] })],
    ])
  })

  test('is listed without a filter in the order of its key, and not in any other', async () => {
    expect((await asked(''))[0]).toBe(200)
    expect((await asked('&sort=-crawler_hits'))[1]).toBe('filter_too_broad')
  })

  test('does not weigh on another: rows are counted inside the clamp', async () => {
    expect((await list(q({ crawler_hits: { $gt: 5 } }).replace('&', '?'))).rows.length).toBe(1)
  })
})
