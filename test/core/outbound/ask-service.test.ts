import { afterAll, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import * as v from 'valibot'
import type { ServiceCall } from '../../../core/contracts/outbound'
import {
  type FaultKind,
  isServiceFault,
  ServiceFault,
  statusFault,
} from '../../../core/contracts/service-fault'
import { createAskService, retryAfter } from '../../../core/outbound/ask-service'
import { passTime } from '../../support/wait-for'

const now = () => new Date('2026-03-01T00:00:00.000Z')
const asking = createAskService({ now })
const form = v.object({ method: v.string() })
const ask = (request: ServiceCall) =>
  asking({ ...request, what: 'The echo', answer: form, faultOf: () => null })
const seen: { headers: Headers; body: string }[] = []
const service = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 30,
  routes: {
    '/echo': async (request) => {
      seen.push({ headers: request.headers, body: await request.text() })
      return Response.json({ method: request.method })
    },
    '/html': new Response('<p>no</p>', { status: 502 }),
    '/none': new Response(null, { status: 204 }),
    '/ok': new Response('OK'),
    '/cut': new Response('{"method":"GE'),
    '/empty': Response.json({}),
    '/list': Response.json([{ method: 'GET' }]),
    '/null': Response.json(null),
    '/missing': new Response('<p>no</p>', { status: 404 }),
    '/forbidden': new Response('<p>no</p>', { status: 403 }),
    '/dead': new Response('<p>no</p>', { status: 401 }),
    '/refused': Response.json({ error: 's3cret-s3cret' }, { status: 400 }),
    '/away': new Response(null, { status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
    '/slow': () => passTime(5_000).then(() => new Response('late')),
    '/bomb': () =>
      new Response(gzipSync(Buffer.alloc(64 * 2 ** 20)), { headers: { 'content-encoding': 'gzip' } }),
    '/busy': new Response('{}', { status: 429, headers: { 'retry-after': '17' } }),
  },
})
afterAll(() => service.stop(true))
const at = (path: string) => new URL(path, service.url).href
const faultOf = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error: unknown) => (isServiceFault(error) ? error : Promise.reject(error)),
  )

describe('Asking a service', () => {
  test('reads no more of an answer than the request takes', async () => {
    const asked = { url: at('/echo'), json: {} }
    expect(await ask({ ...asked, bytesMax: 17 })).toEqual({ method: 'POST' })
    expect(await faultOf(ask({ ...asked, bytesMax: 16 }))).toMatchObject({ code: 'too_large' })
    seen.length = 0
  })

  test('sends JSON and forms, and reads JSON', async () => {
    expect(await ask({ url: at('/echo'), json: { a: 1 } })).toEqual({ method: 'POST' })
    await ask({ url: at('/echo'), method: 'PUT', form: { grant_type: 'refresh_token', a: 'ü&=' } })
    const [json, form] = seen.splice(0)
    expect(json?.body).toBe('{"a":1}')
    expect(json?.headers.get('user-agent')).toStartWith('Renown/')
    expect(form?.body).toBe('grant_type=refresh_token&a=%C3%BC%26%3D')
    expect(form?.headers.get('content-type')).toBe('application/x-www-form-urlencoded')
  })

  test.each(['/none', '/ok', '/cut', '/empty', '/list', '/null', '/missing', '/forbidden', '/dead', '/away'])(
    'is an unreadable answer, which may pass, when %s answers neither in the form nor with an error of the service’s',
    async (path) => {
      const fault = await faultOf(ask({ url: at(path) }))
      expect([fault?.kind, fault?.code]).toEqual(['transient', 'unreadable'])
    },
  )

  test('is a passing fault by the status of a limit or an outage, whoever says it', async () => {
    expect(await faultOf(ask({ url: at('/html') }))).toMatchObject({ kind: 'transient', code: '502' })
    expect(await faultOf(ask({ url: at('/busy') }))).toMatchObject({ kind: 'rate', retryAfterMs: 17_000 })
  })

  test('is the fault that the service’s own error form says, without its secrets', async () => {
    const refusing = asking({
      url: at('/refused'),
      secrets: ['s3cret-s3cret'],
      what: 'The echo',
      answer: form,
      faultOf: ({ status, text }) => new ServiceFault('permission', `${status} ${text}`),
    })
    expect(await faultOf(refusing)).toMatchObject({
      kind: 'permission',
      message: '400 {"error":"[redacted]"}',
    })
  })

  test('is a passing fault when no answer comes, and repeats no secret', async () => {
    const slow = await faultOf(ask({ url: at('/slow'), timeoutMs: 20 }))
    expect([slow?.kind, slow?.message]).toEqual(['transient', `${service.url.host}: no answer within 0.02 s`])
    const gone = await faultOf(
      ask({ url: 'http://127.0.0.1:1/?key=s3cret-s3cret', secrets: ['s3cret-s3cret'] }),
    )
    expect(gone?.kind).toBe('transient')
    expect(gone?.message).not.toContain('s3cret')
  })

  test('stops inflating at its bound', async () => {
    expect((await faultOf(ask({ url: at('/bomb') })))?.kind).toBe('permanent')
  })

  test('ends with the reason of whoever gave up', async () => {
    const ends = AbortSignal.abort(new Error('stopping'))
    await expect(ask({ url: at('/slow'), signal: ends })).rejects.toThrow('stopping')
  })
})

test('a status is told as what has to follow', () => {
  const kindOf = (status: number) => statusFault({ status }, 'no')?.kind
  const wanted: Record<number, FaultKind | undefined> = {
    200: undefined,
    204: undefined,
    302: 'permanent',
    400: 'permanent',
    401: 'auth',
    403: 'permission',
    404: 'permanent',
    408: 'transient',
    429: 'rate',
    500: 'transient',
    503: 'transient',
  }
  for (const [status, kind] of Object.entries(wanted))
    expect([status, kindOf(Number(status))]).toEqual([status, kind])
})

test('Retry-After is read as seconds and as a date, and never as nonsense', () => {
  const waits: Record<string, number | undefined> = {
    '0': 0,
    '120': 120_000,
    ' 3 ': 3_000,
    '99999999999': 7 * 86_400_000,
    'Sun, 01 Mar 2026 00:01:00 GMT': 60_000,
    'Sat, 28 Feb 2026 00:00:00 GMT': 0,
    soon: undefined,
    '': undefined,
    '-5': undefined,
  }
  for (const [header, wait] of Object.entries(waits))
    expect([header, retryAfter(header, now())]).toEqual([header, wait])
  expect(retryAfter(null, now())).toBeUndefined()
})
