import { describe, expect, test } from 'bun:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { lengthField, numberField } from '../../../ingest/parse/binary/protobuf'
import { unsnappy } from '../../../ingest/parse/binary/snappy'
import { gptBot, insideAddress, record, token, withIngest } from '../support/ingest'

const folder = new URL('../parse/formats/fixtures/clients/', import.meta.url)
const recorded: { opentelemetry: string; 'winston-loki': string[] } = await Bun.file(
  new URL('protobuf.json', folder),
).json()
const text = (name: string) => Bun.file(new URL(`${name}.txt`, folder)).text()
const bytes = (base64: string) => Buffer.from(base64, 'base64')
const protobuf = { 'content-type': 'application/x-protobuf' }
const json = { 'content-type': 'application/json' }
const line = `${insideAddress} - - [20/Nov/2026:12:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "${gptBot}"`
/** The recorded requests were made in the evening of that day, for another domain in one of them. */
const later = Date.parse('2026-11-20T20:00:00Z')
const reads = (work: Parameters<typeof withIngest>[0]) =>
  withIngest((tested) => {
    tested.clock.now = later
    return work(tested)
  })
const post = (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  new Request(`http://localhost${path}`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })

describe('Splunk’s collector', () => {
  const splunk = { authorization: `Splunk ${token}` }

  test('takes what Splunk’s own library posts, once', () =>
    reads(async ({ send, ingest }) => {
      const body = await text('splunk-logging')
      const headers = { ...splunk, 'content-type': 'application/x-www-form-urlencoded' }
      for (const _ of [1, 2]) {
        const { status, body: answer } = await send('/services/collector/event/1.0', body, headers)
        expect([status, answer]).toEqual([200, { text: 'Success', code: 0 }])
      }
      expect((await ingest.signals('site_1')).lines).toMatchObject({ accepted: 6, rejected: 0 })
    }))

  test('takes compressed and raw lines', () =>
    withIngest(async ({ send, ingest }) => {
      const gzip = { ...splunk, 'content-encoding': 'gzip' }
      const event = JSON.stringify({ event: { line, source: 'stdout' } })
      await send('/services/collector', gzipSync(event), gzip)
      await send('/services/collector/raw?sourcetype=x', `${line}\n${line.replace('/a', '/b')}`, splunk)
      expect((await ingest.signals('site_1')).lines.accepted).toBe(3)
    }))

  test('acknowledges what it answered', () =>
    withIngest(async ({ send }) => {
      const channel = { ...splunk, 'x-splunk-request-channel': 'c1' }
      const first = await send('/services/collector/event', JSON.stringify({ event: line }), channel)
      const second = await send(
        '/services/collector/event?channel=c1',
        JSON.stringify({ event: line }),
        splunk,
      )
      const ids = [first.body.ackId, second.body.ackId] as number[]
      expect(new Set(ids).size).toBe(2)
      const asked = await send('/services/collector/ack', JSON.stringify({ acks: ids }), channel)
      expect(asked.body).toEqual({ acks: Object.fromEntries(ids.map((id) => [id, true])) })
      for (const wrong of ['', '{}', '{"acks":["x"]}', '{"acks":[1'])
        expect(await send('/services/collector/ack', wrong, channel)).toMatchObject({
          status: 400,
          body: { code: 6 },
        })
    }))

  test('refuses with the codes of its clients', () =>
    withIngest(async ({ send, ingest }) => {
      const none = await send('/services/collector/event', '', { authorization: '' })
      expect([none.status, none.body]).toEqual([401, { text: 'Token is required', code: 2 }])
      const wrong = await send('/services/collector/event', '', { authorization: 'Splunk wrong' })
      expect([wrong.status, wrong.body]).toEqual([403, { text: 'Invalid token', code: 4 }])
      const torn = await send('/services/collector', 'x', { ...splunk, 'content-encoding': 'gzip' })
      expect([torn.status, torn.body.code]).toEqual([400, 6])
      for (const [method, path] of [
        ['GET', '/health'],
        ['GET', '/health/1.0'],
        ['OPTIONS', '/event/1.0'],
      ] as const) {
        const request = new Request(`http://localhost/services/collector${path}`, { method })
        const answer = await ingest.fetch(request, () => null)
        expect([answer.status, await answer.json()]).toEqual([200, { text: 'HEC is healthy', code: 17 }])
      }
      const unknown = await send('/services/collector/nothing', '', splunk)
      expect(unknown.status).toBe(404)
    }))

  test('asks to wait when it has too much', () =>
    withIngest(
      async ({ send }) => {
        const lines = Array.from({ length: 20 }, (_, at) => line.replace('/a', `/${at}`)).join('\n')
        await send('/services/collector/raw', lines, splunk)
        const { status, body, headers } = await send('/services/collector/raw', lines, splunk)
        expect([status, body.code]).toEqual([429, 9])
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      },
      { env: { INGEST_LINES_PER_SECOND: '1', INGEST_LINES_MAX: '20' } },
    ))
})

describe('Loki’s address', () => {
  test('takes what a client pushes, as JSON and in Protocol Buffers', () =>
    reads(async ({ send, ingest }) => {
      const basic = { authorization: `Basic ${btoa(`any:${token}`)}` }
      const [first = ''] = (await text('winston-loki')).split('\n')
      const pushed = await send('/loki/api/v1/push', first, { ...json, ...basic })
      expect([pushed.status, pushed.body]).toEqual([204, {}])
      expect((await ingest.signals('site_1')).lines).toMatchObject({ accepted: 1, rejected: 0 })
      const ways: Record<string, string>[] = [{}, { 'content-encoding': 'snappy' }]
      for (const encoding of ways)
        for (const push of recorded['winston-loki'].slice(1))
          expect((await send('/loki/api/v1/push', bytes(push), { ...protobuf, ...encoding })).status).toBe(
            204,
          )
      // Each of these seven was sent again, with another header.
      expect((await ingest.signals('site_1')).lines).toMatchObject({ accepted: 6, rejected: 0 })
    }))

  test('refuses what is no push', () =>
    withIngest(async ({ send }) => {
      for (const body of [Uint8Array.of(255), Uint8Array.of(3, 0), Uint8Array.of(2, 4, 9, 9)])
        expect((await send('/loki/api/v1/push', body, protobuf)).status).toBe(400)
      const bomb = Buffer.concat([Uint8Array.of(128, 128, 128, 16), Buffer.alloc(99)])
      expect((await send('/loki/api/v1/push', bomb, protobuf)).status).toBe(413)
    }))
})

describe('the address of logs', () => {
  test('takes what OpenTelemetry’s exporters post, in both encodings', () =>
    reads(async ({ send, ingest }) => {
      const asJson = await send('/v1/logs', await text('opentelemetry'), json)
      expect([asJson.status, asJson.body]).toEqual([200, {}])
      const headers = { ...protobuf, 'content-encoding': 'gzip' }
      for (const _ of [1, 2]) {
        const answer = await ingest.fetch(
          post('/v1/logs', bytes(recorded.opentelemetry), headers),
          () => null,
        )
        expect(answer.headers.get('content-type')).toBe('application/x-protobuf')
        expect([answer.status, (await answer.bytes()).length]).toEqual([200, 0])
      }
      // Both encodings say the same, so they are one batch.
      const { lines } = await ingest.signals('site_1')
      expect(lines).toMatchObject({ accepted: 6, duplicate: 12, rejected: 0 })
    }))

  test('says to an exporter what it rejected, as a partial success', () =>
    withIngest(async ({ send, ingest }) => {
      const logRecords = [line, 'x'].map((stringValue) => ({ body: { stringValue } }))
      const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] })
      expect((await send('/v1/logs', body, json)).body).toEqual({
        partialSuccess: { rejectedLogRecords: '1', errorMessage: 'Record 2: No known log format' },
      })
      const value = (word: string) => lengthField(5, lengthField(1, Buffer.from(word)))
      const records = [value(line), value('x'), Uint8Array.of(255, 1)].map((one) => lengthField(2, one))
      const message = lengthField(1, lengthField(2, Buffer.concat(records)))
      const answer = await ingest.fetch(post('/v1/logs', message, protobuf), () => null)
      expect(answer.status).toBe(200)
      expect(Buffer.from(await answer.bytes())).toEqual(
        Buffer.from(lengthField(1, Buffer.concat([numberField(1, 2), lengthField(2, Buffer.from(faults))]))),
      )
    }))

  test('refuses a message that is none, in the exporter’s own form', () =>
    withIngest(async ({ ingest }) => {
      const torn = bytes(recorded.opentelemetry)
      const inflated = gunzipSync(torn)
      for (const body of [torn, inflated.subarray(0, 40)]) {
        const answer = await ingest.fetch(post('/v1/logs', body, protobuf), () => null)
        expect(answer.status).toBe(400)
        expect(answer.headers.get('content-type')).toBe('application/x-protobuf')
        expect(await answer.text()).toContain('The body is not the message')
      }
    }))

  test('answers whatever is damaged, and never as a fault of ours', () =>
    withIngest(
      ({ ingest }) =>
        fc.assert(
          fc.asyncProperty(fc.boolean(), fc.nat(1_200), fc.nat(255), async (isLoki, at, byte) => {
            const whole = isLoki
              ? bytes(recorded['winston-loki'][0] ?? '')
              : gunzipSync(bytes(recorded.opentelemetry))
            whole[at % whole.length] = byte
            const path = isLoki ? '/loki/api/v1/push' : '/v1/logs'
            const { status } = await ingest.fetch(post(path, whole, protobuf), () => null)
            expect([200, 204, 400, 413]).toContain(status)
          }),
          { numRuns: 200 },
        ),
      { env: { INGEST_LINES_PER_SECOND: '1000000000' } },
    ))

  test('answers other bodies as before, also of JSON', () =>
    withIngest(async ({ send }) => {
      const { body } = await send('/v1/logs', JSON.stringify(record()), json)
      expect(body).toMatchObject({ accepted: 1 })
    }))
})
const faults =
  'Record 2: No known log format. Record 3: The record has an unknown form: it needs at least ua and path'

describe('a block of Snappy', () => {
  /** Written by Google's own library: [text, block]. */
  const blocks: readonly [string, string][] = [
    ['', 'AA=='],
    ['a', 'AQBh'],
    ['abc'.repeat(15), 'LQhhYmOmAwA='],
    ['x'.repeat(1_000), '6AcAeP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAJoBAA=='],
    [
      'GET /menu HTTP/1.1 '.repeat(300) + Math.PI,
      '1SxIR0VUIC9tZW51IEhUVFAvMS4xIP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAP4TAMITAEAzLjE0MTU5MjY1MzU4OTc5Mw==',
    ],
  ]
  test('is read as its writer wrote it', () => {
    for (const [wanted, block] of blocks)
      expect(Buffer.from(unsnappy(bytes(block), 2 ** 20)).toString()).toBe(wanted)
  })
  test('that is damaged is refused, and never an error of another kind', () => {
    const [whole] = recorded['winston-loki'].map(bytes)
    fc.assert(
      fc.property(fc.nat(400), fc.nat(255), fc.nat(400), (at, byte, cut) => {
        const damaged = Buffer.from(whole ?? [])
        damaged[at % damaged.length] = byte
        try {
          unsnappy(damaged.subarray(0, cut), 2 ** 20)
        } catch (error) {
          expect((error as Error).constructor.name).toMatch(/^(BadMessage|TooLong)$/)
        }
      }),
      { numRuns: 500 },
    )
  })
})
