import { describe, expect, test } from 'bun:test'
import { fetchRangeList, type Validators } from '../../../ingest/judge/range-fetch'
import { turns } from '../../support/wait-for'

const url = 'https://operator.example/list.json'
const bytesMax = 2_097_152
const signal = new AbortController().signal
const unknown: Validators = { etag: null, modified: null }

/** Fetches with a stand-in that notes the request. */
async function fetched(response: Response, { from = url, seen = unknown, at = '' } = {}) {
  Object.defineProperty(response, 'url', { value: at || from })
  const requests: [string, RequestInit][] = []
  const fetch = async (asked: string, init: RequestInit) => {
    requests.push([asked, init])
    return response
  }
  const answer = await fetchRangeList(fetch as never, from, seen, signal).catch(
    (error: Error) => error.message,
  )
  return { answer, requests }
}

/** A body in pieces, and whether it was cancelled. */
function piecesOf(...pieces: (string | Uint8Array)[]) {
  const state = { isCancelled: false }
  const body = new ReadableStream({
    pull(controller) {
      const piece = pieces.shift()
      if (piece === undefined) controller.close()
      else controller.enqueue(typeof piece === 'string' ? Buffer.from(piece) : piece)
    },
    async cancel() {
      await turns(3)
      state.isCancelled = true
    },
  })
  return { body, state }
}

describe('a request', () => {
  const accept = 'application/json, text/csv, text/plain, text/html'
  const plain = { accept, 'user-agent': 'Renown' }
  test.each([
    [unknown, plain],
    [
      { etag: '"v1"', modified: null },
      { ...plain, 'if-none-match': '"v1"' },
    ],
    [
      { etag: null, modified: 'Fri' },
      { ...plain, 'if-modified-since': 'Fri' },
    ],
    [
      { etag: '"v1"', modified: 'Fri' },
      { ...plain, 'if-none-match': '"v1"', 'if-modified-since': 'Fri' },
    ],
  ])('after an answer with %j carries its validators', async (seen, headers) => {
    const { requests } = await fetched(new Response('x'), { seen })
    expect(requests).toEqual([[url, { headers, signal }]])
  })
})

describe('an answer', () => {
  test('of 200 is the text with its validators', async () => {
    const headers = { etag: '"v2"', 'last-modified': 'Sat' }
    expect((await fetched(new Response('a list', { headers }))).answer).toEqual({
      body: 'a list',
      etag: '"v2"',
      modified: 'Sat',
    })
    expect((await fetched(new Response('a list'))).answer).toEqual({ body: 'a list', ...unknown })
    expect((await fetched(new Response(null))).answer).toEqual({ body: '', ...unknown })
  })

  test('of 304 needs a validator', async () => {
    const notModified = () => new Response(null, { status: 304 })
    for (const seen of [
      { etag: '"v1"', modified: null },
      { etag: null, modified: 'Fri' },
    ])
      expect((await fetched(notModified(), { seen })).answer).toEqual({ unchanged: true })
    expect((await fetched(notModified())).answer as unknown).toBe('answered 304')
  })

  test.each([201, 206, 404, 500])('of %i is refused and not read', async (status) => {
    const { body, state } = piecesOf('a', 'b')
    expect((await fetched(new Response(body, { status }))).answer as unknown).toBe(`answered ${status}`)
    expect(state.isCancelled).toBe(true)
    expect((await fetched(new Response(null, { status }))).answer as unknown).toBe(`answered ${status}`)
  })

  test('after a redirect away from https is refused and not read', async () => {
    const plain = url.replace('https', 'http')
    const { body, state } = piecesOf('a', 'b')
    for (const given of [body, null])
      expect((await fetched(new Response(given), { at: plain })).answer as unknown).toBe(
        'redirected away from https',
      )
    expect(state.isCancelled).toBe(true)
    for (const [from, at] of [
      [url, `${url}?http:`],
      [plain, plain],
      [plain, url],
    ])
      expect((await fetched(new Response('x'), { from, at })).answer).toMatchObject({ body: 'x' })
  })
})

describe('a body', () => {
  test('may split characters between its pieces', async () => {
    const [first, second, ...rest] = Buffer.from('€ list')
    const split = piecesOf(Uint8Array.of(first as number), Uint8Array.of(second as number, ...rest))
    expect((await fetched(new Response(split.body))).answer).toMatchObject({ body: '€ list' })
    const cutOff = piecesOf('list ', Uint8Array.of(first as number))
    expect((await fetched(new Response(cutOff.body))).answer).toMatchObject({ body: 'list \ufffd' })
  })

  test('has 2 MiB at most, in any number of pieces', async () => {
    const half = 'x'.repeat(bytesMax / 2)
    expect((await fetched(new Response(piecesOf(half, half).body))).answer).toMatchObject({
      body: half + half,
    })
    expect((await fetched(new Response(piecesOf(half, half, 'x').body))).answer as unknown).toBe(
      'more than 2097152 bytes',
    )
  })
})
