import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import * as v from 'valibot'
import { hitsTable, touchedTable } from '../../../../core/contracts/traffic'
import { where } from '../../../../core/contracts/where'
import { dayIn, shiftDay } from '../../../../core/kit/periods'
import { BusinessLocation } from '../../../../core/product/tenancy-plugin'
import traffic from '../../../../plugins/traffic'
import { checkOnRequest } from '../../../../plugins/traffic/access/check-on-request'
import { checkSites } from '../../../../plugins/traffic/access/checkSites'
import { AiTrafficDaily } from '../../../../plugins/traffic/records/AiTrafficDaily'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { RobotsCopy } from '../../../../plugins/traffic/records/RobotsCopy'
import { SiteAccess } from '../../../../plugins/traffic/records/SiteAccess'
import { sealDays } from '../../../../plugins/traffic/sealing/sealDays'
import { freshColumns } from '../../../support/chdb'
import { type Gate, startGate } from '../../../support/harness'
import { waitFor } from '../../../support/wait-for'
import { startWebsites } from '../../prospects/support/website'

const columns = await freshColumns()
const web = startWebsites()
let gate: Gate
let site: string
let today: string
beforeAll(async () => {
  gate = await startGate({ plugins: [traffic], columns, safeFetch: web.safeFetch })
  today = dayIn('UTC', gate.clock.now())
  const location = await gate.put(BusinessLocation, {
    business_name: 'Acme',
    is_active: true,
    is_prospect: false,
    auto_response_enabled: false,
  })
  const command = gate.registry.commands.get('site create')
  const input = command && v.parse(command.input, { domain: 'service.example', location_id: location.id })
  site = String((await command?.run(gate.owner, input))?.site_id)
})
beforeEach(() => web.reset())
afterAll(async () => {
  await gate.stop()
  await web.stop()
  await columns.close()
})

const at = (path: string) => `https://service.example${path}`
const run = () => checkSites.run(gate.owner, new AbortController().signal)
const seal = () => sealDays.run(gate.owner, new AbortController().signal)
const access = async () => {
  const [row] = await gate.owner.rows(SiteAccess).list({ where: where.eq('site_id', site), limit: 2 })
  if (!row) throw new Error('no row')
  return row
}
const copies = () =>
  gate.owner.rows(RobotsCopy).list({ sort: [{ field: 'first_seen_at', direction: 'asc' }] })
const crawl = (date: string, agent: string, path: string, hits: number, verified: number, spoofed = 0) => [
  'crawl',
  site,
  date,
  agent,
  'training',
  'OpenAI',
  path,
  hits,
  verified,
  spoofed,
]
const createSite = async (domain: string) => {
  const [location] = await gate.owner.rows(BusinessLocation).list({ limit: 1 })
  const command = gate.registry.commands.get('site create')
  const input = command && v.parse(command.input, { domain, location_id: location?.id })
  return String((await command?.run(gate.owner, input))?.site_id)
}
const hours = (count: number) => gate.clock.advance(count * 3_600_000)

test('a new site is checked, again after six hours, and its pages are compared with what was fetched', async () => {
  web.text(at('/robots.txt'), `User-agent: GPTBot\nDisallow: /private\nSitemap: ${at('/map.xml')}`)
  web.text(at('/llms.txt'), `# Service\n- [Menu](${at('/menu')})`)
  web.text(
    at('/map.xml'),
    `<urlset><url><loc>${at('/menu')}</loc></url><url><loc>${at('/lost')}</loc></url></urlset>`,
  )
  await gate.owner.columns.insert(hitsTable.name, Object.keys(hitsTable.columns), [
    crawl(today, 'GPTBot', '/menu', 2, 2),
    crawl(today, 'GPTBot', '/llms.txt', 3, 1),
    crawl(today, 'CCBot', '/lost', 4, 0, 4),
    crawl(shiftDay(today, -40), 'GPTBot', '/lost', 4, 4),
  ])
  await run()
  expect(await access()).toMatchObject({
    robots: { state: 'read', is_cut: false },
    llms: { state: 'valid', fetches: [{ agent: 'GPTBot', hits: 3, verified: 1 }] },
    sitemap: {
      state: 'read',
      coverage: {
        pages: 2,
        never: 1,
        never_paths: ['/lost'],
        agents: [{ agent: 'GPTBot', fetched: 1, missing: ['/lost'] }],
      },
    },
  })
  expect(await copies()).toHaveLength(1)
  const asked = web.asked.length
  await run()
  expect(web.asked.length).toBe(asked)
  hours(6.1)
  await run()
  expect(web.asked.length).toBe(asked * 2)
  const [copy] = await copies()
  expect(Date.parse(copy?.last_seen_at ?? '')).toBeGreaterThan(Date.parse(copy?.first_seen_at ?? ''))
})

test('an unreadable robots.txt is a fault, and the last copy is kept as long as it was seen', async () => {
  const [before] = await copies()
  web.text(at('/robots.txt'), 'x', 403)
  web.text('http://service.example/robots.txt', 'x', 503)
  hours(6.1)
  await run()
  expect((await access()).robots).toMatchObject({ state: 'unreadable', read_at: before?.last_seen_at })
  expect((await access()).robots?.fault).toContain('403')
  expect(await copies()).toEqual(before ? [before] : [])
  const summary = (await (await gate.call('getAiTrafficSummary', { days: 7 })).json()) as { access: object }
  expect(summary.access).toMatchObject({ robots_txt: { state: 'unreadable' }, agents: [] })
})

test('a day is judged after the file was seen before it, and again when the file changes', async () => {
  const closed = 'User-agent: GPTBot\nDisallow: /private'
  web.text(at('/robots.txt'), closed)
  hours(24)
  await run()
  hours(24)
  await run()
  const day = dayIn('UTC', gate.clock.now())
  await gate.owner.columns.insert(hitsTable.name, Object.keys(hitsTable.columns), [
    crawl(day, 'GPTBot', '/private/a', 41, 41),
  ])
  await gate.owner.columns.insert(
    touchedTable.name,
    ['site_id', 'date', 'source', 'last_hit_at'],
    [[site, day, 'log', `${day} 10:00:00.000`]],
  )
  await seal()
  const period = { date_from: day, date_to: day }
  const summary = async () =>
    (await (await gate.call('getAiTrafficSummary', period)).json()) as { robots: object; access: object }
  const found = await summary()
  expect(found.robots).toEqual({
    judged: 41,
    disallowed: 41,
    verified: 41,
    most: [{ path: '/private/a', agent: 'GPTBot', rule: 'Disallow: /private', hits: 41, verified: 41 }],
  })
  expect(found.access).toMatchObject({
    robots_txt: { state: 'read' },
    agents: [{ agent: 'GPTBot', closed: 'some' }],
    llms_txt: { state: 'absent' },
    never_crawled: null,
  })
  // Nobody knows at which hour of the day the file was opened, so the day is no longer held against the crawler.
  web.text(at('/robots.txt'), 'User-agent: *\nDisallow:')
  hours(6.1)
  await run()
  const touched = await gate.owner.columns.query(
    'SELECT DISTINCT source FROM traffic_touched WHERE site_id = {site:String}',
    { site },
  )
  expect(touched).toContainEqual({ source: 'robots' })
  const [row] = await gate.owner.rows(AiTrafficDaily).list({ where: where.eq('date', day), limit: 1 })
  expect(row).toBeDefined()
})

test('a site that was deleted takes its checks and copies with it', async () => {
  const remove = () =>
    gate.registry.commands.get('site remove')?.run(gate.owner, { site_id: site, delete_counts: true })
  await remove()
  gate.clock.advance(120_000)
  await remove()
  expect(await gate.owner.rows(SiteAccess).count()).toBe(0)
  expect(await copies()).toEqual([])
})

test('a site that cannot be checked does not keep others from it', async () => {
  // The site of the tests above is removed, if they ran.
  const broken = await createSite('service.example').catch(() => site)
  const other = await createSite('other.example')
  web.text(at('/robots.txt'), 'User-agent: *')
  const query: typeof columns.query = (sql, params) =>
    params?.site_id === broken ? Promise.reject(new Error('too long')) : columns.query(sql, params)
  const owner = { ...gate.owner, columns: { ...gate.owner.columns, query } }
  await checkSites.run(owner, new AbortController().signal)
  const checked = async (id: string) =>
    (await gate.owner.rows(SiteAccess).list({ where: where.eq('site_id', id), limit: 1 }))[0]?.checked_at
  expect([await checked(broken), typeof (await checked(other))]).toEqual([undefined, 'string'])
})

test('a person starts a check at once, once a minute, and does not wait for a slow site', async () => {
  const id = await createSite('wrong.example')
  const own = async () => {
    const row = await gate.owner.rows(AiTrafficSite).get(id)
    if (!row) throw new Error('no site')
    return row
  }
  const file = 'http://wrong.example/robots.txt'
  web.text(file, 'User-agent: *')
  const check = async (waitMs?: number) => checkOnRequest(gate.owner, await own(), waitMs)
  expect(await check()).toBe('checked')
  const found = async () =>
    (await gate.owner.rows(SiteAccess).list({ where: where.eq('site_id', id), limit: 1 }))[0]
  expect((await found())?.robots).toMatchObject({ state: 'read', host: 'wrong.example' })
  const asked = web.asked.length
  await expect(check()).rejects.toThrow('Try again in 60 seconds.')
  await run()
  expect(web.asked.slice(asked).filter((url) => url.includes('wrong.example'))).toEqual([])
  gate.clock.advance(60_000)
  const held = Promise.withResolvers<Response>()
  web.answers.set(file, () => held.promise)
  expect(await check(1)).toBe('slow')
  await expect(check()).rejects.toThrow('less than a minute ago')
  held.resolve(new Response('User-agent: GPTBot'))
  await waitFor(async () => (await copies()).some(({ rules }) => rules === 'User-agent: GPTBot'), {
    what: 'the slow check',
  })
  await gate.owner.rows(AiTrafficSite).update(id, { is_active: false })
  await expect(check()).rejects.toThrow('switched off')
})
