import { describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { binarySizes, joinLines, statedBytes } from '../../../../ingest/http/decoding/binary-body'
import { lokiLines } from '../../../../ingest/parse/binary/loki-push'
import { otlpLines } from '../../../../ingest/parse/binary/otlp-logs'
import { lengthField } from '../../../../ingest/parse/binary/protobuf'
import { token, withIngest } from '../../support/ingest'

/** Fields of two bytes, which are the most work for their size. */
const tiny = (first: number, count: number) => Buffer.alloc(count * 2, Uint8Array.of(first, 0))
const emptyField1 = 0x0a
const emptyField2 = 0x12
const number4 = 0x20
const scopeOf = (scope: Uint8Array) => lengthField(1, lengthField(2, scope))
const room = { linesMax: 10 }
const protobuf = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' }

describe('a body of tiny fields', () => {
  test('is left at one line too many', async () => {
    const bodies = [
      [otlpLines, scopeOf(tiny(emptyField2, 1_000))],
      [lokiLines, lengthField(1, tiny(emptyField2, 1_000))],
    ] as const
    for (const [linesIn, body] of bodies) {
      let read = 0
      const counted: typeof linesIn = function* (...given) {
        for (const line of linesIn(...given)) {
          if (line !== null) read++
          yield line
        }
      }
      expect(await joinLines(body, counted, room)).toMatchObject({ code: 'payload_too_large' })
      expect(read).toBe(11)
    }
  })

  test('is left where it has more fields than lines can need', async () => {
    for (const linesIn of [otlpLines, lokiLines])
      for (const body of [tiny(number4, 1_000), lengthField(1, tiny(number4, 1_000))])
        expect(await joinLines(body, linesIn, room)).toMatchObject({ code: 'malformed_body' })
  })

  test('costs one record, if the fields are in its values', async () => {
    const values = [lengthField(5, tiny(emptyField1, 30_000)), lengthField(6, tiny(emptyField1, 30_000))]
    for (const value of [...values, tiny(number4, 30_000)]) {
      const records = [lengthField(5, value), lengthField(5, lengthField(1, Buffer.from('GET /')))]
      const body = scopeOf(Buffer.concat(records.map((record) => lengthField(2, record))))
      expect(await joinLines(body, otlpLines, room)).toBe('{}\n{"event":"GET /"}')
    }
  })

  test('may have sixteen values in each other, and not one more', async () => {
    const plain = lengthField(1, Buffer.from('GET /'))
    const within = (levels: number, wrap: (inner: Uint8Array) => Uint8Array): Uint8Array =>
      levels === 0 ? plain : wrap(within(levels - 1, wrap))
    const inList = (inner: Uint8Array) => lengthField(5, lengthField(1, inner))
    const inRecord = (inner: Uint8Array) => lengthField(6, lengthField(1, lengthField(2, inner)))
    const lineOf = async (value: Uint8Array) =>
      String(await joinLines(scopeOf(lengthField(2, lengthField(5, value))), otlpLines, room))
    for (const wrap of [inList, inRecord]) {
      expect(await lineOf(inRecord(within(16, wrap)))).toBe('{}')
      expect(await lineOf(inRecord(within(15, wrap)))).toContain('GET /')
    }
  })

  test('counts against the limit of its sender', () =>
    withIngest(
      async ({ ingest }) => {
        const bomb = gzipSync(scopeOf(tiny(emptyField2, 1_000)))
        const headers = { ...protobuf, authorization: `Bearer ${token}` }
        const send = async () => {
          const request = new Request('http://localhost/v1/logs', { method: 'POST', body: bomb, headers })
          return (await ingest.fetch(request, () => null)).status
        }
        expect([await send(), await send()]).toEqual([413, 429])
      },
      { env: { INGEST_LINES_PER_SECOND: '1', INGEST_LINES_MAX: '20' } },
    ))
})

test('a block of Snappy states what it takes, at most what a body may have', () => {
  expect(
    [[100, 0], [0xff], [0xff, 0xff, 0xff, 0xff, 15]].map((bytes) => statedBytes(Uint8Array.from(bytes))),
  ).toEqual([100, 0, binarySizes.inflatedBytesMax])
})

test('a question about acknowledgements is a short one', () =>
  withIngest(async ({ send }) => {
    const acks = Array.from({ length: 40_000 }, () => 1)
    const asked = gzipSync(JSON.stringify({ acks }))
    const { status, body } = await send('/services/collector/ack', asked, { 'content-encoding': 'gzip' })
    expect([status, body.code]).toEqual([413, 6])
  }))
