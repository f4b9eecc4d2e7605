import { describe, expect, test } from 'bun:test'
import { type SafeFetch, ServiceFault } from 'renown/contracts'
import { fetchKeys } from '../../../../ingest/judge/signature/key-fetch'
import { createSigner } from '../../support/signing'

const signer = createSigner()
const body = JSON.stringify({ keys: [signer.jwk] })
const mediaType = 'application/http-message-signatures-directory+json'
const path = '/.well-known/http-message-signatures-directory'
const none = { safeFetch: null, mirror: '', fetch, timeoutMs: 700 }

function fromSigner(more: { status?: number; type?: string | null; fails?: unknown } = {}) {
  const asked: unknown[] = []
  const safeFetch: SafeFetch = async (url, options) => {
    asked.push([url, options])
    if (more.fails) throw more.fails
    const type = more.type === undefined ? mediaType : more.type
    const headers = new Headers(type === null ? {} : { 'content-type': type })
    return { status: more.status ?? 200, headers, body: new TextEncoder().encode(body), url }
  }
  return { asked, keys: fetchKeys({ ...none, safeFetch }, 'a.test') }
}

describe('the keys of a signer', () => {
  test('are asked for at its own address', async () => {
    const { asked, keys } = fromSigner()
    expect((await keys).map(({ keyid }) => keyid)).toEqual([signer.keyid])
    const options = { maxBytes: 65_536, timeoutMs: 700, redirects: 0, accept: mediaType }
    expect(asked).toEqual([[`https://a.test${path}`, options]])
  })

  test('come with their media type, with parameters and in any case', async () => {
    for (const type of [`${mediaType}; charset=utf-8`, ` ${mediaType.toUpperCase()} ;x`])
      expect(await fromSigner({ type }).keys).toHaveLength(1)
    for (const type of ['application/json', `${mediaType}x`, '', null])
      await expect(fromSigner({ type }).keys).rejects.toThrow('not a key directory')
  })

  test('are none after any other answer or fault', async () => {
    for (const status of [199, 201, 304, 404])
      await expect(fromSigner({ status }).keys).rejects.toThrow(`answered ${status}`)
    const fault = new ServiceFault('transient', 'a secret', { code: 'refused' })
    await expect(fromSigner({ fails: fault }).keys).rejects.toThrow(/^not fetched: refused$/)
    await expect(fromSigner({ fails: new Error('as it is') }).keys).rejects.toThrow(/^as it is$/)
    await expect(fetchKeys(none, 'a.test')).rejects.toThrow('fetches nothing')
  })
})

describe('the keys of a mirror', () => {
  const fromMirror = (answer: () => Response, mirror = 'https://mirror.test/x//') => {
    const asked: unknown[] = []
    const fetcher = async (url: string, init: RequestInit) => {
      asked.push([url, init.headers, init.redirect, init.signal instanceof AbortSignal])
      return answer()
    }
    const safeFetch: SafeFetch = () => Promise.reject(new Error('was asked'))
    return { asked, keys: fetchKeys({ ...none, safeFetch, mirror, fetch: fetcher as never }, 'a.test') }
  }

  test('are below the name of the host', async () => {
    const { asked, keys } = fromMirror(() => new Response(body))
    expect(await keys).toHaveLength(1)
    expect(asked).toEqual([
      [`https://mirror.test/x/a.test${path}`, { 'user-agent': 'Renown' }, 'manual', true],
    ])
  })

  test('are none after another answer, or one of more than 64 KiB', async () => {
    let isCanceled = false
    const cancel = () => {
      isCanceled = true
    }
    const answer = () => new Response(new ReadableStream({ cancel }), { status: 302 })
    await expect(fromMirror(answer).keys).rejects.toThrow('answered 302')
    expect(isCanceled).toBe(true)
    const padded = (bytes: number) => () => new Response(body.padEnd(bytes, ' '))
    expect(await fromMirror(padded(65_536)).keys).toHaveLength(1)
    await expect(fromMirror(padded(65_537)).keys).rejects.toThrow('more than 65536 bytes')
  })

  test('arrive in parts', async () => {
    const halves = [body.slice(0, 20), body.slice(20)].map((half) => new TextEncoder().encode(half))
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const half of halves) controller.enqueue(half)
        controller.close()
      },
    })
    expect(await fromMirror(() => new Response(stream)).keys).toHaveLength(1)
  })
})
