import { describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { keysOfBatch } from '../../../../ingest/count/hit-key'
import { readBody } from '../../../../ingest/parse/formats'
import { line, now, one, read, ts, ua } from '../../support/read-hits'

const hit = expect.objectContaining({ target: '/a', ts })
const at = Date.UTC(2026, 10, 20, 12)
const nanos = `${at}000000`
const undated = { ip: '192.0.2.7', path: '/b', ua }
const dated = expect.objectContaining({ target: '/b', ts: at })
const unknownLine = { rejected: 'No known log format' }
const badJson = { rejected: 'Not JSON' }

const loki = (...values: unknown[]) => ({ streams: [{ stream: { job: 'x' }, values }] })
const events = (...logEvents: unknown[]) => ({ messageType: 'DATA_MESSAGE', owner: '1', logEvents })
const otlp = (...logRecords: unknown[]) => ({ resourceLogs: [{ resource: {}, scopeLogs: [{ logRecords }] }] })
const text = (stringValue: string) => ({ body: { stringValue } })
const attributesOf = (of: Record<string, object>) =>
  Object.entries(of).map(([key, value]) => ({ key, value }))

/** What tells the hits of a body from others, in their order. */
function keysIn(body: unknown): readonly number[] {
  const keyOf = keysOfBatch(0)
  const reader = readBody(JSON.stringify(body), now, 2 ** 16)
  const keys: number[] = []
  for (let read = reader.next(); read; read = reader.next())
    if ('target' in read) keys.push(keyOf(read, read.id).id)
  return keys
}

describe('an envelope', () => {
  test('tells two lines of one second apart, and finds a line of several again beside another', () => {
    const other = line.replace(/ 200 \d+/, ' 200 77')
    const third = line.replace(/ 200 \d+/, ' 200 78')
    expect(new Set([line, other, third]).size).toBe(3)
    const keys = (...contents: readonly string[]) =>
      keysIn(loki(...contents.map((content) => [nanos, content])))
    expect(new Set(keys(line, other, third)).size).toBe(3)
    // An empty line around a line changes nothing.
    for (const around of [`${line}\n`, `\n${line}`, `${line}\r\n`]) expect(keys(around)).toEqual(keys(line))
    // Of several lines each is a hit of its own, whatever stands in the others.
    const [first] = keys(`${line}\n${other}`)
    for (const beside of [`${line}\n${third}`, `${line}\nx`, `${line}\n${third}\n`])
      expect(keys(beside)[0]).toBe(first as number)
  })

  test.each<[string, unknown]>([
    ['Loki', loki([nanos, line], [nanos, 'x'], 'y', [nanos, line, { trace: '1' }])],
    [
      'CloudWatch',
      events({ id: '1', message: line }, { message: 'x' }, 3, {
        id: '2',
        timestamp: at,
        message: `${line}\n`,
      }),
    ],
    ['OpenTelemetry', otlp(text(line), text('x'), 3, { timeUnixNano: nanos, ...text(line) })],
  ])('of %s gives each line, and a bad one does not drop the others', (_, body) => {
    const wanted = [hit, unknownLine, { rejected: expect.any(String) }, hit]
    expect(read(body)).toEqual(wanted)
    expect(read(JSON.stringify(body, null, 2))).toEqual(wanted)
    // Another order of the members, and one envelope a line.
    const turned = Object.fromEntries(Object.entries({ ...(body as object), first: 1 }).reverse())
    expect(read(turned)).toEqual(wanted)
    expect(read(`${JSON.stringify(body)}\n${JSON.stringify(body)}`)).toEqual([...wanted, ...wanted])
    for (const cut of [10, 40, JSON.stringify(body).length - 1])
      expect(read(JSON.stringify(body).slice(0, cut))).toEqual([badJson])
  })

  test('gives its time and its id to a record without them', () => {
    const inner = JSON.stringify(undated)
    expect(read(loki([nanos, inner]))).toEqual([dated])
    expect(read(otlp({ timeUnixNano: '0', observedTimeUnixNano: nanos, ...text(inner) }))).toEqual([dated])
    expect(read({ time: at / 1000, event: undated })).toEqual([dated])
    expect(read({ time: `${at / 1000}.000`, event: inner, host: 'web1' })).toEqual([dated])
    const [first, second] = read(
      events({ id: 'e1', timestamp: at, message: `${inner}\n${inner}` }),
    ) as object[]
    expect([first, second]).toEqual([
      expect.objectContaining({ ts: at, id: 'e1' }),
      expect.objectContaining({ ts: at, id: 'e1 1' }),
    ])
    // Without a time anywhere, the record stays undated.
    expect(one({ event: undated }).undated).toBe(true)
    expect(one({ time: 'yesterday', event: undated }).undated).toBe(true)
  })

  test('with more values than a record may have is read', () => {
    const many = Array.from({ length: 12_000 }, () => [nanos, line])
    expect(read(loki(...many))).toHaveLength(12_000)
    const one = Object.fromEntries(Array.from({ length: 21_000 }, (_, at) => [at, at]))
    expect(read(otlp(one, text(line)))).toEqual([
      { rejected: 'The record is nested too deeply or has too many values' },
      hit,
    ])
  })

  test('that only looks like one is read as what it is', () => {
    expect(read({ streams: 3, ...undated, ts: at })).toEqual([dated])
    expect(read({ messageType: 'x', message: line })).toEqual([hit])
    expect(read({ streams: [] })).toEqual([{ ignored: 'Blank' }])
    expect(read(loki())).toEqual([])
    expect(read({ resourceLogs: [3, [], { scopeLogs: [{}] }] })).toEqual([{ ignored: 'Blank' }])
  })

  test('is never an error, whatever is in it', () => {
    const path = fc.constantFrom('streams', 'values', 'logEvents', 'resourceLogs', 'scopeLogs', 'logRecords')
    const piece = fc.oneof(
      path.map((name) => `"${name}":[`),
      fc.constantFrom('{', '}', '[', ']', ',', '"messageType":"x"', JSON.stringify(line), '3', ' '),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        for (const result of read(`{${pieces.join('')}`)) expect(typeof result).toBe('object')
      }),
      { numRuns: 400 },
    )
  })
})

describe('a log record of OpenTelemetry', () => {
  test('is read by its attributes', () => {
    const attributes = attributesOf({
      'url.path': { stringValue: '/b' },
      'user_agent.original': { stringValue: ua },
      'http.request.method': { stringValue: 'HEAD' },
      'http.response.status_code': { intValue: '404' },
      'client.address': { stringValue: '192.0.2.7' },
      'log.record.uid': { stringValue: 'r1' },
      more: {
        kvlistValue: { values: attributesOf({ a: { arrayValue: { values: [{ boolValue: true }] } } }) },
      },
    })
    expect(one(otlp({ timeUnixNano: nanos, attributes, ...text('GET /x') }))).toEqual({
      ts: at,
      ip: '192.0.2.7',
      method: 'HEAD',
      target: '/b',
      ua,
      status: 404,
      id: 'r1',
    })
  })

  test('is read by its body, a line or a map', () => {
    const values = attributesOf({ path: { stringValue: '/b' }, ua: { stringValue: ua } })
    expect(read(otlp({ timeUnixNano: nanos, body: { kvlistValue: { values } } }))).toEqual([dated])
    expect(read(otlp({ body: { boolValue: true } }, {}))).toEqual([
      { rejected: 'The log record has no body' },
      { rejected: 'The log record has no body' },
    ])
  })
})

describe('a delivery of Firehose', () => {
  const delivery = (...data: (string | Buffer)[]) => ({
    requestId: 'r',
    records: data.map((one) => ({ data: Buffer.from(one).toString('base64') })),
  })
  const packed = (body: unknown) => gzipSync(typeof body === 'string' ? body : JSON.stringify(body))

  test('may have compressed records, and a bad one does not drop the others', () => {
    const torn = packed(line).subarray(0, 30)
    expect(read(delivery(packed(events({ id: '1', message: line })), torn, line, packed(line)))).toEqual([
      hit,
      { rejected: 'The record does not decompress' },
      hit,
      hit,
    ])
  })

  test('cannot expand without limit', () => {
    const bomb = packed('x'.repeat(9 * 2 ** 20))
    const refused = { rejected: 'The records of the body are too large after decompression' }
    expect(read(delivery(bomb, packed(line)))).toEqual([refused, hit])
    const began = performance.now()
    const many = read(delivery(...Array.from({ length: 2_000 }, () => bomb), packed(line)))
    expect(many).toHaveLength(2_001)
    expect(many.at(-1)).toEqual(refused)
    expect(performance.now() - began).toBeLessThan(5_000)
  })
})
