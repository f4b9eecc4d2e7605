import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { PageContext, PageCounter } from '../../../../core/contracts/page'
import type { SiteSignals } from '../../../../core/contracts/traffic'
import { createSafeFetch } from '../../../../core/outbound/fetch/safe-fetch'
import { sha256Hex } from '../../../../core/process/crypto'
import { BusinessLocation } from '../../../../core/product/tenancy-plugin'
import { User } from '../../../../core/tenancy/User'
import traffic from '../../../../plugins/traffic'
import { commonSenders, findSenders } from '../../../../plugins/traffic/install/find-senders'
import type { InstallData } from '../../../../plugins/traffic/install/installPage'
import { type SiteSigns, watchSite } from '../../../../plugins/traffic/install/site-signs'
import type { SitesData } from '../../../../plugins/traffic/install/sitesPage'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { builderPages } from '../../../../plugins/traffic/senders/sender-pages'
import { type Gate, startGate } from '../../../support/harness'
import { quietLog } from '../../../support/quiet-log'
import { formOf, signedIn } from '../../../support/signed-in'
import { standInResolver } from '../../../support/stand-in-resolver'

let gate: Gate
let cookie: string
let csrf: string
let foreign: string
const own: Record<string, string> = {}
const changed: string[] = []
const seen = new Map<string, SiteSignals>()
const nothing: SiteSignals = {
  script_found_at: null,
  test_visits: [],
  lines: { accepted: 0, ignored: 0, rejected: 0, duplicate: 0, by_reason: [] },
}
const counter: PageCounter = {
  signals: async (id) => seen.get(id) ?? nothing,
  ranges: async () => [],
  refreshRanges: async () => [],
  flush: async () => {},
}
beforeAll(async () => {
  const resolver = standInResolver()
  resolver.setAddresses('shop.example', ['127.0.0.1'])
  gate = await startGate({
    plugins: [traffic],
    safeFetch: createSafeFetch({ dns: resolver, log: quietLog, allowLoopback: true }),
    counter,
    onChanged: (feed) => changed.push(feed),
  })
  const person = await signedIn(gate)
  cookie = person.cookie
  csrf = person.session.csrf_token
  own.location = await location('Shop', gate.tenant.workspaceId)
  own.otherLocation = await location('Elsewhere', gate.stranger.workspaceId)
  foreign = await site('foreign.example', gate.stranger.workspaceId, own.otherLocation)
})
afterAll(() => gate.stop())

const location = async (business_name: string, workspaceId: string) =>
  (
    await gate.put(
      BusinessLocation,
      { business_name, is_active: true, is_prospect: false, auto_response_enabled: false },
      workspaceId,
    )
  ).id
async function site(domain: string, workspaceId = gate.tenant.workspaceId, location_id = own.location ?? '') {
  const row = await gate.put(
    AiTrafficSite,
    {
      location_id,
      domain,
      timezone: 'UTC',
      site_key: `rnw_site_${domain}`,
      is_active: true,
      count_search_engines: false,
      respect_dnt: true,
      forwarder_token_last4: 'abcd',
      forwarder_token_hash: await sha256Hex(domain),
    },
    workspaceId,
  )
  return row.id
}
const browse = (path: string) => gate.ask(path, { key: null, headers: { cookie } })
const data = async <T>(path: string) => (await (await browse(`/app/data/${path}`)).json()) as T
const send = (path: string, fields: Record<string, string>) => {
  const form = formOf({ csrf, ...fields }, { cookie })
  return gate.ask(path, { ...form, headers: { ...form.headers, accept: 'application/json' } })
}
const row = (id: string) => gate.owner.rows(AiTrafficSite).get(id)

describe('the page of sites', () => {
  test('creates a site by the rules of the command, and shows its token once', async () => {
    const answer = await send('/app/sites/create', {
      domain: 'https://www.Shop.example/x',
      location_id: own.location ?? '',
      timezone: 'Europe/Madrid',
      respect_dnt: 'yes',
    })
    const { shown } = (await answer.json()) as { shown: Record<string, string> }
    expect(shown).toMatchObject({ domain: 'shop.example', is_replaced: false })
    own.site = shown.site_id ?? ''
    expect(await row(own.site)).toMatchObject({
      domain: 'shop.example',
      timezone: 'Europe/Madrid',
      workspace_id: gate.tenant.workspaceId,
      respect_dnt: true,
      count_search_engines: false,
      is_active: true,
      forwarder_token_hash: await sha256Hex(shown.forwarder_token ?? ''),
    })
    expect(changed).toContain('sites')
    const page = await (await browse('/app/sites')).text()
    expect(page).toContain('shop.example')
    expect(page).not.toContain(shown.forwarder_token ?? '')
    expect(page).not.toContain('forwarder_token_hash')
  })

  test('says what cannot be used, at its field, and keeps what was typed', async () => {
    const form = formOf(
      { csrf, domain: 'no domain', location_id: own.location ?? '', timezone: 'Nowhere' },
      { cookie },
    )
    const answer = await gate.ask('/app/sites/create', form)
    expect(answer.status).toBe(422)
    const html = await answer.text()
    expect(html).toContain('a domain such as example.com')
    expect(html).toContain('an IANA time zone such as Europe/Madrid')
    expect(html).toMatch(/<input[^>]*name="domain"[^>]*value="no domain"|value="no domain"[^>]*name="domain"/)
    const again = await send('/app/sites/create', {
      domain: 'shop.example',
      location_id: own.location ?? '',
      timezone: 'Europe/Madrid',
    })
    expect(await again.json()).toMatchObject({
      ok: false,
      fault: expect.stringContaining('is already counted'),
    })
  })

  test('makes and changes nothing in a workspace that is not the person’s', async () => {
    const before = await row(foreign)
    for (const [path, fields] of [
      ['/app/sites/create', { domain: 'x.example', location_id: own.otherLocation ?? '', timezone: 'UTC' }],
      ['/app/sites/change', { site: foreign }],
      ['/app/sites/rotate', { site: foreign }],
      ['/app/install/rotate', { site: foreign }],
      ['/app/install/look', { site: foreign }],
    ] as const)
      expect([path, await (await send(path, fields)).json()]).toMatchObject([path, { ok: false }])
    expect(await row(foreign)).toEqual(before)
    const refused = await browse(`/app/data/install.json?site=${foreign}`)
    expect(refused.status).toBe(403)
    expect(await refused.text()).not.toContain('foreign.example')
  })

  test('switches what is counted, and tells the counter', async () => {
    changed.length = 0
    await send('/app/sites/change', { site: own.site ?? '', count_search_engines: 'yes' })
    const switched = { is_active: false, count_search_engines: true, respect_dnt: false }
    expect(await row(own.site ?? '')).toMatchObject(switched)
    expect(changed).toEqual(['sites'])
    expect(await (await browse('/app/sites')).text()).toContain('switched off')
    await send('/app/sites/change', { site: own.site ?? '', is_active: 'yes', respect_dnt: 'yes' })
  })

  test('replaces a token', async () => {
    const before = await row(own.site ?? '')
    const { shown } = (await (await send('/app/sites/rotate', { site: own.site ?? '' })).json()) as {
      shown: { forwarder_token: string; is_replaced: boolean }
    }
    expect(shown.is_replaced).toBe(true)
    const after = await row(own.site ?? '')
    expect(after?.forwarder_token_hash).toBe(await sha256Hex(shown.forwarder_token))
    expect(after?.forwarder_token_hash).not.toBe(before?.forwarder_token_hash)
  })

  test('finds one among many, a page at a time', async () => {
    for (let number = 10; number < 40; number++) await site(`many${number}.example`)
    const first = await data<SitesData>('sites.json')
    expect([first.sites.length, first.has_more, first.count]).toEqual([25, true, 31])
    const next = await data<SitesData>('sites.json?at=2')
    expect([next.sites.length, next.has_more]).toEqual([6, false])
    for (const at of ['99', '0', '-1', '1.5', 'x']) {
      const fallen = await data<SitesData>(`sites.json?at=${at}`)
      expect([fallen.page, fallen.unknown_page, fallen.sites[0]?.id]).toEqual([1, at, first.sites[0]?.id])
      const page = await (await browse(`/app/sites?at=${at}`)).text()
      expect(page).toContain('There is no such page of sites')
      expect(page).toContain('Show all sites')
    }
    expect([first.unknown_page, next.unknown_page]).toEqual([null, null])
    const found = await data<SitesData>('sites.json?q=many39')
    expect(found.sites.map(({ domain }) => domain)).toEqual(['many39.example'])
    for (const at of ['0', '-1', 'x', '1e9', '2.5'])
      expect((await browse(`/app/sites?at=${at}`)).status).toBe(200)
  })
})

test('members look at sites and at what installing takes, and owners alone make, change and rotate', async () => {
  const { userId, session, cookie: theirs } = await signedIn(gate, { email: 'mo@x.example' })
  await gate.owner.rows(User).update(userId, { role: 'member', workspace_ids: [gate.tenant.workspaceId] })
  const before = await row(own.site ?? '')
  for (const [path, fields] of [
    ['/app/sites/create', { domain: 'y.example', location_id: own.location ?? '', timezone: 'UTC' }],
    ['/app/sites/change', { site: own.site ?? '' }],
    ['/app/sites/rotate', { site: own.site ?? '' }],
    ['/app/install/rotate', { site: own.site ?? '' }],
  ] as const) {
    const form = formOf({ csrf: session.csrf_token, ...fields }, { cookie: theirs })
    expect([path, (await gate.ask(path, form)).status]).toEqual([path, 403])
  }
  expect(await row(own.site ?? '')).toEqual(before)
  for (const [path, form] of [
    ['/app/sites?q=shop', /action="\/app\/sites\/(create|change|rotate)"/],
    [`/app/install?site=${own.site}&sender=nginx`, /action="\/app\/install\/rotate"/],
  ] as const) {
    const seen = await gate.ask(path, { key: null, headers: { cookie: theirs } })
    const html = await seen.text()
    const owners = await (await browse(path)).text()
    expect([seen.status, html.includes('shop.example'), form.test(html)]).toEqual([200, true, false])
    expect(form.test(owners)).toBe(true)
    expect(html).toMatch(/Owners add and change sites|ask an owner for another/)
  }
})

describe('the page of installing', () => {
  const install = (query: string) => data<InstallData>(`install.json?${query}`)

  test('has the tag of the site that is asked for, without its token or its hash', async () => {
    const { site: shown, ingest_url } = await install(`site=${own.site}`)
    const { site_key, forwarder_token_hash } = (await row(own.site ?? '')) ?? {}
    expect(shown?.beacon_tag).toBe(`<script defer src="${ingest_url}/s/${site_key}.js"></script>`)
    expect(shown?.test_visit).toMatch(/^https:\/\/shop\.example\/\?renown_check=[\w-]{1,64}$/)
    const html = await (await browse(`/app/install?site=${own.site}`)).text()
    expect(html).toContain('&lt;script defer src=')
    expect(html).not.toContain(forwarder_token_hash ?? '')
  })

  test('begins with a site that is switched on, and says when there is no such site', async () => {
    const off = await site('a-first.example')
    await gate.owner.rows(AiTrafficSite).update(off, { is_active: false })
    const { sites, site: chosen, unknown_site } = await install('')
    expect([sites[0]?.domain, chosen?.domain, unknown_site]).toEqual([
      'a-first.example',
      'many10.example',
      null,
    ])
    expect((await install(`site=${off}`)).site?.domain).toBe('a-first.example')
    expect(await install('site=nothing')).toMatchObject({
      unknown_site: 'nothing',
      site: { domain: 'many10.example' },
    })
  })

  test('opens a page of the site, and no other’s', async () => {
    const page = async (typed: string) =>
      (await install(`site=${own.site}&address=${encodeURIComponent(typed)}`)).site?.page
    expect(await page('www.shop.example/a?b=c#d')).toBe('https://www.shop.example/a?b=c')
    expect(await page('http://shop.example:8080/')).toBe('http://shop.example:8080/')
    for (const typed of [
      'javascript:alert(1)',
      'https://evil.example/',
      'https://shop.example.evil.example/',
      'https://evilshop.example/',
      'https://user@shop.example/',
      'data:text/html,x',
      `https://shop.example/${'x'.repeat(2_000)}`,
    ])
      expect(await page(typed)).toBe('https://shop.example/')
  })

  test('shows every sender’s recipe, with the site’s address and domain in it', async () => {
    const { senders, ingest_url } = await install(`site=${own.site}`)
    const pages = senders.flatMap((group) => group.senders.map(({ page }) => page))
    expect(pages).toContain('wordpress')
    for (const page of pages) {
      const html = await (await browse(`/app/install?site=${own.site}&sender=${page}`)).text()
      const shown = html.slice(html.indexOf('<main'))
      expect([page, shown.includes(new URL(ingest_url).hostname)]).toEqual([page, true])
      expect(shown).not.toMatch(/ingest\.example\.com/)
      const hasToken = shown.includes('&lt;forwarder token>')
      expect([page, hasToken]).toEqual([page, !builderPages.includes(page)])
    }
  })

  test('finds set-up pages by words of their title or kind, also without a script', async () => {
    const { senders, find } = await install(`site=${own.site}&find=${'x'.repeat(100)}`)
    expect(find.length).toBeLessThanOrEqual(61)
    const titles = (typed: string) => findSenders(senders, typed)?.map(({ title }) => title)
    expect(titles(' ')).toBeUndefined()
    expect(titles('NGINX')).toContain('nginx')
    expect(titles('containers doc')).toEqual(['Docker'])
    expect(titles('nothing of it')).toEqual([])
    expect(commonSenders(senders)).toHaveLength(6)
    const html = await (await browse(`/app/install?site=${own.site}&find=docker`)).text()
    expect(html).toContain('value="docker"')
    expect(html).not.toContain('Most common')
  })

  test('offers the WordPress plugin as an archive, with the site’s connection', async () => {
    const answer = await browse('/app/data/install/renown-wordpress.zip')
    expect(answer.headers.get('content-type')).toBe('application/zip')
    expect(answer.headers.get('content-disposition')).toContain('renown-wordpress.zip')
    expect(await answer.text()).toStartWith('PK')
    const page = await (await browse(`/app/install?site=${own.site}&sender=wordpress`)).text()
    expect(page).toContain('href="/app/data/install/renown-wordpress.zip"')
    expect(page).toContain(`&amp;site=${(await row(own.site ?? ''))?.site_key}`)
  })

  test('fills a token in that was just made, this once', async () => {
    const back = `/app/install?site=${own.site}&sender=nginx`
    const answer = await gate.ask(
      '/app/install/rotate',
      formOf({ csrf, site: own.site ?? '', back }, { cookie }),
    )
    const html = await answer.text()
    const token = /rnw_fwd_\w+/.exec(html)?.[0] ?? ''
    expect(html).toContain(`Authorization: Bearer ${token}`)
    expect((await row(own.site ?? ''))?.forwarder_token_hash).toBe(await sha256Hex(token))
    expect(await (await browse(back)).text()).not.toContain(token)
  })

  test('says what it found of a page, and refuses one that is not the site’s', async () => {
    const other = await send('/app/install/look', { site: own.site ?? '', address: 'https://evil.example/' })
    expect(await other.json()).toMatchObject({
      ok: false,
      faults: { address: 'Give an address under https://shop.example/.' },
    })
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () =>
        new Response('<h1><img src=x onerror=alert(1)></h1>', {
          headers: {
            'content-type': 'text/html',
            'content-security-policy': "script-src 'self' <img/src=x>",
          },
        }),
    })
    const page = `http://shop.example:${server.port}/`
    const back = `/app/install?site=${own.site}`
    const form = formOf({ csrf, site: own.site ?? '', address: page, back }, { cookie })
    const answer = await gate.ask('/app/install/look', form)
    await server.stop(true)
    expect(answer.status).toBe(200)
    const html = await answer.text()
    expect(html).toContain('data-finding="csp_script"')
    expect(html).toContain('&lt;img/src=x>')
    expect(html).not.toMatch(/<img/)
  })

  test('says so where the counter runs in another process, and shows what is stored', async () => {
    const apart = await startGate({ plugins: [traffic], documents: gate.documents })
    const { cookie: theirs } = await signedIn(apart, { agencyId: apart.tenant.agencyId })
    await apart.put(AiTrafficSite, {
      location_id: 'loc_x',
      domain: 'apart.example',
      timezone: 'UTC',
      site_key: 'rnw_site_apart',
      is_active: true,
      count_search_engines: false,
      respect_dnt: true,
      forwarder_token_last4: 'abcd',
      forwarder_token_hash: 'x',
      last_log_at: '2026-11-20T12:00:00.000Z',
    })
    const answer = await apart.ask('/app/install', { key: null, headers: { cookie: theirs } })
    const html = await answer.text()
    expect(html).toContain('The ingest runs in a separate process.')
    expect(html).not.toContain('Script found')
    expect(html).toMatch(/✓ seen<\/span><strong>Log lines/)
  })

  test('says so where the workspace has no site', async () => {
    const html = await (await browse(`/app/w/${gate.tenant.otherWorkspaceId}/install`)).text()
    expect(html).toContain('There is no site yet')
    await browse(`/app/w/${gate.tenant.workspaceId}/install`)
  })
})

describe('news of a site', () => {
  const context = (): Pick<PageContext, 'rows' | 'counter'> => ({
    rows: ((entity: typeof AiTrafficSite) => gate.owner.rows(entity)) as unknown as PageContext['rows'],
    counter,
  })
  const watched = (id: string, signal: AbortSignal, known: PageCounter | null = counter) =>
    watchSite({ ...context(), counter: known }, new URLSearchParams({ site: id }), signal)

  test('come as its page is opened, and when its log comes', async () => {
    const ending = new AbortController()
    const news = watched(own.site ?? '', ending.signal)
    const next = async () => (await news.next()).value as SiteSigns
    expect((await next()).seen).toEqual(nothing)
    const visit = { nonce: 'n1', path: '/', at: '2026-11-20T12:00:00.000Z' }
    seen.set(own.site ?? '', { ...nothing, test_visits: [visit] })
    expect((await next()).seen?.test_visits).toEqual([visit])
    await gate.owner.rows(AiTrafficSite).update(own.site ?? '', { last_log_at: '2026-11-20T12:00:00.000Z' })
    expect((await next()).last_log_at).toBe('2026-11-20T12:00:00.000Z')
    ending.abort()
    expect((await news.next()).done).toBe(true)
  })

  test('are what is stored, where the counter runs in another process', async () => {
    const ending = new AbortController()
    const news = watched(own.site ?? '', ending.signal, null)
    expect((await news.next()).value).toMatchObject({ seen: null })
    await gate.owner
      .rows(AiTrafficSite)
      .update(own.site ?? '', { last_beacon_at: '2026-11-20T13:00:00.000Z' })
    expect((await news.next()).value).toMatchObject({ last_beacon_at: '2026-11-20T13:00:00.000Z' })
    ending.abort()
  })

  test('end for a site that is not there', async () => {
    const news = watched('sit_nothing', new AbortController().signal)
    expect((await news.next()).done).toBe(true)
  })
})

test('a token is replaced only for somebody who has just said who they are', async () => {
  const before = await row(own.site ?? '')
  gate.clock.advance(11 * 60_000)
  for (const [path, back, next] of [
    ['/app/sites/rotate', '', '/app/sites'],
    ['/app/install/rotate', '/app/install?sender=nginx', '/app/install?sender=nginx'],
    ['/app/install/rotate', '/app/sites?q=x', '/app/install'],
    ['/app/install/rotate', 'https://evil.example/app/install', '/app/install'],
  ] as const) {
    const answer = await gate.ask(path, formOf({ csrf, site: own.site ?? '', back }, { cookie }))
    const asked = await answer.text()
    expect(asked).toContain(`name="next" value="${next}"`)
    expect(asked).toContain(`name="to" value="${path}"`)
  }
  expect((await row(own.site ?? ''))?.forwarder_token_hash).toBe(before?.forwarder_token_hash ?? '')
})

test('a site is shown in its own letters, and found by them', async () => {
  const domain = 'xn--mller-kva.example'
  const id = await site(domain)
  const named = `<bdi title="${domain}">müller.example</bdi>`
  const found = await (await browse(`/app/sites?q=${encodeURIComponent('MÜLLER.example')}`)).text()
  expect(found).toContain(named)
  expect((await data<SitesData>(`sites.json?q=${encodeURIComponent('müller.example')}`)).sites).toMatchObject(
    [{ id, domain, name: 'müller.example' }],
  )
  const install = await (await browse(`/app/install?site=${id}`)).text()
  expect(install).toContain(named)
  expect(install).toContain(`title="${domain}">müller.example</option>`)
})

test('an address of Install with an unknown site says so and leads to the list', async () => {
  const shown = await data<InstallData>('install.json?site=sit_none')
  expect(shown.unknown_site).toBe('sit_none')
  const page = await (await browse('/app/install?site=sit_none')).text()
  expect(page).toContain('There is no such site in this workspace')
  expect(page).toContain('<a href="/app/sites">Show all sites</a>')
  expect((await browse(`/app/install?site=${foreign}`)).status).toBe(403)
  for (const query of ['', `?site=${own.site}`]) {
    expect((await data<InstallData>(`install.json${query}`)).unknown_site).toBeNull()
    expect(await (await browse(`/app/install${query}`)).text()).not.toContain('There is no such site')
  }
})
