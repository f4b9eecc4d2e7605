import { afterAll, beforeAll, expect, test } from 'bun:test'
import { hitsTable, touchedTable } from 'renown/traffic'
import { runCommand } from '../../../../core/contexts/run-command'
import type { PageCounter } from '../../../../core/contracts/page'
import type { SiteSignals } from '../../../../core/contracts/traffic'
import { builtin } from '../../../../plugins/index'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { dailyTable } from '../../../../plugins/traffic/records/dailyTable'
import { freshColumns } from '../../../support/chdb'
import { type Gate, startGate } from '../../../support/harness'
import { formOf, signedIn } from '../../../support/signed-in'

let gate: Gate
let columns: Awaited<ReturnType<typeof freshColumns>>
let cookie: string
let csrf: string
let made = 0
const seen = new Map<string, SiteSignals['lines']>()
const noLines: SiteSignals['lines'] = { accepted: 0, ignored: 0, rejected: 0, duplicate: 0, by_reason: [] }
const counter: PageCounter = {
  signals: async (id) => ({ script_found_at: null, test_visits: [], lines: seen.get(id) ?? noLines }),
  ranges: async () => [],
  refreshRanges: async () => [],
  flush: async () => {},
}
beforeAll(async () => {
  columns = await freshColumns()
  gate = await startGate({ plugins: builtin, columns, counter })
  await command('location create', { business_name: 'Acme', workspace_id: gate.tenant.workspaceId })
  const person = await signedIn(gate)
  cookie = person.cookie
  csrf = person.session.csrf_token
}, 90_000)
afterAll(async () => {
  await gate.stop()
  await columns.close()
})

const command = (name: string, input: object) =>
  runCommand({ owner: gate.owner, commands: gate.registry.commands }, name, input)
const newSite = async () => {
  const domain = `site-${++made}.example`
  return { domain, id: String((await command('site create', { domain })).site_id) }
}
const row = (id: string) => gate.owner.rows(AiTrafficSite).get(id)
const browse = async (id: string) =>
  (await gate.ask(`/app/sites/one?site=${id}`, { key: null, headers: { cookie } })).text()
async function send(action: string, { site = '', ...fields }: Record<string, string>) {
  const form = formOf({ csrf, site, id: site, ...fields }, { cookie })
  const headers = { ...form.headers, accept: 'application/json' }
  const answer = await gate.ask(`/app/sites/one/${action}`, { ...form, headers })
  return (await answer.json()) as {
    ok: boolean
    to?: string
    fault?: string
    faults?: Record<string, string>
  }
}
async function count(site_id: string, date: string, hits: number, visits: number) {
  const { workspaceId: workspace_id } = gate.tenant
  const put = (name: string, values: object) =>
    columns.insert(name, Object.keys(values), [Object.values(values)])
  await put(hitsTable.name, { site_id, date, kind: 'crawl', agent: 'GPTBot', hits })
  await put(touchedTable.name, { site_id, date, last_hit_at: `${date} 00:00:00.000` })
  const id = `${site_id}:${date}`
  await put(dailyTable.name, { id, workspace_id, site_id, date, crawler_hits: hits, referral_visits: visits })
}

test('says what became of the lines of its log, with each doubt and its reason', async () => {
  const { id } = await newSite()
  expect(await browse(id)).not.toContain('Log lines')
  seen.set(id, {
    accepted: 12,
    ignored: 3,
    rejected: 1,
    duplicate: 4,
    by_reason: [
      { outcome: 'repeated', reason: 'another line had this id', lines: 9 },
      { outcome: 'duplicate', reason: 'an equal line was counted before', lines: 4 },
      { outcome: 'ignored', reason: 'no known AI agent', lines: 3 },
      { outcome: 'rejected', reason: 'The time cannot be read', lines: 1 },
    ],
  })
  const html = await browse(id)
  expect(html).toContain('12 counted, 3 ignored, 1 unreadable, 4 counted before since the ingest started')
  expect(html).toContain('9 counted, but doubtful: another line had this id')
  expect(html).toContain('4 not counted: an equal line was counted before')
  expect(html).toContain('1 unreadable: The time cannot be read')
  expect(html).not.toContain('no known AI agent')
})

test('renames a site before anything is counted, and refuses a domain that is taken', async () => {
  const one = await newSite()
  const other = await newSite()
  expect(await browse(one.id)).toContain('Rename the site')
  expect(await send('rename', { site: one.id, domain: 'https://WWW.New.example.' })).toMatchObject({
    ok: true,
  })
  expect((await row(one.id))?.domain).toBe('new.example')
  for (const domain of [other.domain, `www.${other.domain}`, other.domain.toUpperCase(), `${other.domain}.`])
    expect([domain, await send('rename', { site: one.id, domain })]).toMatchObject([
      domain,
      { ok: false, faults: { domain: expect.stringContaining('is already counted in this workspace') } },
    ])
  await count(one.id, '2026-03-01', 3, 0)
  expect(await browse(one.id)).toContain('so the site keeps its domain')
  expect(await send('rename', { site: one.id, domain: 'later.example' })).toMatchObject({ ok: false })
})

test('says what goes with a site, and deletes it with its counts after its domain was typed', async () => {
  const { id, domain } = await newSite()
  await count(id, '2026-03-01', 1_200, 3)
  await count(id, '2026-03-04', 1, 0)
  expect(await browse(id)).toContain('Stop counting first')
  expect(await send('remove', { site: id, confirm: domain })).toMatchObject({
    fault: 'Stop counting this site before you delete it.',
  })
  expect(await send('stop', { site: id })).toMatchObject({ ok: true })
  expect((await row(id))?.is_active).toBe(false)
  const page = await browse(id)
  expect(page).toContain('1,201 crawler hits and 3 visits on 2 days, 1 Mar 2026 to 4 Mar 2026')
  expect(await send('remove', { site: id, confirm: domain })).toMatchObject({
    fault: 'Counting stopped less than a minute ago. Try again in a minute.',
  })
  gate.clock.advance(61_000)
  for (const confirm of ['', 'yes', `x${domain}`])
    expect(await send('remove', { site: id, confirm })).toMatchObject({
      faults: { confirm: `Type ${domain} to delete this site.` },
    })
  expect(await row(id)).not.toBeNull()
  expect(await send('remove', { site: id, confirm: ` ${domain.toUpperCase()} ` })).toMatchObject({
    ok: true,
    to: '/app/sites?done=removed',
  })
  expect(await row(id)).toBeNull()
  for (const { name } of [hitsTable, touchedTable, dailyTable]) {
    const sql = `SELECT count() AS n FROM ${name} WHERE site_id = {id:String}`
    expect(Number((await columns.query<{ n: number }>(sql, { id }))[0]?.n)).toBe(0)
  }
  const list = await gate.ask('/app/sites?done=removed', { key: null, headers: { cookie } })
  expect(await list.text()).toContain('The site was deleted.')
})

const typed: Readonly<Record<string, Record<string, string>>> = {
  remove: { confirm: 'foreign.example' },
  rename: { domain: 'x.example' },
}

test('a site of another workspace is not found, and nothing of it changes', async () => {
  const own = await newSite()
  const foreign = await gate.put(
    AiTrafficSite,
    {
      location_id: 'loc_x',
      domain: 'foreign.example',
      timezone: 'UTC',
      site_key: 'rnw_site_foreign',
      is_active: false,
      count_search_engines: false,
      respect_dnt: true,
      forwarder_token_last4: 'abcd',
      forwarder_token_hash: 'x',
    },
    gate.stranger.workspaceId,
  )
  gate.clock.advance(61_000)
  for (const [site, status] of [
    [foreign.id, 403],
    ['sit_none', 404],
  ] as const) {
    const answer = await gate.ask(`/app/sites/one?site=${site}`, { key: null, headers: { cookie } })
    expect(answer.status).toBe(status)
    for (const fields of [
      { site, id: site },
      { site: own.id, id: site },
    ])
      for (const action of ['stop', 'remove', 'rename'])
        expect(await send(action, { ...fields, ...typed[action] })).not.toMatchObject({ ok: true })
  }
  expect(await row(foreign.id)).toMatchObject({
    domain: 'foreign.example',
    updated_date: foreign.updated_date,
  })
})
