import { expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { createDecoder } from '../../../../ingest/http/decoding/decoder'

test('texts and messages of any size are decoded, and bytes that are no message are refused', async () => {
  const decoder = createDecoder()
  const large = Buffer.from('é€😀\n'.repeat(40_000))
  const text = large.toString('utf8')
  const [a, b, c] = await Promise.all([
    decoder.decode('text', new Uint8Array(large), 0),
    decoder.decode('text', Buffer.from('short é'), 0),
    decoder.decode('otlp', Uint8Array.of(8), 10),
  ])
  expect([a.decoded === text, b.decoded, c.decoded]).toMatchObject([
    true,
    'short é',
    { code: 'malformed_body' },
  ])
  expect((await decoder.decode('loki', Uint8Array.of(1), 10)).decoded).toMatchObject({
    code: 'malformed_body',
  })
})

test('a body is decompressed up to its limit, and its bytes stay usable', async () => {
  const decoder = createDecoder()
  const packed = gzipSync(Buffer.alloc(1_000, 'x'))
  const inflated = await decoder.inflate('gzip', packed, 1_000)
  expect(Buffer.from(inflated as Uint8Array).toString()).toBe('x'.repeat(1_000))
  expect(await decoder.inflate('gzip', packed, 999)).toBe('too large')
  expect(await decoder.inflate('zstd', packed, 999)).toBe('malformed')
  expect(packed[0]).toBe(0x1f)
})
