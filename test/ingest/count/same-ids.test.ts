import { describe, expect, test } from 'bun:test'
import type { Hit } from 'renown/contracts'
import { keysOfBatch } from '../../../ingest/count/hit-key'
import { gptBot, insideAddress, startedAt, type TestIngest, withIngest } from '../support/ingest'
import { inTemporaryFolder } from '../support/journal'

/** One request, as its server saw it. */
interface Asked {
  readonly at: number
  readonly path: string
  readonly id: string | undefined
}

/** How a sender tells requests. `wrapped` is when the collector puts its envelope around them. */
interface Sender {
  readonly to: string
  /** Whose time a line has: its own, that of its envelope, or that of its arrival. */
  readonly time: 'own' | 'envelope' | 'arrival'
  readonly body: (asked: readonly Asked[], wrapped: number) => string
}

const iso = (at: number) => new Date(at).toISOString()
const clf = (at: number) => {
  const [, month = '', day = '', year = '', time = ''] =
    /^\w+ (\w+) (\d+) (\d+) ([\d:]+)/.exec(new Date(at).toString()) ?? []
  return `${day}/${month}/${year}:${time} ${new Date(at).toString().slice(28, 33)}`
}
const own = ({ path, id }: Asked, more: Record<string, unknown> = {}) =>
  JSON.stringify({ ip: insideAddress, path, status: 200, ua: gptBot, id, ...more })
const combined = ({ at, path }: Asked, end: string) =>
  `${insideAddress} - - [${clf(at)}] "GET ${path} HTTP/1.1" 200 512 "-" "${gptBot}"${end}`
const lines = (line: (one: Asked) => string) => (asked: readonly Asked[]) => asked.map(line).join('\n')
/** An id as ingress-nginx writes it: 32 hexadecimal digits. */
const hex = (id: string) => Bun.hash(id).toString(16).padStart(32, '0')

const senders: Readonly<Record<string, Sender>> = {
  'our own form': { to: '/v1/hits', time: 'own', body: lines((one) => own(one, { ts: one.at })) },
  'our own form in an array': {
    to: '/v1/logs',
    time: 'own',
    body: (asked) => `[${asked.map((one) => own(one, { ts: iso(one.at) })).join(', ')}]`,
  },
  'our own form without a time': { to: '/v1/hits', time: 'arrival', body: lines((one) => own(one)) },
  'nginx with id=': {
    to: '/v1/logs',
    time: 'own',
    body: lines((one) => combined(one, ` id=${one.id ? hex(one.id) : '-'}`)),
  },
  'ingress-nginx': {
    to: '/v1/logs',
    time: 'own',
    body: lines((one) =>
      combined(
        one,
        one.id ? ` 512 0.004 [default-web-80] [] 10.0.0.3:8080 512 0.004 200 ${hex(one.id)}` : '',
      ),
    ),
  },
  'the JSON of a server': {
    to: '/v1/logs',
    time: 'own',
    body: lines(({ at, path, id }) =>
      JSON.stringify({
        time_iso8601: iso(at),
        remote_addr: insideAddress,
        request: `GET ${path} HTTP/1.1`,
        status: '200',
        http_user_agent: gptBot,
        request_id: id,
      }),
    ),
  },
  Cloudflare: {
    to: '/v1/logs/cloudflare',
    time: 'own',
    body: lines(({ at, path, id }) =>
      JSON.stringify({
        EdgeStartTimestamp: iso(at),
        ClientIP: insideAddress,
        ClientRequestMethod: 'GET',
        ClientRequestURI: path,
        ClientRequestHost: 'example.com',
        ClientRequestUserAgent: gptBot,
        EdgeResponseStatus: 200,
        RayID: id,
      }),
    ),
  },
  'a file of Docker': {
    to: '/v1/logs',
    time: 'own',
    body: lines((one) => JSON.stringify({ log: `${own(one)}\n`, stream: 'stdout', time: iso(one.at) })),
  },
  'a file of a container runtime': {
    to: '/v1/logs',
    time: 'own',
    body: lines((one) => `${iso(one.at)} stdout F ${own(one)}`),
  },
  'Splunk’s collector': {
    to: '/services/collector',
    time: 'envelope',
    body: (asked, wrapped) =>
      asked.map((one) => JSON.stringify({ time: wrapped / 1000, event: JSON.parse(own(one)) })).join(''),
  },
  'Splunk’s collector around lines with a time': {
    to: '/services/collector',
    time: 'own',
    body: (asked, wrapped) =>
      asked
        .map((one) => JSON.stringify({ time: wrapped / 1000, event: own(one, { ts: iso(one.at) }) }))
        .join('\n'),
  },
  Loki: {
    to: '/loki/api/v1/push',
    time: 'envelope',
    body: (asked, wrapped) =>
      JSON.stringify({
        streams: [{ stream: {}, values: asked.map((one) => [`${wrapped}000000`, own(one)]) }],
      }),
  },
  'Loki around a combined log': {
    to: '/loki/api/v1/push',
    time: 'own',
    body: (asked, wrapped) =>
      JSON.stringify({
        streams: [
          {
            stream: {},
            values: asked.map((one) => [
              `${wrapped}000000`,
              combined(one, one.id ? ` id=${hex(one.id)}` : ''),
            ]),
          },
        ],
      }),
  },
  OpenTelemetry: {
    to: '/v1/logs',
    time: 'envelope',
    body: (asked, wrapped) =>
      JSON.stringify({
        resourceLogs: [
          {
            scopeLogs: [
              {
                logRecords: asked.map((one) => ({
                  observedTimeUnixNano: `${wrapped}000000`,
                  body: { stringValue: own(one) },
                })),
              },
            ],
          },
        ],
      }),
  },
}

/** What a sender takes for the id of a request. */
const kinds: Readonly<Record<string, (n: number) => string | undefined>> = {
  'of the request': (n) => `request-${n}`,
  'that is the tenant': () => 'tenant-7',
  'that is zero': () => '00',
  'that repeats': (n) => `worker-${n % 3}`,
  'that two containers count from 1': (n) => String((n % 10) + 1),
  'that a visitor chose for some requests': (n) => (n % 4 === 0 ? 'visitor-1' : `request-${n}`),
  'that is a private address': (n) => `10.0.0.${n % 2}`,
  'that is missing now and then': (n) => (n % 5 === 0 ? undefined : `request-${n}`),
  'that is missing': () => undefined,
}

/** Requests of a minute: several in the same second and of the same page, and none twice the same in both. */
const requests = (idOf: (n: number) => string | undefined): Asked[] =>
  Array.from({ length: 20 }, (_, n) => ({
    at: startedAt - 60_000 + Math.floor(n / 4) * 1_000,
    path: `/page-${n % 4}${n % 2 ? '?q=1' : ''}`,
    id: idOf(n),
  }))

/** What the answers say together, with the doubtful lines by outcome. */
interface Sum {
  accepted: number
  duplicate: number
  repeated: number
  lost: number
}

async function sendAll(
  { ingest }: TestIngest,
  to: string,
  bodies: readonly string[],
  send: TestIngest['send'],
) {
  const sum: Sum = { accepted: 0, duplicate: 0, repeated: 0, lost: 0 }
  const before = (await ingest.signals('site_1')).lines
  for (const body of bodies) expect((await send(to, body)).status).toBeLessThan(300)
  const after = (await ingest.signals('site_1')).lines
  const lost = ({ by_reason }: typeof after, of: string) =>
    by_reason.filter(({ outcome }) => outcome === of).reduce((all, { lines: count }) => all + count, 0)
  sum.accepted = after.accepted - before.accepted
  sum.duplicate = after.duplicate - before.duplicate
  sum.repeated = lost(after, 'repeated') - lost(before, 'repeated')
  sum.lost = lost(after, 'duplicate') - lost(before, 'duplicate')
  expect(after.rejected).toBe(0)
  return sum
}

/** Number of requests that differ in what is left of them without a time. */
const distinctLines = (asked: readonly Asked[]) =>
  new Set(asked.map(({ path, id }, n) => (id === undefined ? n : `${path} ${id}`))).size

const distinctIds = (asked: readonly Asked[]) => {
  const ids = asked.flatMap(({ id }) => (id === undefined ? [] : [id]))
  return { repeated: ids.length - new Set(ids).size, without: asked.length - ids.length }
}

describe.each(Object.entries(senders))('%s', (_, { to, time, body }) => {
  test.each(Object.entries(kinds))(
    'with an id %s: each hit counts once, or its loss is explained',
    (_kind, idOf) =>
      withIngest(async (tested) => {
        const asked = requests(idOf)
        const { repeated, without } = distinctIds(asked)
        const whole = body(asked, startedAt)
        const first = await sendAll(tested, to, [whole], tested.send)
        if (time === 'own') {
          expect(first).toEqual({ accepted: 20, duplicate: 0, repeated, lost: 0 })
        } else {
          // Without a time, an equal line with an equal id may be the same request. It says so.
          const lost = 20 - distinctLines(asked)
          expect(first).toMatchObject({ accepted: 20 - lost, duplicate: lost, lost })
        }
        // Delivered again: the same bytes, in a new envelope, and cut at other places.
        tested.clock.now += 60_000
        const same = await sendAll(tested, to, [whole], tested.send)
        const isKnown = without === 0 || time !== 'arrival'
        expect(same.accepted).toBe(isKnown ? 0 : without)
        const wrapped = await sendAll(tested, to, [body(asked, startedAt + 5_000)], tested.send)
        expect(wrapped.accepted).toBe(time === 'own' ? 0 : without)
        const cut = [asked.slice(0, 7), asked.slice(7, 8), asked.slice(8)].map((part) =>
          body(part, startedAt + 7_000),
        )
        // Lines without an id are known only as a part of their batch.
        expect((await sendAll(tested, to, cut, tested.send)).accepted).toBe(without)
      }),
  )
})

test.each(Object.entries(kinds))('hits with an id %s are known after a restart', (_, idOf) =>
  inTemporaryFolder(async (directory) => {
    const asked = requests(idOf).filter(({ id }) => id !== undefined)
    for (const [name, { to, body }] of Object.entries(senders)) {
      const of = asked.map((one) => ({ ...one, path: `/${Bun.hash(name)}${one.path}` }))
      const cut = (at: number, wrapped: number) =>
        [of.slice(0, at), of.slice(at)].map((part) => body(part, wrapped))
      const counted: number[] = []
      for (const [at, wrapped] of [
        [20, startedAt],
        [6, startedAt + 9_000],
      ] as const)
        await withIngest(
          async (tested) =>
            void counted.push((await sendAll(tested, to, cut(at, wrapped), tested.send)).accepted),
          { directory },
        )
      expect([name, counted[1]]).toEqual([name, 0])
    }
  }),
)

test('a key says nothing of an address, of a query or of a line that could be guessed', () => {
  const hit = (more: Partial<Hit>): Hit => ({
    ts: startedAt,
    ip: insideAddress,
    method: 'GET',
    target: '/a',
    ua: gptBot,
    ...more,
  })
  const keyOf = keysOfBatch(1)
  const keysOf = (hits: readonly Hit[]) => new Set(hits.map((one) => keyOf(one, 'tenant').id)).size
  const addresses = Array.from({ length: 50_000 }, (_, n) => hit({ ip: `20.0.${n >> 8}.${n & 255}` }))
  expect(keysOf(addresses)).toBeLessThanOrEqual(4_096)
  expect(keysOf(addresses.slice(0, 4))).toBe(4)
  const queries = Array.from({ length: 50_000 }, (_, n) => hit({ target: `/a?mail=${n}` }))
  expect(keysOf(queries)).toBeLessThanOrEqual(4_096)
})
