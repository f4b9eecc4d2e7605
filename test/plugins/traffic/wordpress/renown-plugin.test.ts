import { afterEach, expect } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agents } from '../../../../ingest/data/agents'
import { browser, gptBot, insideAddress, outsideAddress, token } from '../../../ingest/support/ingest'
import { readJournal } from '../../../ingest/support/journal'
import { withOpenIngest } from '../../../ingest/support/open-ingest'
import { testWith } from '../../../support/needs'
import { startWebsite, type Website } from './website'

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step()
})

async function website(env: Record<string, string> = {}): Promise<Website> {
  const folder = mkdtempSync(join(tmpdir(), 'renown-php-'))
  const site = await startWebsite(folder, env)
  cleanUp.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => site.stop(),
  )
  return site
}

const save = (site: Website, address: string, more: Record<string, string> = {}) =>
  site.visit('/', { 'x-do': 'save' }, { address, token, source: 'REMOTE_ADDR', count: '1', ...more })
const crawler = (more: Record<string, string> = {}) => ({
  'user-agent': gptBot,
  host: 'example.com',
  'x-remote': insideAddress,
  ...more,
})
const inFpm = (more: Record<string, string> = {}) => crawler({ 'x-do': 'fpm', ...more })
const waiting = (site: Website) => Object.values(site.store.rows)
const hits = async (directory: string) => (await readJournal(directory)).hits

testWith('php')('reports every agent of the registry, and no browser', async () => {
  const site = await website()
  const names = agents
    .filter(({ class: kind }) => kind !== 'robots_only' && kind !== 'namesake')
    .flatMap(({ name, aliases }) => [name, ...aliases])
  const phones = ['(Linux; Android 15; Pixel 9)', '(iPhone; CPU iPhone OS 18_1 like Mac OS X)']
  const browsers = [
    browser,
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0',
    ...phones.map(
      (phone) => `Mozilla/5.0 ${phone} AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Safari/604.1`,
    ),
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) GSA/340.3 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 354.0',
    'Mozilla/5.0 (SMART-TV; LINUX; Tizen 7.0) AppleWebKit/537.36 (KHTML, like Gecko) Version/7.0 TV Safari/537.36',
  ]
  const match = async (list: string[]) =>
    JSON.parse(await site.visit('/', { 'x-do': 'match' }, list)) as number[]
  const wrapped = names.map((name) => `Mozilla/5.0 (Linux; Android 5.0; ${name}) Mobile Safari/537.36`)
  for (const list of [names, wrapped]) {
    const found = await match(list)
    expect(list.filter((_, at) => found[at] !== 1)).toEqual([])
  }
  expect(await match(browsers)).toEqual(browsers.map(() => 0))
})

testWith('php')('where a server cannot end a response early, a hit waits, and WP-Cron sends it once', () =>
  withOpenIngest(async ({ url, directory, ingest, fail, posted }) => {
    const site = await website()
    expect(await save(site, url, { tag: '1', site_key: 'key1' })).toBe('')
    const page = await site.visit('/pricing?secret=1', crawler({ referer: 'https://example.com/a' }))
    expect(page).toBe(`<head><script defer src="${url}/s/key1.js"></script>\n</head>the page`)
    await site.visit('/missing', crawler({ 'user-agent': 'Caf\u00c3\u00a9 "x" \\ \u00ff GPTBot/1.3' }))
    await site.visit('/person', crawler({ 'user-agent': browser }))
    expect(posted).toEqual([])
    expect(waiting(site).map(({ hit }) => JSON.parse(hit).path)).toEqual(['/pricing', '/missing'])
    expect(Object.keys(site.store.events)).toEqual(['renown_send'])
    // The ingest counts the batch, but its answer is lost.
    fail.push('after')
    await site.visit('/', { 'x-do': 'cron' })
    expect(waiting(site)).toHaveLength(2)
    expect(Object.keys(site.store.events)).toEqual(['renown_send'])
    site.change(({ options }) => Object.assign(options.renown_state ?? {}, { next: 0 }))
    await site.visit('/', { 'x-do': 'cron' })
    expect(waiting(site)).toEqual([])
    expect(site.store.options.renown_state?.last?.text).toStartWith(
      '0 counted, 0 not counted, 0 not readable, 2 counted earlier.',
    )
    await ingest.flush()
    expect(await hits(directory)).toMatchObject([
      { agent: 'GPTBot', path: '/pricing', verdict: 'verified' },
      { agent: 'GPTBot', path: '/missing', verdict: 'verified' },
    ])
  }),
)

testWith('php')(
  'where a server can end a response, a hit is sent at once, then at most every ten seconds',
  () =>
    withOpenIngest(async ({ url, posted }) => {
      const site = await website()
      await save(site, url)
      for (const path of ['/a', '/b', '/c']) expect(await site.visit(path, inFpm())).toContain('the page')
      expect(posted).toHaveLength(1)
      expect(posted[0]?.answer).toMatchObject({ accepted: 1 })
      expect(waiting(site)).toHaveLength(2)
      site.change(({ options }) => Object.assign(options.renown_state ?? {}, { next: 0 }))
      await site.visit('/d', inFpm())
      expect(posted[1]?.answer).toMatchObject({ accepted: 3 })
      expect(waiting(site)).toEqual([])
    }),
)

testWith('php')('after 503 it waits as long as Retry-After says, and longer after each failure', () =>
  withOpenIngest(async ({ url, fail, posted }) => {
    const later = Bun.serve({
      port: 0,
      fetch: () => new Response('', { status: 429, headers: { 'retry-after': '1800' } }),
    })
    cleanUp.push(() => later.stop(true))
    const site = await website()
    await save(site, url)
    fail.push('503', '503')
    const pauses: number[] = []
    for (const path of ['/a', '/b']) {
      site.change(({ options }) => Object.assign(options.renown_state ?? {}, { next: 0 }))
      await site.visit(path, inFpm())
      pauses.push((site.store.options.renown_state?.next ?? 0) - Date.now() / 1000)
    }
    await site.visit('/c', inFpm())
    expect(posted).toEqual([])
    expect(waiting(site)).toHaveLength(3)
    expect(Math.round((pauses[0] ?? 0) / 60)).toBe(1)
    expect(Math.round((pauses[1] ?? 0) / 60)).toBe(2)
    await save(site, `http://127.0.0.1:${later.port}`)
    await site.visit('/d', inFpm())
    expect((site.store.options.renown_state?.next ?? 0) - Date.now() / 1000).toBeGreaterThan(1700)
  }),
)

testWith('php')(
  'a hit that a firewall refuses is found by smaller batches, and only it is dropped',
  async () => {
    let taken = 0
    const firewall = Bun.serve({
      port: 0,
      async fetch(request) {
        const lines = (await request.text()).split('\n')
        if (lines.some((line) => line.includes('/etc/passwd')))
          return new Response('blocked', { status: 403 })
        taken += lines.length
        return Response.json({ accepted: lines.length, ignored: 0, rejected: 0, duplicate: 0, reasons: [] })
      },
    })
    cleanUp.push(() => firewall.stop(true))
    const site = await website()
    await save(site, `http://127.0.0.1:${firewall.port}`)
    for (const path of ['/1', '/2', '/etc/passwd', '/4', '/5']) await site.visit(path, crawler())
    for (let round = 0; round < 8; round++) {
      site.change(({ options }) => Object.assign(options.renown_state ?? {}, { next: 0 }))
      await site.visit('/', { 'x-do': 'cron' })
    }
    expect([taken, waiting(site).length, site.store.options.renown_state?.dropped]).toEqual([4, 0, 1])
  },
)

testWith('php')('what a process claimed that ended is sent two minutes later, and not before', () =>
  withOpenIngest(async ({ url, posted }) => {
    const site = await website()
    await save(site, url)
    for (const path of ['/1', '/2']) await site.visit(path, crawler())
    const claim = (secondsAgo: number) =>
      site.change(({ rows, options }) => {
        const [row] = Object.values(rows)
        Object.assign(row ?? {}, { batch: 'ended', claimed: Math.trunc(Date.now() / 1000) - secondsAgo })
        Object.assign(options.renown_state ?? {}, { next: 0 })
      })
    claim(60)
    await site.visit('/', { 'x-do': 'cron' })
    expect([posted.at(-1)?.answer.accepted, waiting(site).length]).toEqual([1, 1])
    claim(130)
    await site.visit('/', { 'x-do': 'cron' })
    expect([posted.at(-1)?.answer.accepted, waiting(site).length]).toEqual([1, 0])
  }),
)

testWith('php')('the queue is bounded, and what no longer fits is counted', async () => {
  const site = await website()
  await save(site, 'http://127.0.0.1:9')
  site.change((store) => {
    const row = { hit: '{}', batch: '', claimed: 0 }
    store.rows = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => [at + 1, { id: at + 1, ...row }]),
    )
  })
  expect(await site.visit('/a', crawler())).toContain('the page')
  expect(waiting(site)).toHaveLength(5_000)
  expect(site.store.options.renown_state?.dropped).toBe(1)
})

testWith('php')(
  'a visitor sees the page and nothing else, whatever fails',
  async () => {
    const hanging = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
    cleanUp.push(() => hanging.stop(true))
    const broken = await website({ BROKEN: '1' })
    await save(broken, 'http://127.0.0.1:9')
    for (const headers of [crawler(), inFpm()])
      expect(await broken.visit('/a', headers)).toBe('<head></head>the page')
    const site = await website()
    expect(await site.visit('/a', inFpm())).toBe('<head></head>the page')
    await save(site, `http://127.0.0.1:${hanging.port}`)
    const start = performance.now()
    expect(await site.visit('/a', inFpm())).toBe('<head></head>the page')
    // PHP's own server ends the response only here. PHP-FPM ended it before the plugin sent anything.
    expect(performance.now() - start).toBeGreaterThan(2_500)
    expect(await site.visit('/b', inFpm())).toBe('<head></head>the page')
    expect(performance.now() - start).toBeLessThan(9_000)
    expect(waiting(site)).toHaveLength(2)
  },
  60_000,
)

testWith('php')('reads the visitor’s address only where the owner chose', async () => {
  const site = await website()
  const forged = { 'cf-connecting-ip': '192.0.2.1', 'x-forwarded-for': `192.0.2.2, ${outsideAddress}` }
  const addressWith = async (source: string, more: Record<string, string> = forged) => {
    await save(site, 'http://127.0.0.1:9', { source })
    await site.visit('/a', crawler(more))
    return JSON.parse(waiting(site).at(-1)?.hit ?? '{}').ip
  }
  expect(await addressWith('REMOTE_ADDR')).toBe(insideAddress)
  expect(await addressWith('HTTP_CF_CONNECTING_IP')).toBe('192.0.2.1')
  expect(await addressWith('HTTP_X_FORWARDED_FOR')).toBe(outsideAddress)
  // A visitor cannot push the address of the proxy out of what is read.
  const padded = (spaces: number) => `${' '.repeat(spaces)},192.0.2.2, ${outsideAddress}`
  for (const spaces of [60, 2_048 - ',192.0.2.2'.length])
    expect(await addressWith('HTTP_X_FORWARDED_FOR', { 'x-forwarded-for': `a${padded(spaces - 1)}` })).toBe(
      outsideAddress,
    )
  expect(await addressWith('HTTP_X_REAL_IP')).toBeUndefined()
  expect(await addressWith('HTTP_X_REAL_IP', { 'x-real-ip': 'not an address' })).toBeUndefined()
  expect(await addressWith('none')).toBeUndefined()
  expect(await save(site, 'http://127.0.0.1:9', { source: 'HTTP_USER_AGENT' })).toContain('Choose')
  const suggested = (more: Record<string, string>) => site.visit('/', crawler({ 'x-do': 'suggest', ...more }))
  expect(await suggested({})).toBe('REMOTE_ADDR')
  expect(await suggested({ 'x-forwarded-for': insideAddress })).toBe('REMOTE_ADDR')
  expect(await suggested({ 'x-forwarded-for': outsideAddress })).toBe('HTTP_X_FORWARDED_FOR')
  expect(await suggested(forged)).toBe('HTTP_CF_CONNECTING_IP')
})

testWith('php')('takes the connection of the Install page, tests it, and refuses what is none', () =>
  withOpenIngest(async ({ url }) => {
    const site = await website()
    const connection = `${url}/v1/hits?token=${token}&site=key1`
    const form = { connection, source: 'REMOTE_ADDR', count: '1' }
    expect(await site.visit('/', { 'x-do': 'save' }, form)).toBe('')
    expect(site.store.options.renown_settings).toMatchObject({ address: url, token, site_key: 'key1' })
    const test = async () => JSON.parse(await site.visit('/', { 'x-do': 'test' })) as [boolean, string]
    const [isRight, text] = await test()
    expect([isRight, text.includes('no known AI agent')]).toEqual([true, true])
    // An empty token keeps the saved one.
    await save(site, url, { token: '' })
    expect((await test())[0]).toBe(true)
    // Whoever changes the address must know the token, because it is sent there.
    expect(await save(site, 'https://evil.example', { token: '' })).toContain('enter the token too')
    expect(site.store.options.renown_settings).toMatchObject({ address: url, token })
    await save(site, url, { token: 'another' })
    expect(await test()).toEqual([
      false,
      'The ingest refused the token (status 401). Copy it again, or make another one in Renown.',
    ])
    for (const [field, value] of [
      ['address', 'ingest.example.com'],
      ['address', 'ftp://ingest.example.com'],
      ['address', 'https://a:b@ingest.example.com'],
      ['token', 'with a space'],
      ['site_key', '"><script>'],
      ['connection', 'https://ingest.example.com/'],
    ] as const)
      expect([field, await save(site, url, { [field]: value })]).not.toEqual([field, ''])
    expect(site.store.options.renown_settings).toMatchObject({ address: url, token: 'another' })
  }),
)

testWith('php')('leaves nothing when it is deleted', async () => {
  const site = await website()
  await save(site, 'http://127.0.0.1:9')
  await site.visit('/a', crawler())
  expect(Object.keys(site.store.events)).toEqual(['renown_send'])
  await site.visit('/', { 'x-do': 'uninstall' })
  const { options, rows, events, table } = site.store
  expect([Object.keys(options), Object.keys(rows), Object.keys(events), table]).toEqual([
    [],
    [],
    [],
    undefined,
  ])
})
