import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { PageContext } from '../../../../core/contracts/page'
import { where } from '../../../../core/contracts/where'
import { corePlugins } from '../../../../core/product/core-plugins'
import traffic from '../../../../plugins/traffic'
import { loadTraffic } from '../../../../plugins/traffic/pages/loadTraffic'
import { trafficPage } from '../../../../plugins/traffic/pages/traffic-page'
import { AiTrafficDaily } from '../../../../plugins/traffic/records/AiTrafficDaily'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { crawlsPerVisit } from '../../../../plugins/traffic/records/crawlsPerVisit'
import type { Day } from '../../../../plugins/traffic/records/days'
import { tableRows } from '../../../support/table-rows'
import { type Workbench, workbench } from '../../../support/workbench'
import { dayOf } from '../support/day'

let bench: Workbench
beforeEach(async () => {
  bench = await workbench([...corePlugins, traffic])
  bench.now = new Date('2026-03-15T12:00:00.000Z')
})
afterEach(() => bench.stop())

const pageContext = () =>
  ({ ...bench.read('wsp_1'), counter: null, person: { role: 'owner' } }) as unknown as PageContext
const load = (query = '') => loadTraffic(pageContext(), new URLSearchParams(query))
const file = async (query: string) =>
  tableRows(await trafficPage.download?.(pageContext(), new URLSearchParams(query)))
const site = (id: string, changes: object = {}) =>
  bench.owner.rows(AiTrafficSite).insert({
    id,
    workspace_id: 'wsp_1',
    location_id: 'loc_1',
    domain: `${id}.example`,
    timezone: 'UTC',
    site_key: id,
    is_active: true,
    count_search_engines: false,
    respect_dnt: true,
    forwarder_token_last4: 'abcd',
    forwarder_token_hash: 'x',
    last_log_at: null,
    last_beacon_at: null,
    ...changes,
  } as never)
const day = (given: Partial<Day>) => bench.collection(AiTrafficDaily).insert({ ...dayOf(given) })
const agent = (operator: string, category: string, hits: number, verified = 0, spoofed = 0) => ({
  operator,
  category,
  hits,
  verified,
  spoofed,
})

async function world() {
  await site('sit_1', { last_log_at: '2026-03-15T11:00:00.000Z' })
  await day({
    date: '2026-03-15',
    by_agent: {
      GPTBot: agent('OpenAI', 'training', 10, 6, 3),
      'ChatGPT-User': agent('OpenAI', 'ai_answers', 5, 5),
      ClaudeBot: agent('Anthropic', 'training', 2),
    } as never,
    top_paths: [{ path: '/a', hits: 12 }],
    paths_by_category: {
      training: [{ path: '/a', hits: 9 }],
      ai_answers: [{ path: '/b', hits: 4 }],
    } as never,
    by_referrer: { 'chatgpt.com': 4, 'claude.ai': 1 },
    referral_paths: [{ path: '/a', visits: 5 }],
  })
  await day({ date: '2026-02-10', by_agent: { GPTBot: agent('OpenAI', 'training', 20) } as never })
  await day({ date: '2026-01-01', crawler_hits: 1, referral_visits: 1 })
}

describe('The page of AI traffic', () => {
  test('says that there is no site, that nothing was heard yet, and that nobody came', async () => {
    expect((await load()).state).toBe('no_site')
    await site('sit_1')
    expect((await load()).state).toBe('waiting')
    await bench.owner.rows(AiTrafficSite).update('sit_1', { last_log_at: '2026-03-15T11:00:00.000Z' })
    expect(await load()).toMatchObject({ state: 'counting', figures: { crawled: { now: 0, before: null } } })
  })

  test('adds a period up beside the one before, day by day', async () => {
    await world()
    const data = await load()
    expect(data.period).toEqual({ date_from: '2026-02-16', date_to: '2026-03-15', days: 28 })
    const figure = (now: number, before: number, whole = 0) => ({ now, whole, before })
    expect(data.figures).toEqual({
      crawled: figure(17, 20),
      answers: figure(5, 0),
      verified: figure(11, 0),
      spoofed: figure(3, 0),
      unchecked: figure(3, 20),
      signed: figure(0, 0),
      visits: figure(5, 0),
    })
    expect([data.days.length, data.before?.length, data.by_category.training.at(-1)]).toEqual([28, 28, 12])
    const { operators, crawlers, pages, assistants } = data.lists
    const ratio = (crawls: number, visits: number) => crawlsPerVisit.of(crawls, visits)
    expect(operators?.lines).toEqual([
      {
        operator: 'OpenAI',
        crawled: figure(12, 20),
        verified: 11,
        spoofed: 3,
        sent: figure(4, 0),
        crawls_per_visit: ratio(11, 4),
        has_assistant: true,
      },
      {
        operator: 'Anthropic',
        crawled: figure(2, 0),
        verified: 0,
        spoofed: 0,
        sent: figure(1, 0),
        crawls_per_visit: ratio(0, 1),
        has_assistant: true,
      },
    ])
    expect(crawlers?.lines[0]).toMatchObject({ agent: 'GPTBot', verified: 6, spoofed: 3, unchecked: 1 })
    expect(pages?.lines).toEqual([{ path: '/a', hits: 12, category: 'training' }])
    expect(assistants?.lines.map(({ host, operator }) => [host, operator])).toEqual([
      ['chatgpt.com', 'OpenAI'],
      ['claude.ai', 'Anthropic'],
    ])
  })

  test('compares whole days alone: the day that goes on, and its own of the period before, are left out', async () => {
    await world()
    const gpt = (hits: number) => ({ by_agent: { GPTBot: agent('OpenAI', 'training', hits) } as never })
    await day({ date: '2026-03-14', ...gpt(4) })
    await day({ date: '2026-02-15', ...gpt(100) })
    const data = await load()
    expect([data.unfinished, data.timezone]).toEqual([1, 'UTC'])
    expect(data.figures.crawled).toEqual({ now: 21, whole: 4, before: 20 })
    expect(data.lists.crawlers?.lines[0]).toMatchObject({
      agent: 'GPTBot',
      hits: { now: 14, whole: 4, before: 20 },
    })
    expect([data.before?.at(-1), data.before?.reduce((sum, hits) => sum + hits)]).toEqual([100, 120])
    const over = await load('to=2026-03-14')
    expect([over.unfinished, over.figures.crawled]).toEqual([0, { now: 104, whole: 104, before: 20 }])
  })

  test("ends with the site's own day, and where the sites' days differ knows each that goes on somewhere", async () => {
    bench.now = new Date('2026-03-15T22:00:00.000Z')
    await site('sit_1', { timezone: 'Pacific/Auckland' })
    await site('sit_2', { timezone: 'America/Los_Angeles' })
    const of = async (query: string) => {
      const { today, unfinished, timezone, days } = await load(query)
      return [today, unfinished, timezone, days.at(-1)]
    }
    expect(await of('site=sit_1')).toEqual(['2026-03-16', 1, 'Pacific/Auckland', '2026-03-16'])
    expect(await of('site=sit_2')).toEqual(['2026-03-15', 1, 'America/Los_Angeles', '2026-03-15'])
    expect(await of('')).toEqual(['2026-03-16', 2, null, '2026-03-16'])
  })

  test('shows no change against days before counting began, for hits and for visits apart', async () => {
    await site('sit_1', { last_log_at: '2026-03-15T11:00:00.000Z' })
    const gpt = { crawler_hits: 1, by_agent: { GPTBot: agent('OpenAI', 'training', 1) } as never }
    const before = async (query = '') => {
      const { figures, before, since, lists } = await load(query)
      const sent = lists.operators?.lines.map((line) => [line.crawled.before, line.sent.before])
      return [
        figures.crawled.before,
        figures.visits?.before,
        before?.length,
        since.hits,
        since.visits,
        sent?.[0],
      ]
    }
    expect(await before()).toEqual([null, null, undefined, null, null, undefined])
    await day({ date: '2026-03-10', ...gpt })
    expect(await before()).toEqual([null, null, undefined, '2026-03-10', null, [null, null]])
    await day({ date: '2026-02-20', ...gpt, referral_visits: 2, by_referrer: { 'chatgpt.com': 2 } })
    expect(await before()).toEqual([null, null, undefined, '2026-02-20', '2026-02-20', [null, null]])
    expect(await before('days=7')).toEqual([0, 0, 7, '2026-02-20', '2026-02-20', [0, 0]])
    // The period before begins on 2026-01-19. Its first day was counted in whole only if counting began before.
    await day({ date: '2026-01-19', ...gpt })
    expect((await before())[0]).toBeNull()
    await day({ date: '2026-01-18', ...gpt })
    expect(await before()).toEqual([1, null, 28, '2026-01-18', '2026-02-20', [1, null]])
    expect((await before('days=90'))[0]).toBeNull()
    // One more site, counted since later: together they cannot be compared, each alone as far as it was counted.
    await site('sit_2', { last_log_at: '2026-03-15T11:00:00.000Z' })
    await day({ site_id: 'sit_2', date: '2026-03-01', ...gpt })
    expect((await before()).slice(0, 4)).toEqual([null, null, undefined, '2026-03-01'])
    expect((await before('site=sit_1'))[0]).toBe(1)
    expect((await before('site=sit_2'))[0]).toBeNull()
  })

  test('is filtered by a page: its hits by day and purpose, its visits, and nothing that is not kept by page', async () => {
    await world()
    await day({
      date: '2026-03-14',
      top_paths: [{ path: '/a', hits: 7 }],
      crawler_hits: 7,
      paths_by_category: {
        training: [{ path: '/a', hits: 3 }],
        ai_answers: [{ path: '/a', hits: 1 }],
      } as never,
    })
    const data = await load('page=%2Fa&operator=OpenAI&agent=GPTBot')
    expect([data.asked.page, data.asked.operator, data.asked.agent]).toEqual(['/a', null, null])
    expect(data.figures).toEqual({
      crawled: { now: 19, whole: 7, before: 0 },
      answers: { now: 1, whole: 1, before: 0 },
      visits: { now: 5, whole: 0, before: 0 },
      verified: null,
      spoofed: null,
      unchecked: null,
      signed: null,
    })
    expect([data.by_category.training.slice(-2), data.by_category.ai_answers.slice(-2)]).toEqual([
      [3, 9],
      [1, 0],
    ])
    expect(data.unknown_purpose).toBe(19 - 13)
    const { operators, crawlers, assistants, pages, landing } = data.lists
    expect([operators, crawlers, assistants]).toEqual([null, null, null])
    expect(pages?.lines).toEqual([{ path: '/a', hits: 19, category: 'training' }])
    expect(landing?.lines).toEqual([{ path: '/a', visits: 5 }])
    const training = await load('page=%2Fa&category=training')
    expect([training.figures.crawled.now, training.figures.visits, training.unknown_purpose]).toEqual([
      12,
      null,
      0,
    ])
    const none = await load(`page=${encodeURIComponent("/a' OR 1=1")}`)
    const { lists } = none
    expect([none.figures.crawled.now, lists.pages?.lines, lists.landing?.lines, none.state]).toEqual([
      0,
      [],
      [],
      'counting',
    ])
    expect((await load(`page=/${'x'.repeat(512)}`)).asked.page).toBeNull()
  })

  test('is narrowed by every filter, and shows no pages where none are kept by it', async () => {
    await world()
    const category = await load('category=training')
    expect([category.figures.crawled.now, category.figures.visits]).toEqual([12, null])
    expect(category.lists.pages?.lines).toEqual([{ path: '/a', hits: 9, category: 'training' }])
    const operator = await load('operator=Anthropic')
    expect([operator.figures.crawled.now, operator.figures.visits?.now, operator.lists.pages]).toEqual([
      2,
      1,
      null,
    ])
    const one = await load('agent=GPTBot')
    expect([one.figures.crawled.now, one.lists.crawlers?.total, one.lists.pages]).toEqual([10, 1, null])
    expect((await load('agent=Nobody')).figures.crawled.now).toBe(0)
  })

  test('goes back and forth, and lists each value of the address that it does not use', async () => {
    await world()
    const earlier = await load('to=2026-02-15')
    expect([earlier.period.date_to, earlier.figures.crawled.now]).toEqual(['2026-02-15', 20])
    expect([earlier.earlier, earlier.later]).toEqual([{ to: '2026-01-18' }, { to: null }])
    const ignored = async (query: string) => {
      const data = await load(query)
      expect([query, data.figures.crawled.now]).toEqual([query, 17])
      return data.ignored.map(({ name, value, accepted }) => [name, value, accepted])
    }
    const until = 'Use a day from 2000-01-01 to 2026-03-15, written as 2026-03-15.'
    for (const day of ['2099-01-01', '2026-02-30', 'x', '0001-01-01', '1999-12-31', '2026-2-1', '2026-03-16'])
      expect(await ignored(`to=${day}`)).toEqual([['to', day, until]])
    for (const days of ['5', '999999', '1e9', '7.0', '0x7', ' 7'])
      expect(await ignored(`days=${encodeURIComponent(days)}`)).toEqual([
        ['days', days.trim(), 'Use 1, 7, 28, 90 or 365.'],
      ])
    expect(await ignored('category=nothing&compare=maybe&site=x')).toEqual([
      ['site', 'x', 'Use the id of a site of this workspace.'],
      ['compare', 'maybe', 'Use yes or no.'],
      ['category', 'nothing', 'Use ai_answers, search_index, training or other_ai.'],
    ])
    const visible = 'Use a name with at most 200 visible characters.'
    expect(await ignored(`agent=${'x'.repeat(300)}&operator=${encodeURIComponent('a\u202eb')}`)).toEqual([
      ['operator', 'ab', visible],
      ['agent', `${'x'.repeat(60)}…`, visible],
    ])
    const path = 'Use a path such as /prices, with at most 512 characters.'
    expect(await ignored(`page=${'a'.repeat(3_000)}`)).toEqual([['page', `${'a'.repeat(60)}…`, path]])
    expect(await ignored(`page=/${'%C3%BC'.repeat(200)}`)).toEqual([['page', `/${'ü'.repeat(59)}…`, path]])
    const known = 'site, to, from, days, compare, page, category, operator, agent, list, find, at, rows'
    expect(await ignored('workspace=wsp_1&done=saved')).toEqual([])
    expect(await ignored(`agnet=GPTBot&days=28&${'n'.repeat(70)}=1`)).toEqual([
      ['agnet', 'GPTBot', `This page has no such filter. Use ${known}.`],
      [`${'n'.repeat(60)}…`, '1', `This page has no such filter. Use ${known}.`],
    ])
    const many = Array.from({ length: 40 }, (_, at) => `x${at}=1`).join('&')
    expect(await ignored(many)).toHaveLength(10)
    expect(await ignored('days=28&days=7')).toEqual([['days', '7', 'Send it once. The first value is used.']])
    for (const query of ['', 'site=&days=&to=&page=&agent=', 'to=2026-03-15&days=28&compare=yes'])
      expect(await ignored(query)).toEqual([])
    expect((await load()).later).toBeNull()
  })

  test('says that pages are not counted by operator or crawler, and finds a page by its own letters', async () => {
    await world()
    const accepted = 'Pages are not counted by operator or crawler. Remove the page filter to use it.'
    expect((await load('page=/a&operator=OpenAI&agent=GPTBot')).ignored).toEqual([
      { name: 'operator', value: 'OpenAI', accepted },
      { name: 'agent', value: 'GPTBot', accepted },
    ])
    await day({ date: '2026-03-14', top_paths: [{ path: '/%C3%BC%20a', hits: 7 }] })
    const { asked, lists, ignored } = await load('page=/ü a')
    expect([asked.page, lists.pages?.lines[0]?.hits, ignored]).toEqual(['/%C3%BC%20a', 7, []])
  })

  test('goes back to the first day that it accepts, and no further', async () => {
    await world()
    expect((await load('to=2000-01-01')).earlier).toBeNull()
    expect((await load('to=2000-01-28')).earlier).toBeNull()
    expect((await load('to=2000-01-29')).earlier).toEqual({ to: '2000-01-01' })
  })

  test('names a site in its own letters beside the domain that is stored', async () => {
    await site('sit_1', { domain: 'xn--mller-kva.example' })
    const named = { id: 'sit_1', domain: 'xn--mller-kva.example', name: 'müller.example' }
    const { site: shown, sites } = await load()
    expect([shown, sites]).toEqual([named, [named]])
  })

  test('shows all sites together while they are few, one of them when asked, and none of a stranger', async () => {
    await world()
    await site('sit_2')
    await day({
      site_id: 'sit_2',
      date: '2026-03-14',
      by_agent: { CCBot: agent('Common Crawl', 'training', 1) } as never,
    })
    await day({
      site_id: 'sit_9',
      workspace_id: 'wsp_2',
      date: '2026-03-14',
      by_agent: { X: agent('X', 'training', 99) } as never,
    })
    expect([(await load()).site, (await load()).figures.crawled.now]).toEqual([null, 18])
    expect(await load('site=sit_2')).toMatchObject({
      site: { id: 'sit_2' },
      figures: { crawled: { now: 1 } },
    })
    const strange = await load('site=sit_9')
    expect([strange.figures.crawled.now, strange.ignored.length, strange.asked.site]).toEqual([18, 1, null])
    for (let n = 3; n < 24; n++) await site(`sit_${n}`)
    expect((await load()).site).toMatchObject({ id: 'sit_1', domain: 'sit_1.example' })
  })

  test('shows any days up to 366, and goes back and forth by as many', async () => {
    await world()
    const span = async (query: string) => {
      const { period, figures, asked, earlier, later, ignored } = await load(query)
      return [period.days, figures.crawled.now, asked.from, earlier, later, ignored.map(({ name }) => name)]
    }
    expect(await span('from=2026-02-01&to=2026-02-15')).toEqual([
      15,
      20,
      '2026-02-01',
      { from: '2026-01-17', to: '2026-01-31' },
      { from: '2026-02-16', to: '2026-03-02' },
      [],
    ])
    // The end is never after today, and the period stays as long as it is.
    expect((await span('from=2026-02-20&to=2026-03-10'))[4]).toEqual({ from: '2026-02-25', to: null })
    expect((await span('from=2026-02-25')).slice(0, 3)).toEqual([19, 17, '2026-02-25'])
    expect((await span('from=2025-03-15')).slice(0, 3)).toEqual([366, 38 - 1, '2025-03-15'])
    for (const query of ['from=2025-03-14', 'from=2026-03-01&to=2026-02-01', 'from=2026-02-30', 'from=x'])
      expect([query, (await span(query))[5]]).toEqual([query, ['from']])
    expect((await span('from=2026-03-01&days=7')).slice(0, 1)).toEqual([15])
    expect((await load('from=2026-03-01&days=7')).ignored).toEqual([
      { name: 'days', value: '7', accepted: 'Use either days, or from and to.' },
    ])
    expect((await load('from=2025-01-01')).ignored[0]?.accepted).toBe(
      'Use a day from 2025-03-15 to 2026-03-15, written as 2026-03-15.',
    )
  })

  test('shows today alone, and compares nothing with a day that is not over', async () => {
    await world()
    await day({ date: '2026-03-14', by_agent: { GPTBot: agent('OpenAI', 'training', 9) } as never })
    const today = await load('days=1')
    expect([today.days, today.unfinished]).toEqual([['2026-03-15'], 1])
    expect(today.figures.crawled).toEqual({ now: 17, whole: 0, before: null })
    expect([today.before, today.ignored]).toEqual([null, []])
    const yesterday = await load('days=1&to=2026-03-14')
    expect(yesterday.figures.crawled).toEqual({ now: 9, whole: 9, before: 0 })
  })

  test('shows nine rows of a list, all of them in parts, and those that contain a text', async () => {
    await site('sit_1', { last_log_at: '2026-03-15T11:00:00.000Z' })
    const paths = Array.from({ length: 120 }, (_, at) => ({ path: `/p/${at}`, hits: 200 - at }))
    await day({ date: '2026-03-15', top_paths: [...paths, { path: '/caf%C3%A9', hits: 1 }] })
    const part = async (query: string) => {
      const { lists, ignored } = await load(query)
      const { lines = [], found, total, part, parts } = lists.pages ?? {}
      return [lines.length, lines[0]?.path, found, total, part, parts, ignored.map(({ name }) => name)]
    }
    expect(await part('')).toEqual([9, '/p/0', 121, 121, 1, 3, []])
    expect(await part('list=pages')).toEqual([50, '/p/0', 121, 121, 1, 3, []])
    expect(await part('list=pages&at=3')).toEqual([21, '/p/100', 121, 121, 3, 3, []])
    expect(await part('list=pages&at=4')).toEqual([50, '/p/0', 121, 121, 1, 3, ['at']])
    expect(await part('list=pages&find=P/11')).toEqual([11, '/p/11', 11, 121, 1, 1, []])
    expect(await part('list=pages&find=CAFÉ')).toEqual([1, '/caf%C3%A9', 1, 121, 1, 1, []])
    expect(await part('list=pages&find=nothing')).toEqual([0, undefined, 0, 121, 1, 1, []])
    expect(await part('find=x&at=2&rows=all&list=nothing')).toEqual([
      9,
      '/p/0',
      121,
      121,
      1,
      3,
      ['list', 'find', 'at', 'rows'],
    ])
    const csv = await file('list=pages')
    expect([csv.length, csv[0], csv[1]]).toEqual([122, ['path', 'hits_at_least'], ['/p/0', 200]])
    expect(await file('list=pages&find=caf')).toHaveLength(2)
    const { lists } = await load('list=pages')
    expect([lists.operators, lists.crawlers, lists.landing, lists.assistants]).toEqual([
      null,
      null,
      null,
      null,
    ])
  })

  test('gives each list as rows for a spreadsheet, and says when a filter leaves it without any', async () => {
    await world()
    const csv = file
    expect(await csv('list=operators')).toEqual([
      [
        'operator',
        'crawled',
        'crawled_before',
        'verified',
        'spoofed',
        'visits',
        'visits_before',
        'crawls_per_visit',
      ],
      ['OpenAI', 12, 20, 11, 3, 4, 0, 2.75],
      ['Anthropic', 2, 0, 0, 0, 1, 0, 0],
    ])
    expect((await csv('list=crawlers'))[1]).toEqual(['GPTBot', 'OpenAI', 'training', 10, 20, 6, 1, 3, 0])
    expect((await csv('list=assistants'))[1]).toEqual(['chatgpt.com', 'OpenAI', 4, 0])
    expect((await csv('list=landing'))[1]).toEqual(['/a', 5])
    await expect(csv('list=crawlers&page=/a')).rejects.toThrow('Remove the filters')
  })

  test('is taken away as rows for a spreadsheet', async () => {
    await world()
    const rows = await file('')
    expect(rows[0]).toEqual([
      'day',
      'ai_answers',
      'search_index',
      'training',
      'other_ai',
      'in_all',
      'period_before',
      'is_over',
    ])
    expect(rows.at(-1)).toEqual(['2026-03-15', 5, 0, 12, 0, 17, 0, false])
    expect(rows.at(-2)?.at(-1)).toBe(true)
    expect(rows).toHaveLength(29)
    await expect(file('days=5')).rejects.toThrow('invalid filters')
  })
})

test('daily rows are served from columns, and no plugin can write them as documents', () => {
  expect(() => bench.owner.rows(AiTrafficDaily).removeWhere(where.eq('id', 'x'))).toThrow(
    'cannot be written from here',
  )
})
