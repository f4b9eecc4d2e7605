import { expect, spyOn, test } from 'bun:test'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { IngestSite, SitesFeed } from 'renown/contracts'
import { cachedSites, createSites, pollSites, sha256 } from '../../../ingest/sites/sites'
import { isCalledFrom } from '../../support/called-from'
import { waitFor } from '../../support/wait-for'
import { inTemporaryFolder, silentLog } from '../support/journal'

const site = (n: number): IngestSite => ({
  site_id: `site_${n}`,
  site_key: `key${n}`,
  forwarder_token_hash: sha256(`token${n}`),
  domain: 'example.com',
  timezone: 'UTC',
  is_active: true,
  count_search_engines: false,
  respect_dnt: false,
})

test('a site is found by id, key and token, and no longer once a snapshot lacks it', () =>
  inTemporaryFolder(async (directory) => {
    const sites = createSites(directory, silentLog)
    sites.set({ sites: [site(1), site(2)] })
    expect([sites.byId('site_1'), sites.byKey('key1'), sites.byToken('token1')]).toEqual(
      Array(3).fill(site(1)),
    )
    expect(sites.byToken(sha256('token1'))).toBeUndefined()
    sites.set({ sites: [site(2)] })
    expect([sites.byId('site_1'), sites.byKey('key1'), sites.byToken('token1')]).toEqual(
      Array(3).fill(undefined),
    )
    await sites.saved()
    expect(await cachedSites(directory)).toEqual({ sites: [site(2)] })
    expect(((await stat(join(directory, 'sites.json'))).mode & 0o777).toString(8)).toBe('600')
    await Bun.write(join(directory, 'sites.json'), '{"sites":[{"site_id":7}]}')
    expect(await cachedSites(directory)).toBeNull()
  }))

test.each([
  ['', false],
  ['a', true],
  ['Az09_-', true],
  ['x'.repeat(64), true],
  ['x'.repeat(65), false],
  ['a b', false],
  ['a/b', false],
  ['a\n', false],
])('a site id of a list, %j, is valid: %p', (site_id, isValid) =>
  inTemporaryFolder(async (directory) => {
    const feed = { sites: [{ ...site(1), site_id }] }
    await Bun.write(join(directory, 'sites.json'), JSON.stringify(feed))
    expect(await cachedSites(directory)).toEqual(isValid ? feed : null)
  }),
)

test('a site without one of its fields makes a list invalid', () =>
  inTemporaryFolder(async (directory) => {
    for (const name of Object.keys(site(1))) {
      const { [name as 'domain']: _, ...rest } = site(1)
      await Bun.write(join(directory, 'sites.json'), JSON.stringify({ sites: [rest] }))
      expect([name, await cachedSites(directory)]).toEqual([name, null])
    }
    expect(await cachedSites(join(directory, 'none'))).toBeNull()
  }))

test('a list is written when it changes, and a folder that cannot be written is logged', () =>
  inTemporaryFolder(async (directory) => {
    const said: string[] = []
    const sites = createSites(directory, { ...silentLog, warn: (message) => void said.push(message) })
    const path = join(directory, 'sites.json')
    const set = async (...numbers: number[]) => {
      sites.set({ sites: numbers.map(site) })
      await sites.saved()
    }
    await set(1)
    await rm(path)
    await set(1)
    expect([await cachedSites(directory), sites.count()]).toEqual([null, 1])
    await set(1, 2)
    expect([await cachedSites(directory), sites.count(), said]).toEqual([
      { sites: [site(1), site(2)] },
      2,
      [],
    ])
    const gone = createSites(join(directory, 'none'), {
      ...silentLog,
      warn: (message) => void said.push(message),
    })
    gone.set({ sites: [site(1)] })
    await gone.saved()
    expect([said, gone.byId('site_1')]).toEqual([['The sites cannot be cached'], site(1)])
  }))

test('polling asks with the secret and the last ETag, and keeps the last good answer', async () => {
  const asked: (string | null)[] = []
  let answer = () => new Response('', { status: 500 })
  await using server = Bun.serve({
    port: 0,
    fetch(request) {
      asked.push(request.headers.get('if-none-match'))
      expect(request.headers.get('authorization')).toBe('Bearer secret')
      expect(new URL(request.url).pathname).toBe('/internal/sites')
      return answer()
    },
  })
  const feeds: SitesFeed[] = []
  const polling = pollSites({
    url: `http://localhost:${server.port}`,
    secret: 'secret',
    fetch,
    onFeed: (feed) => feeds.push(feed),
    log: silentLog,
    everyMs: 2,
  })
  const rounds = async (count: number) => {
    const until = asked.length + count
    await waitFor(() => asked.length >= until, { what: 'the feed to be asked', everyMs: 2 })
  }
  await rounds(2)
  answer = () => Response.json({ sites: [site(1)] }, { headers: { etag: '"1"' } })
  await rounds(2)
  answer = () => new Response(null, { status: 304 })
  await rounds(3)
  expect(asked.at(-1)).toBe('"1"')
  answer = () => new Response('<html>')
  await rounds(3)
  polling.stop()
  expect(feeds.at(-1)).toEqual({ sites: [site(1)] })
  expect(feeds.length).toBeLessThan(4)
})

const realTimeout = globalThis.setTimeout

test('the first of several failures is logged, then the first success, and nothing after a stop', async () => {
  const said: string[] = []
  const log = {
    ...silentLog,
    warn: (message: string, fields?: object) => void said.push(`${message}: ${JSON.stringify(fields)}`),
    info: (message: string) => void said.push(message),
  }
  const turns: { run: () => void }[] = []
  const timer = spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) =>
    isCalledFrom('ingest/sites/sites.ts') ? turns.push({ run }) : realTimeout(run, ms)) as never)
  const good = () => Promise.resolve(Response.json({ sites: [] }))
  const bad = () => Promise.resolve(new Response('', { status: 500 }))
  const last = Promise.withResolvers<Response>()
  const answers = [bad, bad, good, good, bad, () => last.promise]
  try {
    const polling = pollSites({
      url: 'http://localhost',
      secret: 'secret',
      onFeed() {},
      log,
      fetch: () => (answers.shift() ?? good)(),
    })
    const settle = async () => {
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    }
    await settle()
    while (answers.length > 0) {
      expect(turns).toHaveLength(1)
      turns.shift()?.run()
      await settle()
    }
    expect(turns).toEqual([])
    const failure = 'The sites cannot be fetched; the last snapshot is used: {"reason":"status 500"}'
    const success = 'The gateway answers again; the sites are current'
    expect(said).toEqual([failure, success, failure])
    said.length = 0
    polling.stop()
    last.reject(new Error('stopped'))
    await settle()
    expect([said, turns]).toEqual([[], []])
  } finally {
    timer.mockRestore()
  }
})

test('a poll that ends after a stop logs no failure', async () => {
  const said: string[] = []
  const asked = Promise.withResolvers<Response>()
  const polling = pollSites({
    url: 'http://localhost',
    secret: 'secret',
    onFeed() {},
    fetch: () => asked.promise,
    log: { ...silentLog, warn: (message) => void said.push(message) },
  })
  polling.stop()
  asked.reject(new Error('stopped'))
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  expect(said).toEqual([])
})

test('the gateway is asked every second where nothing else is said', async () => {
  const waits: (number | undefined)[] = []
  const timer = spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) =>
    isCalledFrom('ingest/sites/sites.ts') ? waits.push(ms) : realTimeout(run, ms)) as never)
  try {
    const polling = pollSites({
      url: 'http://localhost',
      secret: 'secret',
      onFeed() {},
      log: silentLog,
      fetch: async () => Response.json({ sites: [] }),
    })
    for (let turn = 0; turn < 20 && waits.length === 0; turn++) await new Promise(setImmediate)
    polling.stop()
  } finally {
    timer.mockRestore()
  }
  expect(waits).toEqual([1_000])
})

test('the ETag of an answer that cannot be read is not sent again, so that a mended answer is read', async () => {
  const asked: (string | null)[] = []
  const feeds: SitesFeed[] = []
  const answers = ['<html>', JSON.stringify({ sites: [site(1)] })]
  const polling = pollSites({
    url: 'http://localhost',
    secret: 'secret',
    fetch: async (_, { headers }) => {
      const known = new Headers(headers).get('if-none-match')
      asked.push(known)
      if (known === '"1"') return new Response(null, { status: 304 })
      return new Response(answers.shift() ?? '{}', { headers: { etag: '"1"' } })
    },
    onFeed: (feed) => void feeds.push(feed),
    log: silentLog,
    everyMs: 1,
  })
  await waitFor(() => asked.length >= 3, { what: 'three questions', everyMs: 1 })
  polling.stop()
  expect(asked.slice(0, 3)).toEqual([null, null, '"1"'])
  expect(feeds).toEqual([{ sites: [site(1)] }])
})
