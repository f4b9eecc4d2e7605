import { expect, spyOn, test } from 'bun:test'
import { type BeaconDeps, countArrival, serveScript } from '../../../../ingest/http/beacon/beacon'
import { beaconScript } from '../../../../ingest/http/beacon/beacon-script'
import { releaseAgents } from '../../../../ingest/judge/agent-index'
import { beaconLists } from '../../../../ingest/judge/assistant'
import { browser, site } from '../../support/ingest'

const common = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=86400',
  'x-content-type-options': 'nosniff',
  vary: 'accept-encoding',
}

const kinds = [false, true].flatMap((respectDnt) => [false, true].map((isTrial) => ({ respectDnt, isTrial })))

test('each kind of site has its own script, plain, compressed and known already', async () => {
  const etags = new Set<string>()
  for (const options of kinds) {
    const wanted = beaconScript(options)
    const of = {
      ...site,
      respect_dnt: options.respectDnt,
      domain: options.isTrial ? 'localhost' : 'example.com',
    }
    const get = (headers: Record<string, string> = {}) => serveScript(of, new Headers(headers), beaconLists)
    const plain = get()
    const etag = plain.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"\w+"$/)
    etags.add(etag)
    expect([plain.status, Object.fromEntries(plain.headers)]).toEqual([200, { ...common, etag }])
    expect(await plain.text()).toBe(wanted)
    const packed = get({ 'accept-encoding': 'br, gzip;q=0.5' })
    expect(Object.fromEntries(packed.headers)).toEqual({ ...common, etag, 'content-encoding': 'gzip' })
    expect(new TextDecoder().decode(Bun.gunzipSync(await packed.arrayBuffer()))).toBe(wanted)
    for (const other of ['br', 'xgzip', 'gzipx'])
      expect(get({ 'accept-encoding': other }).headers.has('content-encoding')).toBe(false)
    const known = get({ 'if-none-match': `"other", W/${etag}` })
    expect([known.status, Object.fromEntries(known.headers), await known.text()]).toEqual([
      304,
      { ...common, etag },
      '',
    ])
    expect(get({ 'if-none-match': '"other"' }).status).toBe(200)
  }
  expect(etags.size).toBe(4)
})

test('a script is compressed once', () => {
  const calls = spyOn(Bun, 'gzipSync')
  try {
    serveScript(site, new Headers(), beaconLists)
    const before = calls.mock.calls.length
    for (let n = 0; n < 3; n++) serveScript(site, new Headers(), beaconLists)
    expect([before <= 1, calls.mock.calls.length - before]).toEqual([true, 0])
  } finally {
    calls.mockRestore()
  }
})

/** What became of a post: the hits, and all that was told. */
async function posted(body: string, headers: Record<string, string> = {}, of = site) {
  const hits: unknown[] = []
  const told: unknown[] = []
  const deps = {
    journal: { append: async (batch: { hits: unknown[] }) => void hits.push(...batch.hits) },
    dayOf: (ts: number, zone: string) => `day ${ts} ${zone}`,
    paths: { admit: (...given: string[]) => given.join(' ') },
    metrics: { visit: () => void told.push('visit') },
    signals: { testVisit: (...given: unknown[]) => void told.push(['test', ...given]) },
    log: { info: (_: string, fields: object) => void told.push(fields) },
    now: () => new Date(5),
    agents: { current: releaseAgents },
  } as unknown as BeaconDeps
  const sent = new Headers({ origin: 'https://example.com', 'user-agent': browser, ...headers })
  const isCounted = await countArrival(deps, of, sent, body)
  return { hits, told, isCounted }
}
const visit = ',https://chatgpt.com/,/b'

test('a visit is counted whole', async () => {
  const date = 'day 5 America/New_York'
  expect(await posted(visit)).toEqual({
    hits: [
      {
        kind: 'visit',
        site_id: 'site_1',
        date,
        agent: 'chatgpt.com',
        category: '',
        operator: '',
        path: `site_1 ${date} /b`,
        verdict: 'unchecked',
        ts: 5,
      },
    ],
    told: ['visit'],
    isCounted: true,
  })
})

test('a test visit is noted and logged by its site, and counts nothing', async () => {
  const noted = { hits: [], told: [['test', 'site_1', 'n1', '/b'], { site_id: 'site_1' }], isCounted: false }
  expect(await posted('n1,https://chatgpt.com/,/b', { 'sec-gpc': '1' })).toEqual(noted)
  for (const body of ['n1,https:///,/b', 'n1,https://:,/b', 'n1,,b'])
    expect([body, (await posted(body)).told]).toEqual([body, []])
})

const silent = { ...site, respect_dnt: false }
test.each([
  ['privacy control', { 'sec-gpc': '1' }, site, false],
  ['other privacy control', { 'sec-gpc': '0' }, site, true],
  ['do not track, where that is respected', { dnt: '1' }, site, false],
  ['do not track, where that is not', { dnt: '1' }, silent, true],
  ['do track', { dnt: '0' }, site, true],
  ['another origin', { origin: 'https://example.org' }, site, false],
  ['no user agent', { 'user-agent': '' }, site, true],
  ['a crawler', { 'user-agent': 'GPTBot/1.0' }, site, false],
])('a visit with %s', async (_, headers, of, isCounted) => {
  const { hits, told, ...rest } = await posted(visit, headers, of)
  expect([rest.isCounted, hits.length, told.length]).toEqual([
    isCounted,
    Number(isCounted),
    Number(isCounted),
  ])
})

test.each([
  ['{"p":"/c","r":"https://chatgpt.com/x"}', 'chatgpt.com', '/c'],
  ['{"p":"/c","u":"chatgpt.com"}', 'chatgpt.com', '/c'],
  ['{"r":"https://chatgpt.com/x"}', 'chatgpt.com', '/'],
  ['{"p":7,"r":"https://chatgpt.com/x"}', 'chatgpt.com', '/'],
  [',//chatgpt.com/,/d', 'chatgpt.com', '/d'],
  [',https://chatgpt.com:,/d', 'chatgpt.com', '/d'],
])('%s is a visit of %s to %s', async (body, agent, path) => {
  const { hits, told } = await posted(body)
  expect(hits).toEqual([
    expect.objectContaining({ agent, path: expect.stringMatching(new RegExp(`${path}$`)) }),
  ])
  expect(told).toEqual(['visit'])
})
