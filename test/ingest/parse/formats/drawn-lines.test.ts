import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readBody, unfinished } from '../../../../ingest/parse/formats'
import { read, ts } from '../../support/read-hits'

/** Lines of each format with odd values, as its program would write them. What is read must be what was asked. */
const numRuns = process.env.RENOWN_LONG === '1' ? 50_000 : 400

const address = fc.oneof(
  fc.ipV4().filter((ip) => /^(?!0|10\.|127\.|169\.|172\.|192\.|198\.|100\.|203\.|2[2-5]\d\.)/.test(ip)),
  fc
    .array(fc.nat(0xffff), { minLength: 6, maxLength: 6 })
    .map((words) => `2a02:26f0:${words.map((w) => w.toString(16)).join(':')}`),
)
const agent = fc.oneof(
  fc.constantFrom(
    '-',
    '',
    'GPTBot/1.3',
    'a "b" c',
    '"',
    '\\',
    'é €',
    'a [b] "c"',
    '%20+x',
    'x" id=y',
    "' OR 1=1",
  ),
  fc
    .array(
      fc.constantFrom('GPT', 'Bot', ' ', '"', '\\', '[', ']', '+', '%41', 'é', '{', ':', ',', ';', '-'),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
)
const path = fc
  .array(fc.constantFrom('a', 'B', '1', '-', '.', '%20', '%C3%A9', '~', '_', ':'), { maxLength: 8 })
  .map((parts) => `/${parts.join('')}`)
const method = fc.constantFrom('GET', 'HEAD', 'POST')
const status = fc.constantFrom(200, 301, 404, 500)
const port = fc.integer({ min: 1, max: 65_535 })
const request = fc.record({ ip: address, ua: agent, path, method, status, port })
type Asked = typeof request extends fc.Arbitrary<infer T> ? T : never

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
const bracketed = (ip: string) => (ip.includes(':') ? `[${ip}]` : ip)
const clf = '[20/Nov/2026:16:42:52 +0000]'
const owner = '79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be'
/** What a dash or nothing stands for. */
const plain = (ua: string) => (ua === '-' ? '' : ua)

interface Drawn {
  readonly line: (asked: Asked) => string
  /** The user agent that is read, if it is not the one that was sent. */
  readonly ua?: (ua: string) => string
  readonly target?: (path: string) => string
  /** Agents that this format cannot tell from others. */
  readonly leavesOut?: RegExp
}
const formats: Record<string, Drawn> = {
  'a load balancer of AWS': {
    line: ({ ip, ua, path, method, status, port }) =>
      `https 2026-11-20T16:42:52.000001Z app/lb/5 ${bracketed(ip)}:${port} 10.0.0.1:80 0.086 0.048 0.037 ${status} 200 0 57 "${method} https://shop.example:443${path} HTTP/1.1" "${escaped(ua)}" E TLSv1.2 arn "Root=1" "-" "-" 1 - "forward" "-" "-" "-" "-" "-" "-"`,
    target: (path) => `https://shop.example:443${path}`,
  },
  'Amazon S3': {
    line: ({ ip, ua, path, method, status }) =>
      `${owner} shop ${clf} ${ip} - ID WEBSITE.GET.OBJECT k "${method} ${path} HTTP/1.1" ${status} - 1 1 7 6 "-" "${ua}" - h= - - - shop.example - - -`,
  },
  Envoy: {
    line: ({ ip, ua, path, method, status }) =>
      `[2026-11-20T16:42:52.000Z] "${method} ${path} HTTP/2" ${status} - 0 1 2 3 "${ip}" "${ua}" "cc21" "shop.example" "10.0.2.1:80"`,
    leavesOut: /" "/,
  },
  Istio: {
    line: ({ ip, ua, path, method, status, port }) =>
      `[2026-11-20T16:42:52.000Z] "${method} ${path} HTTP/2" ${status} - via_upstream - "-" 0 1 2 3 "10.1.1.1" "${ua}" "cc21" "shop.example" "10.0.2.1:80" outbound|80||shop 10.0.0.1:1 10.0.0.2:2 ${bracketed(ip)}:${port} - default`,
    leavesOut: /" "/,
  },
  lighttpd: {
    line: ({ ip, ua, path, method, status }) =>
      `${ip} shop.example - ${clf} "${method} ${path} HTTP/1.1" ${status} 5 "-" "${escaped(ua)}"`,
  },
  Varnish: {
    line: ({ ip, ua, path, method, status }) =>
      `${ip} - - ${clf} "${method} http://shop.example${path} HTTP/1.1" ${status} 5 "-" "${escaped(ua)}"`,
    target: (path) => `http://shop.example${path}`,
  },
  'ingress-nginx': {
    line: ({ ip, ua, path, method, status }) =>
      `${ip} - - ${clf} "${method} ${path} HTTP/1.1" ${status} 5 "-" "${escaped(ua)}" 192 0.002 [shop-web-80] [] 10.0.0.1:80 2 0.002 200 a2615c43477e50f2d9169e7bad17665b`,
  },
  'a line of nginx after words of syslog without a colon': {
    line: ({ ip, ua, path, method, status }) =>
      `Nov 20 16:42:53 web nginx ${ip} - - ${clf} "${method} ${path} HTTP/1.1" ${status} 5 "-" "${escaped(ua)}"`,
  },
  IIS: {
    line: ({ ip, ua, path, method, status }) =>
      `2026-11-20 16:42:52 10.0.0.4 ${method} ${path} - 443 - ${ip} ${ua.replaceAll(' ', '+') || '-'} - ${status} 0 0 15`,
    // A plus is also a space, and two spaces could be one and a plus.
    leavesOut: /\+| {2}/,
  },
  'Google Cloud': {
    line: ({ ip, ua, path, method, status }) =>
      JSON.stringify({
        httpRequest: {
          requestMethod: method,
          requestUrl: `https://shop.example${path}`,
          status,
          userAgent: ua,
          remoteIp: ip,
        },
        timestamp: '2026-11-20T16:42:52Z',
        insertId: 'i',
      }),
    target: (path) => `https://shop.example${path}`,
  },
  'Azure Front Door': {
    line: ({ ip, ua, path, method, status }) =>
      JSON.stringify({
        time: '2026-11-20T16:42:52Z',
        category: 'FrontDoorAccessLog',
        properties: {
          httpMethod: method,
          requestUri: `https://shop.example:443${path}`,
          userAgent: ua,
          clientIp: '5.6.7.8',
          socketIp: ip,
          httpStatusCode: String(status),
        },
      }),
    target: (path) => `https://shop.example:443${path}`,
  },
}

test.each(Object.entries(formats))('lines of %s say what was asked', (_, { line, target, leavesOut }) => {
  fc.assert(
    fc.property(fc.array(request, { minLength: 1, maxLength: 3 }), (all) => {
      const asked = all.filter(({ ua }) => !leavesOut?.test(ua) && !/^\s|\s$/.test(ua))
      expect(read(asked.map(line).join('\n'))).toMatchObject(
        asked.map(({ ip, ua, path, method, status }) => ({
          ts,
          ip,
          method,
          status,
          ua: plain(ua),
          target: target?.(path) ?? path,
        })),
      )
    }),
    { numRuns },
  )
})

// Reading that grows with the square of a length would take minutes here.
test('long lines of every format end', () => {
  const many = 60_000
  for (const part of ['" "', '"', '" ', ' ', ',', '] ', '1.2.3.4, ', '+', '\\', 'a '])
    for (const { line } of Object.values(formats)) {
      const whole = line({ ip: '1.2.3.4', ua: '\u0000', path: '/a', method: 'GET', status: 200, port: 1 })
      const filler = part.repeat(many / part.length)
      for (const text of [
        whole.replace('\u0000', filler),
        filler + whole,
        `${whole.slice(0, 40)}${filler}${whole.slice(40)}`,
      ]) {
        const body = readBody(text, ts, 2 ** 16)
        for (let reading = body.next(); reading; reading = body.next())
          if (reading !== unfinished) expect(reading).toBeObject()
      }
    }
}, 60_000)
