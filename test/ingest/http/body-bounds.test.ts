import { afterEach, beforeEach, describe, expect, jest, spyOn, test } from 'bun:test'
import zlib from 'node:zlib'
import { type BodyWishes, createBodyReader, type ReadBody } from '../../../ingest/http/body'
import type { Problem } from '../../../ingest/http/problem'

const mebibyte = 2 ** 20
const limits = { wireBytesMax: 100_000, inflatedBytesMax: 1_000_000, largeBytes: 10_000 }
type Headers = Record<string, string>
const request = (body: string | Uint8Array | ReadableStream, headers: Headers = {}) =>
  new Request('http://x/v1/hits', { method: 'POST', body, headers })
/** A body that says how long it is. */
const declared = (bytes: number, headers: Headers = {}) =>
  request('x'.repeat(bytes), { 'content-length': `${bytes}`, ...headers })
const outcome = (body: ReadBody | Problem) => ('code' in body ? body.code : 'read')
const uneven = (length: number) => Buffer.from(Array.from({ length }, (_, n) => (n * n) >> 7))

describe('in time', () => {
  beforeEach(() => void jest.useFakeTimers())
  afterEach(() => void jest.useRealTimers())

  const settle = async () => {
    for (let turns = 0; turns < 50; turns++) await Promise.resolve()
  }
  /** Reads a body that never ends. */
  function reading(more: object, wishes: BodyWishes, headers: Headers, of?: string) {
    const clock = { ms: 0 }
    const read = createBodyReader({ ...limits, ...more }, () => new Date(clock.ms))
    const state = { is: '' }
    const endless = request(new ReadableStream({ pull: () => new Promise(() => {}) }), headers)
    void read(endless, wishes, of).then((body) => {
      state.is = outcome(body)
    })
    const at = async (ms: number, tickMs: number) => {
      clock.ms = ms
      jest.advanceTimersByTime(tickMs)
      await settle()
      return state.is
    }
    return at
  }
  const kinds: [string, Headers][] = [
    ['without a length', {}],
    ['with a small length', { 'content-length': '100' }],
    ['with a length', { 'content-length': '9000' }],
    ['with a large length', { 'content-length': '20000' }],
    ['compressed', { 'content-encoding': 'gzip' }],
  ]

  test.each(kinds)('a body %s may take 60 seconds, which is looked at every second', async (_, headers) => {
    const at = reading({}, {}, headers)
    await settle()
    expect(await at(60_000, 1_000)).toBe('')
    expect(await at(60_001, 999)).toBe('')
    expect(await at(60_001, 1)).toBe('unavailable')
  })

  test('a small body of a known sender may take any time', async () => {
    const at = reading({}, {}, { 'content-length': '4096' }, 'site_1')
    await settle()
    expect(await at(1e9, 1_000)).toBe('')
    const larger = reading({}, {}, { 'content-length': '4097' }, 'site_1')
    await settle()
    expect(await larger(1e9, 1_000)).toBe('unavailable')
  })

  test('each part of a body has only the time that is left', async () => {
    const clock = { ms: 0 }
    const read = createBodyReader({ ...limits, arrivalMsMax: 100, lookMs: 10 }, () => new Date(clock.ms))
    for (const [last, wanted] of [
      [100, 'read'],
      [101, 'unavailable'],
    ] as const) {
      const from = clock.ms
      let pulls = 0
      const stream = new ReadableStream(
        {
          pull(controller) {
            if (pulls++ === 0) controller.enqueue(new Uint8Array(1))
            else {
              clock.ms = from + last
              controller.enqueue(new Uint8Array(1))
              if (pulls === 3) controller.close()
            }
          },
        },
        { highWaterMark: 0 },
      )
      expect([last, outcome(await read(request(stream)))]).toEqual([last, wanted])
    }
  })
})

const now = () => new Date(0)

test.each([
  [16 * mebibyte, 'read'],
  [16 * mebibyte + 1, 'unavailable'],
])(
  'by default all bodies share sixteen large ones: with %i bytes the last one is %s',
  async (bytes, wanted) => {
    const read = createBodyReader({ wireBytesMax: 2 ** 24, inflatedBytesMax: 2 ** 24 }, now)
    // Only the length that a request declares is reserved before it is read.
    const sizes = [...Array(15).fill(4 * mebibyte), bytes - 12 * mebibyte]
    const empty = (size: number) => read(request('', { 'content-length': `${size}` }))
    const outcomes: string[] = []
    for (const size of sizes.slice(0, -1)) outcomes.push(outcome(await empty(size)))
    expect(outcomes).toEqual(outcomes.map(() => 'read'))
    const rest = Math.min(4 * mebibyte, sizes.at(-1) ?? 0)
    expect(outcome(await empty(rest))).toBe('read')
    expect(outcome(await empty(bytes > 16 * mebibyte ? 4_097 : 0))).toBe(wanted)
  },
)

test('without a server, a body that says it is shorter than it is stays within the limit', async () => {
  const read = createBodyReader({ ...limits, wireBytesMax: 6_000 }, now)
  const lying = (bytes: number) => read(request('x'.repeat(bytes), { 'content-length': '5000' }))
  expect([outcome(await lying(6_000)), outcome(await lying(6_001))]).toEqual(['read', 'payload_too_large'])
})

test.each([
  [0, 'read'],
  [4_096, 'read'],
  [4_097, 'unavailable'],
])('a body of %i bytes takes room or not: another one is %s', async (bytes, wanted) => {
  const read = createBodyReader({ ...limits, sharedBytesMax: 8_000 }, now)
  expect(outcome(await read(declared(bytes)))).toBe('read')
  expect(outcome(await read(declared(4_097)))).toBe(wanted)
})

test('a large declared body is read as a stream, one that is wanted raw or is compressed too', async () => {
  const read = createBodyReader(limits, now)
  const texts = spyOn(Request.prototype, 'text')
  const textReads = async (bytes: number, headers: Headers = {}, wishes: BodyWishes = {}) => {
    const before = texts.mock.calls.length
    const body = await read(declared(bytes, headers), wishes)
    if ('release' in body) body.release()
    return texts.mock.calls.length - before
  }
  try {
    const json = { 'content-type': 'application/json' }
    const reads = [await textReads(4_096, json), await textReads(10_000, json), await textReads(10_001, json)]
    expect(reads).toEqual([1, 1, 0])
    // Only its first bytes show whether a body of another type is compressed.
    expect([await textReads(4_096), await textReads(10_000), await textReads(10_001)]).toEqual([0, 0, 0])
    expect([await textReads(100, {}, { isRaw: true }), await textReads(9_000, {}, { isRaw: true })]).toEqual([
      0, 0,
    ])
    expect(await textReads(100, { 'content-encoding': 'gzip' })).toBe(0)
    expect(await textReads(9_000, { 'content-encoding': 'gzip' })).toBe(0)
    expect(await textReads(9_000, { 'content-encoding': 'identity' })).toBe(1)
  } finally {
    texts.mockRestore()
  }
})

test('an encoding is read in any case and with spaces around it', async () => {
  const read = createBodyReader(limits, now)
  const body = zlib.gzipSync('abc')
  for (const encoding of ['GZIP', ' gzip ', 'X-GZip'])
    expect(await read(request(body, { 'content-encoding': encoding }))).toMatchObject({ text: 'abc' })
  expect(outcome(await read(request('x', { 'content-encoding': '' })))).toBe('read')
})

test.each([
  ['application/json', 'read'],
  ['text/plain', 'read'],
  ['application/MsgPack', 'unsupported_media_type'],
  ['application/x-protobuf', 'unsupported_media_type'],
  ['multipart/form-data', 'unsupported_media_type'],
  ['avro/binary', 'unsupported_media_type'],
  ['application/vnd.apache.parquet', 'unsupported_media_type'],
])('a body of the type %s: %s', async (type, wanted) => {
  const read = createBodyReader(limits, now)
  expect(outcome(await read(request('x', { 'content-type': type })))).toBe(wanted)
})

test('a request without a body is empty, compressed or not', async () => {
  const read = createBodyReader(limits, now)
  const bare = (headers: Headers) => new Request('http://x/', { method: 'POST', headers })
  expect(await read(bare({}))).toMatchObject({ text: '' })
  for (const encoding of ['gzip', 'deflate', 'zstd'])
    expect(await read(bare({ 'content-encoding': encoding }))).toMatchObject({ text: '' })
})

describe('a large inflated body', () => {
  const reader = (more: object) => createBodyReader({ ...limits, ...more }, now)
  const packed = (bytes: Buffer) => request(zlib.gzipSync(bytes), { 'content-encoding': 'gzip' })

  test('is refused by the limit that it meets first', async () => {
    const dense = Buffer.alloc(400_000)
    const wire = zlib.gzipSync(dense).length
    const detail = async (inflatedBytesMax: number) => {
      const body = await reader({ inflatedBytesMax })(packed(dense))
      return 'code' in body ? body.detail : 'read'
    }
    expect(await detail(wire * 250)).toContain(`${wire * 250} bytes inflated`)
    expect(await detail(wire * 250 + 1)).toContain('250 times')
  })

  test('takes a place, which it needs from the byte behind the bound on', async () => {
    const read = reader({ largeBodiesMax: 1 })
    expect(outcome(await read(packed(uneven(10_001))))).toBe('read')
    expect(outcome(await read(packed(uneven(10_001))))).toBe('unavailable')
    expect(outcome(await read(packed(uneven(10_000))))).toBe('read')
  })

  test('in zstd is too large before it is incomplete', async () => {
    const wire = zlib.zstdCompressSync(Buffer.alloc(2_000_000))
    const cut = wire.subarray(0, wire.length - 1)
    const read = reader({})
    expect(outcome(await read(request(cut, { 'content-encoding': 'zstd' })))).toBe('payload_too_large')
  })

  test('that breaks off behind its first bytes is malformed', async () => {
    const whole = zlib.gzipSync(uneven(50_000))
    const read = reader({})
    for (const wire of [whole.subarray(0, whole.length - 4), whole.subarray(0, whole.length - 100)])
      expect(outcome(await read(request(wire, { 'content-encoding': 'gzip' })))).toBe('malformed_body')
  })

  test('is not inflated a second time where it may not be larger', async () => {
    const read = reader({ largeBodiesMax: 1, inflatedBytesMax: 10_000 })
    expect(outcome(await read(declared(10_001)))).toBe('read')
    expect(outcome(await read(packed(Buffer.concat(Array(4).fill(uneven(5_000))))))).toBe('payload_too_large')
  })
})

test.each([
  ['text', {}],
  ['raw text', { isRaw: true }],
  ['binary', { isRaw: true, isBinary: true }],
] satisfies [string, BodyWishes][])(
  'the encodings and types of a body of %s are those that it can have',
  async (_, wishes) => {
    const read = createBodyReader(limits, () => new Date(0))
    const text = Buffer.from('line')
    const bodies: Record<string, Buffer> = {
      '': text,
      identity: text,
      gzip: zlib.gzipSync(text),
      'x-gzip': zlib.gzipSync(text),
      deflate: zlib.deflateSync(text),
      zstd: zlib.zstdCompressSync(text),
      snappy: text,
      br: text,
      'gzip, gzip': text,
      'x-deflate-x': text,
    }
    const outcomes: string[] = []
    for (const [encoding, body] of Object.entries(bodies))
      outcomes.push(outcome(await read(request(body, { 'content-encoding': encoding }), wishes)))
    const refused = 'unsupported_media_type'
    const snappy = 'isBinary' in wishes ? 'read' : refused
    expect(outcomes).toEqual([
      'read',
      'read',
      'read',
      'read',
      'read',
      'read',
      snappy,
      refused,
      refused,
      refused,
    ])
    const types = ['msgpack', 'x-protobuf', 'AVRO', 'vnd.apache.parquet', 'json', 'octet-stream', 'x-ndjson']
    const byType = await Promise.all(
      types.map(async (type) =>
        outcome(await read(request('x', { 'content-type': `application/${type}` }), wishes)),
      ),
    )
    const binary = 'isBinary' in wishes ? 'read' : refused
    expect(byType).toEqual([binary, binary, binary, binary, 'read', 'read', 'read'])
    expect(
      outcome(await read(request('x', { 'content-type': 'multipart/form-data; boundary=a' }), wishes)),
    ).toBe(binary)
  },
)
