import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createServer, type Server, type Socket } from 'node:net'
import * as v from 'valibot'
import { isServiceFault, ServiceFault, statusFault } from '../../../core/contracts/service-fault'
import { createAskService } from '../../../core/outbound/ask-service'
import { createSafeFetch } from '../../../core/outbound/fetch/safe-fetch'
import { quietLog } from '../../support/quiet-log'
import { standInResolver } from '../../support/stand-in-resolver'

/** Writes to a service that may break off at any point. */
const ask = createAskService({ now: () => new Date(0) })
/** What the server does with the next write, after it has read all of it. */
let ending: 'answer' | 'end' | 'reset' | 'half' | number = 'answer'
let accepted = 0
let server: Server
let base = ''

beforeAll(async () => {
  server = createServer((socket) => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (part) => {
      text += part.toString('latin1')
      const body = text.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (body < 0 || text.length < body + 4 + length) return
      const isWrite = text.startsWith('POST')
      text = ''
      if (isWrite) write(socket)
      else socket.write(answerOf(200, '{}'))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  base = `http://127.0.0.1:${(server.address() as { port: number }).port}`
})
afterAll(() => server.close())

const answerOf = (status: number, body: string) =>
  `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`

function write(socket: Socket): void {
  accepted++
  if (ending === 'end') socket.end()
  else if (ending === 'reset') socket.resetAndDestroy()
  else if (ending === 'half') socket.end(answerOf(200, '{"id":1}').slice(0, -3))
  else socket.write(answerOf(ending === 'answer' ? 200 : ending, '{"id":1}'))
}

const form = v.object({ id: v.optional(v.number()) })
const asked = {
  what: 'The answer',
  answer: form,
  faultOf: ({ status }: { readonly status: number }) => statusFault({ status }, 'no'),
}
const deliveryOf = async (work: Promise<unknown>) => {
  const fault = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (!isServiceFault(fault)) throw new Error(`a fault was expected: ${fault}`)
  return fault.delivery
}

describe('a fault of a write says whether the write certainly had no effect', () => {
  test.each(['end', 'reset', 'half'] as const)(
    'a connection that breaks after acceptance (%s) proves nothing, and the write is not repeated',
    async (how) => {
      ending = how
      // The second request uses the connection of the first again.
      for (let n = 0; n < 3; n++) await ask({ ...asked, url: `${base}/read` })
      accepted = 0
      expect(await deliveryOf(ask({ ...asked, url: `${base}/write`, json: {} }))).toBeUndefined()
      expect(accepted).toBe(1)
    },
  )

  test.each([
    ...([400, 401, 403, 404, 409, 422, 429] as const).map((status) => [status, 'refused'] as const),
    ...([408, 425, 500, 502, 503, 504, 302] as const).map((status) => [status, undefined] as const),
  ])('status %i: %p', async (status, delivery) => {
    ending = status
    expect(await deliveryOf(ask({ ...asked, url: `${base}/write`, json: {} }))).toBe(delivery)
  })

  test('an answer that is too long or unreadable proves nothing', async () => {
    ending = 'answer'
    const url = `${base}/write`
    expect(await deliveryOf(ask({ ...asked, url, json: {}, bytesMax: 3 }))).toBeUndefined()
    const other = v.object({ name: v.string() })
    expect(await deliveryOf(ask({ ...asked, answer: other, url, json: {} }))).toBeUndefined()
    ending = 404
    const unread = () => new ServiceFault('permanent', 'unreadable', { code: 'unreadable' })
    expect(await deliveryOf(ask({ ...asked, faultOf: unread, url, json: {} }))).toBeUndefined()
  })

  test('a connection that was never made', async () => {
    expect(await deliveryOf(ask({ ...asked, url: 'http://127.0.0.1:1/', json: {} }))).toBe('unsent')
  })
})

describe('a fault of a fetch of a user-supplied address says it too', () => {
  const resolver = standInResolver()
  resolver.setAddresses('service.example', ['127.0.0.1'])
  const safeFetch = createSafeFetch({ dns: resolver, log: quietLog, allowLoopback: true })
  const post = (url: string) =>
    safeFetch(url, { method: 'POST', body: '{}', maxBytes: 1_000, timeoutMs: 20_000 })
  const port = () => new URL(base).port

  test.each(['end', 'reset', 'half'] as const)('broken after acceptance (%s)', async (how) => {
    ending = how
    accepted = 0
    expect(await deliveryOf(post(`http://service.example:${port()}/`))).toBeUndefined()
    expect(accepted).toBe(1)
  })

  test.each(['http://service.example:1/', 'ftp://service.example/', 'https://unknown.example/'])(
    'never made: %s',
    async (url) => {
      expect(await deliveryOf(post(url))).toBe('unsent')
    },
  )

  test('a certificate that is not valid is found before the request is sent', async () => {
    const secure = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response('{}'),
      tls: {
        cert: Bun.file(`${import.meta.dir}/../../fixtures/tls/cert.pem`),
        key: Bun.file(`${import.meta.dir}/../../fixtures/tls/key.pem`),
      },
    })
    expect(await deliveryOf(post(`https://service.example:${secure.port}/`))).toBe('unsent')
    await secure.stop(true)
  })
})
