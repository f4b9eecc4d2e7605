import { describe, expect, test } from 'bun:test'
import zlib from 'node:zlib'
import { createBodyReader, type ReadBody } from '../../../ingest/http/body'
import type { Problem } from '../../../ingest/http/problem'
import { waitFor } from '../../support/wait-for'

const now = () => new Date(0)
const limits = { wireBytesMax: 100_000, inflatedBytesMax: 1_000_000, largeBytes: 10_000 }
const request = (body: string | Uint8Array | ReadableStream, headers: Record<string, string> = {}) =>
  new Request('http://localhost/v1/hits', { method: 'POST', body, headers })
/** Bytes that do not compress to nearly nothing. */
const uneven = (length: number) => Buffer.from(Array.from({ length }, (_, n) => (n * n) >> 7))
const code = (outcome: ReadBody | Problem) => ('code' in outcome ? outcome.code : 'read')
const text = (outcome: ReadBody | Problem) => {
  if ('code' in outcome) throw new Error(outcome.detail)
  outcome.release()
  return outcome.text
}
/** A body in chunks, whose pull is counted, without a declared length. */
function chunks(chunk: Uint8Array, count: number) {
  const state = { pulled: 0, isCancelled: false }
  const stream = new ReadableStream({
    cancel() {
      state.isCancelled = true
    },
    pull(controller) {
      if (state.pulled++ < count) controller.enqueue(chunk)
      else controller.close()
    },
  })
  return { state, stream }
}

describe('a body', () => {
  test.each([0, 1, 4_095, 4_096, 4_097, 9_999, 10_000, 10_001, 100_000])(
    'of %i declared characters is read whole, from a known sender too',
    async (length) => {
      const read = createBodyReader(limits, now)
      const body = '01234567'.repeat(length / 8 + 1).slice(0, length)
      for (const sender of [undefined, 'site_1']) {
        const got = await read(request(body, { 'content-length': `${length}` }), {}, sender)
        expect(text(got)).toBe(body)
        expect(got).toMatchObject({ raw: null })
      }
    },
  )

  test.each([
    ['gzip', zlib.gzipSync],
    ['x-gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['deflate', zlib.deflateRawSync],
    ['zstd', zlib.zstdCompressSync],
    ['identity', (bytes: Buffer) => bytes],
  ] as const)('is inflated from %s', async (encoding, compress) => {
    const read = createBodyReader(limits, now)
    const body = compress(Buffer.from('line\n'.repeat(500)))
    expect(text(await read(request(body, { 'content-encoding': encoding })))).toBe('line\n'.repeat(500))
  })

  test('without a header is inflated by its first bytes where the raw bytes are wanted, and only by all of them', async () => {
    const read = createBodyReader(limits, now)
    const line = Buffer.from('line\n'.repeat(500))
    for (const [compress, signBytes] of [
      [zlib.gzipSync, 3],
      [zlib.zstdCompressSync, 4],
    ] as const) {
      const wire = compress(line)
      const outcome = await read(request(wire), { isRaw: true })
      if ('code' in outcome) throw new Error(outcome.detail)
      expect([outcome.text, outcome.raw?.wire]).toEqual([line.toString(), new Uint8Array(wire)])
      // A file that is sent as it is has no header. What says that it is text is believed.
      expect(text(await read(request(wire)))).toBe(line.toString())
      const said = await read(request(wire, { 'content-type': 'application/json' }))
      expect(text(said)).not.toBe(line.toString())
      for (let at = 0; at < signBytes; at++) {
        const other = Buffer.from(wire)
        other[at] = (other[at] as number) ^ 1
        const plain = await read(request(other), { isRaw: true })
        if ('code' in plain) throw new Error(plain.detail)
        expect([at, plain.raw?.inflated]).toEqual([at, new Uint8Array(other)])
      }
    }
  })

  test('by default two large bodies are read at once, each of more than four megabytes', async () => {
    const read = createBodyReader({ wireBytesMax: 2 ** 24, inflatedBytesMax: 2 ** 24 }, now)
    const small = await Promise.all([0, 1, 2].map(() => read(request('x'.repeat(4 * 2 ** 20)))))
    expect(small.map(code)).toEqual(['read', 'read', 'read'])
    for (const body of small) text(body)
    const large = () => read(request('x'.repeat(4 * 2 ** 20 + 1)))
    const held = [await large(), await large()]
    expect([...held, await large()].map(code)).toEqual(['read', 'read', 'unavailable'])
  })

  test('that inflates to more than the limit is refused before it has', async () => {
    const read = createBodyReader(limits, now)
    const zeros = Buffer.alloc(64 * 2 ** 20)
    for (const [encoding, bomb] of [
      ['gzip', zlib.gzipSync(zeros)],
      ['deflate', zlib.deflateSync(zeros)],
      ['zstd', zlib.zstdCompressSync(zeros)],
    ] as const) {
      expect(code(await read(request(bomb, { 'content-encoding': encoding })))).toBe('payload_too_large')
    }
  })

  test('that is too large on the wire is refused, unread where it says so, else as soon as it shows', async () => {
    const read = createBodyReader(limits, now)
    expect(code(await read(request('x'.repeat(100_001))))).toBe('payload_too_large')
    expect(code(await read(request('', { 'content-length': '999999' })))).toBe('payload_too_large')
    const { state, stream } = chunks(new Uint8Array(10_000), 1_000)
    expect(code(await read(request(stream)))).toBe('payload_too_large')
    expect(state.pulled).toBeLessThan(20)
  })

  test('of a type or encoding that is not taken is 415, of broken compression 400', async () => {
    const read = createBodyReader(limits, now)
    expect(code(await read(request('x', { 'content-type': 'application/msgpack' })))).toBe(
      'unsupported_media_type',
    )
    expect(code(await read(request('x', { 'content-encoding': 'br' })))).toBe('unsupported_media_type')
    for (const encoding of ['gzip', 'deflate', 'zstd']) {
      expect(code(await read(request('not that', { 'content-encoding': encoding })))).toBe('malformed_body')
    }
    expect(text(await read(request('x', { 'content-type': 'application/x-www-form-urlencoded' })))).toBe('x')
  })

  test('of invalid UTF-8 is read all the same', async () => {
    const read = createBodyReader(limits, now)
    expect(text(await read(request(Buffer.from([0x61, 0xff, 0x62]))))).toBe('a\ufffdb')
  })

  test('if large, takes one of two places until it is dealt with', async () => {
    const read = createBodyReader(limits, now)
    const large = () => read(request(zlib.gzipSync(uneven(50_000)), { 'content-encoding': 'gzip' }))
    const first = await large()
    const second = await large()
    expect([code(first), code(second)]).toEqual(['read', 'read'])
    const third = await large()
    expect(third).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 })
    expect(code(await read(request('small')))).toBe('read')
    if ('release' in first) first.release()
    if ('release' in first) first.release()
    expect(code(await large())).toBe('read')
    expect(code(await large())).toBe('unavailable')
  })

  test('that is large may inflate to 250 times its size, so that little cannot become much', async () => {
    const read = createBodyReader(limits, now)
    const packed = (bytes: Buffer) => read(request(zlib.gzipSync(bytes), { 'content-encoding': 'gzip' }))
    expect(code(await packed(Buffer.alloc(9_999)))).toBe('read')
    // A copy: the matcher writes itself into the object that it is compared with, which other tests get too.
    expect({ ...(await packed(Buffer.alloc(900_000))) }).toMatchObject({
      code: 'payload_too_large',
      detail: expect.stringContaining('250 times'),
    })
    expect(code(await packed(uneven(50_000)))).toBe('read')
  })

  test('has to find room among all the others', async () => {
    const read = createBodyReader({ ...limits, sharedBytesMax: 20_000 }, now)
    const held = await read(request('x'.repeat(9_000), { 'content-length': '9000' }))
    const inflated = zlib.gzipSync(Buffer.alloc(9_500))
    const second = await read(request(inflated, { 'content-encoding': 'gzip' }))
    expect([code(held), code(second)]).toEqual(['read', 'read'])
    expect(code(await read(request('x'.repeat(5_000), { 'content-length': '5000' })))).toBe('unavailable')
    if ('release' in held) held.release()
    expect(code(await read(request('x'.repeat(5_000), { 'content-length': '5000' })))).toBe('read')
  })

  test('whose sender goes away is given up, and its place with it', async () => {
    const read = createBodyReader({ ...limits, largeBodiesMax: 1 }, now)
    for (let n = 0; n < 3; n++) {
      let pulls = 0
      const gone = new ReadableStream({
        pull(controller) {
          if (pulls++ < 3) controller.enqueue(new Uint8Array(8_000))
          else controller.error(new Error('gone'))
        },
      })
      expect(code(await read(request(gone)))).toBe('malformed_body')
    }
  })

  test('gives its place back when it is refused after all', async () => {
    const read = createBodyReader(limits, now)
    for (let n = 0; n < 5; n++) {
      const { state, stream } = chunks(new Uint8Array(10_000), 1_000)
      expect(code(await read(request(stream)))).toBe('payload_too_large')
      expect(state.isCancelled).toBe(true)
    }
  })

  test('if large, has to arrive in time', async () => {
    let at = 0
    const read = createBodyReader(limits, () => {
      at += 20_000
      return new Date(at)
    })
    const { stream } = chunks(new Uint8Array(1_000), 50)
    expect(await read(request(stream))).toMatchObject({ code: 'unavailable' })
  })

  test('in zstd that was cut is refused wherever it was cut, and frames in a row are read', async () => {
    const read = createBodyReader(limits, now)
    const noise = crypto.getRandomValues(new Uint8Array(3_000))
    const one = zlib.zstdCompressSync(Buffer.concat([Buffer.from('line\n'.repeat(5_000)), noise]))
    const headers = { 'content-encoding': 'zstd' }
    for (let length = 1; length < one.length; length += 7) {
      expect(code(await read(request(one.subarray(0, length), headers)))).toBe('malformed_body')
    }
    const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2])
    const several = Buffer.concat([one, skippable, zlib.zstdCompressSync(Buffer.from('x\n'))])
    expect(code(await read(request(several, headers)))).toBe('read')
  })

  test('that drips in is cut off when its time is over, and its place goes to others', async () => {
    let at = 0
    const read = createBodyReader(
      { ...limits, arrivalMsMax: 1_000, lookMs: 5, largeBodiesMax: 1 },
      () => new Date(at),
    )
    const outcomes: Promise<ReadBody | Problem>[] = []
    using server = Bun.serve({
      port: 0,
      fetch(request) {
        const outcome = read(request)
        outcomes.push(outcome)
        return outcome.then((body) => new Response(code(body)))
      },
    })
    const drip = async (headers: string) => {
      const before = outcomes.length
      const socket = await Bun.connect({
        hostname: '127.0.0.1',
        port: server.port ?? 0,
        socket: { data() {} },
      })
      socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n`)
      await waitFor(() => outcomes.length > before, { what: 'the request to be read' })
      const dripping = setInterval(() => socket.write('x'), 5)
      at += 2_000
      expect(await outcomes[before]).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 })
      clearInterval(dripping)
      socket.end()
    }
    await drip('Content-Length: 3000')
    await drip('Content-Length: 9000')
    await drip('Content-Length: 50000')
    await drip('Content-Length: 50000\r\nContent-Encoding: gzip')
    expect(code(await read(request('x'.repeat(50_000), { 'content-length': '50000' })))).toBe('read')
  })

  test('of one sender never takes what is left for all others', async () => {
    const read = createBodyReader({ ...limits, sharedBytesMax: 20_000 }, now)
    const large = (of: string) => read(request('x'.repeat(50_000), { 'content-length': '50000' }), {}, of)
    const small = (of: string) => read(request('x'.repeat(8_000), { 'content-length': '8000' }), {}, of)
    const held = await large('noisy')
    expect([code(held), code(await large('noisy'))]).toEqual(['read', 'unavailable'])
    expect(code(await large('other'))).toBe('read')
    expect(code(await small('noisy'))).toBe('read')
    expect(code(await small('noisy'))).toBe('unavailable')
    expect(code(await small('other'))).toBe('read')
    if ('release' in held) held.release()
    expect(code(await large('noisy'))).toBe('read')
  })
})
