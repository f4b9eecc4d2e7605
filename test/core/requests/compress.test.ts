import { describe, expect, spyOn, test } from 'bun:test'
import { publicPageOf, sendFixed } from '../../../core/http/answer'
import { compressed } from '../../../core/requests/compress'

const long = JSON.stringify({ text: 'words and words '.repeat(500) })

async function sent(
  headers: Record<string, string>,
  {
    method = 'GET',
    path = '/app/traffic',
    type = 'text/html; charset=utf-8',
    text = long,
    status = 200,
  } = {},
) {
  const request = new Request(`http://localhost${path}`, { method, headers })
  const answer = await compressed(
    request,
    path,
    new Response(text, { status, headers: { 'content-type': type } }),
  )
  return {
    encoding: answer.headers.get('content-encoding'),
    vary: answer.headers.get('vary'),
    bytes: new Uint8Array(await answer.arrayBuffer()),
  }
}
const gzip = { 'accept-encoding': 'br, gzip' }

describe('an answer', () => {
  test('is sent as it is, at once, to a caller who accepts no compression', () => {
    const answer = new Response(long, { headers: { 'content-type': 'application/json' } })
    const request = new Request('http://localhost/api/surface', {
      headers: { 'accept-encoding': 'identity' },
    })
    expect(compressed(request, '/api/surface', answer)).toBe(answer)
    expect(answer.headers.get('vary')).toBe('accept-encoding')
  })

  test.each(['text/html; charset=utf-8', 'application/json', 'application/problem+json', 'text/csv'])(
    'of %s is compressed for callers who accept it, and unpacks to the same',
    async (type) => {
      const { encoding, vary, bytes } = await sent(gzip, { type })
      expect(encoding).toBe('gzip')
      expect(vary).toBe('accept-encoding')
      expect(bytes.length).toBeLessThan(long.length / 10)
      expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(long)
    },
  )

  test('of more than 64 KiB unpacks to the same', async () => {
    const text = JSON.stringify({ text: 'words and words '.repeat(50_000) })
    const { encoding, bytes } = await sent(gzip, {
      path: '/api/entities/Lead',
      type: 'application/json',
      text,
    })
    expect(encoding).toBe('gzip')
    expect(bytes.length).toBeLessThan(text.length / 10)
    expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(text)
  })

  test.each([
    ['to a caller who names no encoding', {}, {}],
    ['to a caller who refuses gzip', { 'accept-encoding': 'gzip;q=0, br' }, {}],
    ['that is short', gzip, { text: 'short' }],
    ['that is a stream of news', gzip, { type: 'text/event-stream' }],
    ['to a form of the pages, where secrets are shown once', gzip, { method: 'POST' }],
    ['to what another site makes a browser ask for', { ...gzip, 'sec-fetch-site': 'cross-site' }, {}],
    ['to what a sister site makes a browser ask for', { ...gzip, 'sec-fetch-site': 'same-site' }, {}],
  ] as const)('%s is sent as it is', async (_, headers, answer) => {
    const { encoding, bytes } = await sent(headers, answer)
    expect(encoding).toBeNull()
    expect(new TextDecoder().decode(bytes)).toBe('text' in answer ? answer.text : long)
  })

  test('to a call of an operation is compressed, and keeps its status', async () => {
    const request = new Request('http://localhost/api/functions/x', { method: 'POST', headers: gzip })
    const given = new Response(long, {
      status: 422,
      headers: { 'content-type': 'application/json', 'x-other': 'y' },
    })
    const answer = await compressed(request, '/api/functions/x', given)
    expect(answer.status).toBe(422)
    expect(answer.headers.get('x-other')).toBe('y')
    expect(answer.headers.get('content-encoding')).toBe('gzip')
  })
})

test.each([204, 304])(
  'an answer %p without a body stays as it is, whatever its type says',
  async (status) => {
    const request = new Request('http://localhost/app', { headers: gzip })
    const answer = new Response(null, { status, headers: { 'content-type': 'text/html' } })
    expect(await compressed(request, '/app', answer)).toBe(answer)
    expect(answer.headers.get('vary')).toBeNull()
  },
)

test('an answer of less than 1,400 bytes is sent as it is, and vary names what decides', async () => {
  for (const [bytes, encoding] of [
    [1_399, null],
    [1_400, 'gzip'],
  ] as const)
    expect(await sent(gzip, { text: 'x'.repeat(bytes) })).toMatchObject({ encoding, vary: 'accept-encoding' })
})

test('an answer to a program is compressed fast, and a page well', async () => {
  // The ninth byte of the format says 4 for the fastest level, and 0 for those between it and the best.
  const levelOf = async (path: string, length: number) =>
    (await sent(gzip, { path, type: 'text/csv', text: 'x'.repeat(length) })).bytes[8]
  const atOnce = spyOn(Bun, 'gzipSync')
  try {
    for (const path of ['/api/x', '/app/x']) await sent(gzip, { path })
    expect(atOnce.mock.calls.map(([, options]) => options)).toEqual([{ level: 1 }, { level: 6 }])
  } finally {
    atOnce.mockRestore()
  }
  expect([await levelOf('/api/x', 65_537), await levelOf('/app/x', 65_537)]).toEqual([4, 0])
})

test('an answer of up to 64 KiB is compressed at once, and a larger one in a thread', async () => {
  const atOnce = spyOn(Bun, 'gzipSync')
  try {
    const calls: number[] = []
    for (const bytes of [1_400, 65_535, 65_536, 65_537]) {
      expect((await sent(gzip, { text: 'x'.repeat(bytes) })).encoding).toBe('gzip')
      calls.push(atOnce.mock.calls.length)
    }
    expect(calls).toEqual([1, 2, 3, 3])
    expect((await sent(gzip, { text: 'x'.repeat(1_399) })).encoding).toBeNull()
  } finally {
    atOnce.mockRestore()
  }
})

test('a body that many requests get is compressed once, and each gets all of it', async () => {
  const packing = spyOn(Bun, 'gzipSync')
  const page = publicPageOf(new TextEncoder().encode(long))
  const request = new Request('http://localhost/api/openapi.json', { headers: gzip })
  const ask = async () => {
    const answer = await compressed(request, '/api/openapi.json', sendFixed(request, page))
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    expect(answer.headers.get('etag')).toBe(page.headers.etag ?? '')
    return new TextDecoder().decode(Bun.gunzipSync(new Uint8Array(await answer.arrayBuffer())))
  }
  expect([await ask(), await ask(), await ask()]).toEqual([long, long, long])
  expect(packing).toHaveBeenCalledTimes(1)
  packing.mockRestore()
})
