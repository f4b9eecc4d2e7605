import { describe, expect, test } from 'bun:test'
import type { Hit } from 'renown/contracts'
import { readLines } from '../../support/read-hits'

const fixture = (name: string) => Bun.file(new URL(`./fixtures/${name}.txt`, import.meta.url)).text()
const gptbot =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)'
const garbage = { ignored: 'Not a request' }

/** What the sixteen requests are, in order; see the README beside the fixtures. */
const asked: Partial<Hit>[] = [
  { target: '/', ua: gptbot, status: 200 },
  { target: '/menu?table=4#x', ua: gptbot, referer: 'https://chatgpt.com/' },
  { method: 'HEAD', target: '/robots.txt', ua: 'ClaudeBot/1.0; +claudebot@anthropic.com' },
  { method: 'POST', target: '/order', ua: gptbot },
  { target: '/odd', ua: 'Odd "quoted" back\\slash\ttab GPTBot/1.3' },
  { target: '/bytes', ua: 'Caf\u00e9 \ufffd GPTBot/1.3' },
  { target: '/control', ua: 'ctl\u0001 GPTBot/1.3' },
  { target: '/no-agent', ua: '' },
  { target: '/empty-agent', ua: '' },
  { target: '/say"hi"', ua: gptbot },
  { target: '/%C3%A9t%C3%A9/a%20b', ua: gptbot },
  { target: 'http://shop.example/absolute?z=1', ua: gptbot },
  { target: '/user', ua: gptbot },
  { target: '/pipe', ua: 'a|b GPTBot/1.3', referer: 'https://example.com/?a={b}' },
  garbage as never,
  { target: '/six', ua: gptbot, ip: '2001:db8::7' },
].map((one) => ('target' in one ? { method: 'GET', ip: '192.0.2.7', ...one } : one))

/** `instead` replaces what this program logged otherwise; null leaves a request out that it did not log. */
function expected(instead: Record<number, Partial<Hit> | typeof garbage | null> = {}): unknown[] {
  return asked
    .map((one, at) => {
      const other = instead[at]
      return other === undefined ? one : other === null || 'ignored' in other ? other : { ...one, ...other }
    })
    .filter((one) => one !== null)
}

const second = Date.UTC(2026, 10, 20, 19, 22, 55)
const refusedByApache = { ua: '', referer: undefined, status: 400 }
const cases: [string, unknown[], Partial<Hit>?][] = [
  ['nginx-combined', expected()],
  ['nginx-vhost', expected({ 14: garbage }), { host: 'shop.example' }],
  [
    'nginx-common',
    expected(
      Object.fromEntries(asked.map((_, at) => [at, at === 14 ? garbage : { ua: '', referer: undefined }])),
    ),
  ],
  ['nginx-json', expected({ 11: { target: '/absolute?z=1' } }), { host: 'shop.example' }],
  ['nginx-json-unescaped', expected(), { host: 'shop.example' }],
  ['apache-combined', expected({ 1: refusedByApache, 6: refusedByApache })],
  ['apache-vhost', expected({ 1: refusedByApache, 6: refusedByApache }), { host: 'shop.example' }],
  ['apache-json', expected({ 1: refusedByApache, 6: refusedByApache }), { host: 'shop.example' }],
  ['caddy', expected({ 6: null, 14: null }), { host: 'shop.example' }],
  [
    'lighttpd',
    expected({ 6: { ua: '', status: 400, host: undefined }, 11: { target: '/absolute?z=1' } }),
    { host: 'shop.example' },
  ],
  [
    'varnish',
    expected({
      ...Object.fromEntries(asked.map(({ target }, at) => [at, { target: `http://shop.example${target}` }])),
      11: {},
      6: garbage,
      14: garbage,
    }),
  ],
  [
    'varnish-json',
    expected({
      ...Object.fromEntries(asked.map(({ target }, at) => [at, { target: `http://shop.example${target}` }])),
      11: {},
      6: null,
      14: null,
    }),
    {},
  ],
  ['ingress-nginx', expected()],
  ['ingress-nginx-json', expected({ 11: { target: '/absolute?z=1' } }), { host: 'shop.example' }],
  ['haproxy', expected({ 1: garbage }), { host: 'shop.example' }],
]

describe('what the real programs wrote is what they were asked', () => {
  for (const [name, outcomes, everywhere = {}] of cases)
    test(name, async () => {
      const parsed = readLines(await fixture(name), 0)
      expect(parsed.map(({ line }) => line)).toEqual(outcomes.map((_, at) => at + 1))
      for (const [at, one] of parsed.entries()) {
        const wanted = outcomes[at] as Partial<Hit>
        if (!('hit' in one)) expect<unknown>({ ...one }).toEqual({ line: at + 1, ...garbage, ...wanted })
        else {
          expect(one.hit).toMatchObject({ ...everywhere, ...wanted })
          expect(Math.abs(one.hit.ts - second)).toBeLessThanOrEqual(2_000)
          expect(one.hit.undated).toBeUndefined()
        }
      }
    })

  test.each(['nginx-json', 'ingress-nginx', 'ingress-nginx-json'])(
    '%s tells requests apart by its own id',
    async (name) => {
      const hits = readLines(await fixture(name), 0).flatMap((one) => ('hit' in one ? [one.hit] : []))
      expect(new Set(hits.map((hit) => hit.id)).size).toBe(hits.length)
      expect(hits[0]?.id).toMatch(/^[0-9a-f]{32}$/)
    },
  )

  for (const name of ['syslog-ng-plain', 'syslog-ng-wrapped'])
    test(name, async () => {
      const parsed = readLines(await fixture(name), 0)
      expect(parsed.map((one) => ('hit' in one ? one.hit.target : one))).toEqual([
        '/',
        '/odd',
        '/bytes',
        '/no-agent',
        '/pipe',
        '/six',
        '/menu?table=4#x',
      ])
      const hits = parsed.flatMap((one) => ('hit' in one ? [one.hit] : []))
      expect(hits[1]?.ua).toBe('Odd "quoted" back\\slash\ttab GPTBot/1.3')
      expect(hits[5]?.ip).toBe('2001:db8::7')
      expect(hits[6]?.referer).toBe('https://chatgpt.com/')
    })
})
