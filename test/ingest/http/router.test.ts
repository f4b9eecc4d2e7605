import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { record, site, withIngest } from '../support/ingest'

describe('the forwarders’ doors', () => {
  test('ask for a token before anything else', () =>
    withIngest(async ({ ingest, send }) => {
      let isRead = false
      const unread = new ReadableStream(
        {
          pull(controller) {
            isRead = true
            controller.close()
          },
        },
        { highWaterMark: 0 },
      )
      const request = new Request('http://localhost/v1/hits', { method: 'POST', body: unread })
      const refused = await ingest.fetch(request, () => '127.0.0.1')
      expect([refused.status, isRead]).toEqual([401, false])
      expect(refused.headers.get('content-type')).toBe('application/problem+json')
      expect(refused.headers.get('www-authenticate')).toStartWith('Bearer')
      for (const authorization of [
        '',
        'Bearer',
        'Bearer wrong',
        `Basic ${btoa('a:b')}`,
        `Bearer ${site.forwarder_token_hash}`,
      ]) {
        expect((await send('/v1/unknown', '', { authorization })).status).toBe(401)
      }
      expect((await send('/v1/unknown', '')).body).toMatchObject({ status: 404, code: 'not_found' })
      expect((await ingest.fetch(new Request('http://localhost/v1/hits'), () => null)).status).toBe(401)
    }))

  test('answer a flood of bad tokens 429 and still take the good one', () =>
    withIngest(
      async ({ send }) => {
        const bad = () => send('/v1/hits', '', { authorization: 'Bearer wrong' })
        expect((await bad()).status).toBe(401)
        expect((await bad()).status).toBe(401)
        const over = await bad()
        expect([over.status, over.headers.get('retry-after')]).toEqual([429, '60'])
        expect((await send('/v1/hits', JSON.stringify(record()))).status).toBe(200)
      },
      { env: { LIMIT_FAILED_AUTHENTICATION_PER_MINUTE: '2' } },
    ))

  test('refuse too many lines whole, and too many lines a second for a while', () =>
    withIngest(
      async ({ clock, send }) => {
        const lines = (count: number, name: string) =>
          JSON.stringify([...Array(count).keys()].map((n) => record({ path: `/${name}${n}` })))
        expect((await send('/v1/hits', lines(11, 'a'))).body).toMatchObject({
          status: 413,
          code: 'payload_too_large',
        })
        expect((await send('/v1/hits', lines(10, 'b'))).status).toBe(200)
        const refused = await send('/v1/hits', lines(1, 'c'))
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
        clock.now += 1_000
        expect((await send('/v1/hits', lines(1, 'c'))).status).toBe(200)
      },
      { env: { INGEST_LINES_MAX: '10', INGEST_LINES_PER_SECOND: '5' } },
    ))

  test('refuse a bomb of tiny objects before it is parsed', () =>
    withIngest(async ({ send }) => {
      const body = `[${'{},'.repeat(2_000_000)}{}]`
      expect((await send('/v1/hits', body)).body).toMatchObject({ code: 'payload_too_large' })
    }))

  test('answer 503 with Retry-After while the journal takes nothing', () =>
    withIngest(
      async ({ ingest, send }) => {
        expect((await send('/v1/hits', JSON.stringify(record()))).status).toBe(200)
        await ingest.flush()
        const refused = await send('/v1/hits', JSON.stringify(record({ path: '/again' })))
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
        expect(refused.body).toMatchObject({ code: 'unavailable', instance: '/v1/hits' })
        expect(await ingest.health()).toMatchObject({ ok: false })
        expect((await ingest.fetch(new Request('http://localhost/healthz'), () => null)).status).toBe(503)
      },
      { env: { JOURNAL_BYTES_MAX: '10' } },
    ))

  test('answer any body 200 and say nothing of what stood in it', () =>
    withIngest(async ({ ingest, send }) => {
      const logLine =
        '203.0.113.9 - - [20/Nov/2026:12:00:00 +0000] "GET /secret HTTP/1.1" 200 5 "-" "GPTBot/1.0"'
      const piece = fc.oneof(
        fc.string(),
        fc.string({ unit: 'binary' }),
        fc.json(),
        fc.constant(logLine),
        fc.constant('\n'),
      )
      await fc.assert(
        fc.asyncProperty(fc.array(piece), fc.nat(), async (pieces, cut) => {
          const text = pieces.join('')
          const { status, body } = await send('/v1/logs', text.slice(0, text.length - (cut % 40)))
          expect(status).toBe(200)
          expect(JSON.stringify(body)).not.toMatch(/203\.0|secret/)
        }),
      )
      expect((await ingest.health()).ok).toBe(true)
    }))

  test('take a request id that is plain, and no other', () =>
    withIngest(async ({ send }) => {
      const told = async (id: string) => (await send('/v1/x', '', { 'x-request-id': id })).body.request_id
      expect(await told('abcdefgh-1')).toBe('abcdefgh-1')
      expect(await told('<script>')).not.toContain('script')
    }))
})
