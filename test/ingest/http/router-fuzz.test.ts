import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import zlib from 'node:zlib'
import fc from 'fast-check'
import { senders } from '../../../ingest/data/senders'
import { token, withIngest } from '../support/ingest'

const numRuns = process.env.RENOWN_LONG === '1' ? 20_000 : 400
const folder = join(import.meta.dir, '../parse/formats/fixtures')
const bodies = [...new Bun.Glob('**/*.txt').scanSync(folder)].map((name) => readFileSync(join(folder, name)))
const paths = [...new Set(senders.map(({ path }) => path)), '/v1/logs', '/v1/logs/nobody', '/v1/']

const packers: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  gzip: (bytes) => zlib.gzipSync(bytes),
  zstd: (bytes) => zlib.zstdCompressSync(bytes),
  deflate: (bytes) => zlib.deflateSync(bytes),
}
const body = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc
    .tuple(fc.constantFrom(...bodies), fc.nat(3_000), fc.nat(200), fc.uint8Array({ maxLength: 9 }))
    .map(([bytes, at, length, more]) =>
      Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at + length)]),
    ),
)
const packed = fc
  .tuple(body, fc.constantFrom('', '', 'gzip', 'zstd', 'deflate', 'br', 'x'), fc.boolean())
  .map(([bytes, encoding, isTrue]) => {
    const pack = packers[encoding]
    return { encoding, bytes: new Uint8Array(isTrue && pack ? pack(bytes) : bytes) }
  })
const headers = fc.record(
  {
    'x-amz-firehose-request-id': fc.constantFrom('id-1', '', 'x'.repeat(300)),
    'x-vercel-signature': fc.constantFrom('', 'zz', 'ab'.repeat(20)),
    'x-vercel-verify': fc.constantFrom('abc', '<x>', ''),
    'idempotency-key': fc.constantFrom('k', 'x'.repeat(300)),
    'content-type': fc.constantFrom('application/json', 'application/msgpack', 'text/plain', 'a;b=c;;'),
    authorization: fc.constantFrom(
      `Bearer ${token}`,
      `Basic ${btoa(`a:${token}`)}`,
      'Basic ====',
      'Basic',
      ':',
    ),
  },
  { requiredKeys: [] },
)

test('whatever is sent to whichever door is answered, and never as a fault of ours', () =>
  withIngest(
    async ({ send }) => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...paths),
          headers,
          packed,
          async (path, more, { encoding, bytes }) => {
            const { status, body } = await send(path, bytes, {
              ...more,
              ...(encoding && { 'content-encoding': encoding }),
            })
            expect([200, 204, 400, 401, 403, 404, 413, 415]).toContain(status)
            if (status === 200 && 'accepted' in body)
              for (const count of ['accepted', 'ignored', 'rejected', 'duplicate'])
                expect(Number.isSafeInteger(body[count])).toBe(true)
            else if (status === 204) expect(path).toStartWith('/loki')
            else if (path.startsWith('/services')) expect(body.text).toBeString()
            else expect(status === 200 ? body.requestId : (body.detail ?? body.errorMessage)).toBeString()
          },
        ),
        { numRuns },
      )
    },
    { env: { LIMIT_FAILED_AUTHENTICATION_PER_MINUTE: '1000000', INGEST_LINES_PER_SECOND: '1000000000' } },
  ))
