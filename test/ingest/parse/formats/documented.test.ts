import { describe, expect, test } from 'bun:test'
import type { Hit } from 'renown/contracts'
import { readLines } from '../../support/read-hits'

const fixture = (name: string) =>
  Bun.file(new URL(`./fixtures/documented/${name}.txt`, import.meta.url)).text()
const gptbot =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)'
const second = Date.UTC(2026, 10, 20, 19, 22, 55)

/** What the eight requests of each fixture are, in order; see the README beside the fixtures. */
const asked: Partial<Hit>[] = [
  { target: '/menu?table=4', ua: gptbot, referer: 'https://chatgpt.com/', status: 200 },
  { method: 'HEAD', target: '/robots.txt', ua: 'ClaudeBot/1.0; +claudebot@anthropic.com', status: 404 },
  { target: '/odd', ua: 'Odd "quoted" back\\slash\ttab GPTBot/1.3' },
  { target: '/bytes', ua: 'Caf\u00e9 \ufffd GPTBot/1.3' },
  { target: '/no-agent', ua: '' },
  { target: '/%C3%A9t%C3%A9/a%20b', ua: gptbot },
  { target: 'http://shop.example/absolute?z=1', ua: gptbot },
  { target: '/six', ua: gptbot, ip: '2001:db8::7' },
].map((one) => ({ method: 'GET', ip: '192.0.2.7', ...one }))

/** The path alone: these senders log the query elsewhere, or nowhere. */
const withoutQuery = { 0: { target: '/menu' }, 6: { target: '/absolute' } }
/** These never write the origin. */
const withoutOrigin = { 6: { target: '/absolute?z=1' } }
/** These write whole addresses. */
const absolute = Object.fromEntries(
  asked.map(({ target = '' }, at) => [
    at,
    { target: target.startsWith('/') ? `https://shop.example${target}` : target },
  ]),
)
const originForm = { 6: { target: '/absolute?z=1' } }
const withOrigin = (origin: string) =>
  Object.fromEntries(
    asked.map(({ target }, at) => [
      at,
      { target: `${origin}${target?.replace(/^http:..shop.example/, '')}` },
    ]),
  )
const httpsPort = withOrigin('https://shop.example:443')
const https = withOrigin('https://shop.example')
const noReferer = { referer: undefined }
const shop = { host: 'shop.example' }
const comments = [{ ignored: 'A comment' }, { ignored: 'A comment' }]
const notARequest = { ignored: 'Not a request' }

interface Case {
  readonly instead?: Record<number, Partial<Hit>>
  readonly everywhere?: Partial<Hit>
  readonly before?: object[]
  readonly after?: object[]
  /** The records bear no time. */
  readonly isUndated?: true
}
const cases: Record<string, Case> = {
  'aws-load-balancer': { instead: httpsPort, everywhere: noReferer, after: [notARequest] },
  'aws-classic-load-balancer': { instead: httpsPort, everywhere: noReferer },
  amplify: {
    instead: Object.fromEntries(
      asked.map(({ target, ua }, at) => [
        at,
        { target: target?.replace(/^http:..shop.example/, '').replace(/\?.*/, ''), ua: ua?.replace(',', '') },
      ]),
    ),
    everywhere: shop,
    before: [{ ignored: 'A comment' }],
  },
  azure: { instead: httpsPort, everywhere: shop, after: [notARequest] },
  'azure-gateway': { instead: originForm, everywhere: { ...shop, ...noReferer } },
  envoy: { instead: originForm, everywhere: { ...shop, ...noReferer }, after: [notARequest] },
  'envoy-json': { instead: originForm, everywhere: { ...shop, ...noReferer } },
  'envoy-own': { instead: originForm, everywhere: shop },
  istio: { instead: originForm, everywhere: { ...shop, ...noReferer } },
  'google-cloud': { instead: https, after: [notARequest] },
  'google-cloud-pushed': { instead: https },
  iis: {
    instead: {
      ...withoutQuery,
      2: { ua: 'Odd "quoted" back\\slash tab GPTBot/1.3' },
      5: { target: '/\u00e9t\u00e9/a%20b' },
    },
    before: Array(4).fill({ ignored: 'A comment' }),
  },
  s3: { instead: originForm, everywhere: shop, after: [notARequest] },
  'traefik-common': { instead: originForm },
  akamai: { instead: withoutQuery, everywhere: shop },
  '../clients/opentelemetry': {},
  '../clients/splunk-logging': {},
  '../clients/winston-loki': {},
  cloudflare: { everywhere: shop, after: [notARequest] },
  'cloudflare-worker': { instead: withoutOrigin, everywhere: shop },
  cloudfront: { instead: withoutQuery, everywhere: shop, before: comments },
  cloudwatch: { after: [{ ignored: 'A check of the sender' }] },
  'cloudfront-real-time': { instead: withoutQuery, everywhere: shop },
  fastly: { everywhere: shop },
  firehose: { instead: withoutQuery, everywhere: shop, after: [{ rejected: expect.anything() }] },
  docker: {},
  'fluent-bit': {},
  'known-agents': { everywhere: shop, isUndated: true },
  'netlify-edge': { instead: withoutOrigin, everywhere: shop },
  netlify: { instead: absolute, everywhere: shop, after: [notARequest] },
  rsyslog: {},
  traefik: { everywhere: shop },
  vector: {},
  'vercel-middleware': {
    instead: { 0: { status: undefined }, 1: { status: undefined }, ...withoutOrigin },
    everywhere: shop,
  },
  vercel: { everywhere: shop, after: [notARequest] },
}

/** An object without the fields that are undefined, which a hit may leave out. */
const present = (hit: Partial<Hit>) =>
  Object.fromEntries(Object.entries(hit).filter(([, value]) => value !== undefined))

describe('what the documents say that a sender writes is read', () => {
  test.each(Object.entries(cases))(
    '%s',
    async (name, { instead = {}, everywhere, before, after, isUndated }) => {
      const outcomes = readLines(await fixture(name), 1_000).map(({ line: _, ...one }) => one)
      const wanted = asked.map((one, at) => ({
        hit: expect.objectContaining(present({ ...one, ...instead[at], ...everywhere })),
      }))
      expect<unknown>(outcomes).toEqual([...(before ?? []), ...wanted, ...(after ?? [])])
      const hits = outcomes.flatMap((one) => ('hit' in one ? [one.hit] : []))
      for (const { ts, undated } of hits) {
        if (isUndated) expect([ts, undated]).toEqual([1_000, true])
        else expect([Math.trunc(ts / 1_000), undated]).toEqual([second / 1_000, undefined])
      }
      const ids = hits.flatMap(({ id }) => (id === undefined ? [] : [id]))
      expect(new Set(ids).size).toBe(ids.length)
    },
  )
})
