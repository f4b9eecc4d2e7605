import { describe, expect, test } from 'bun:test'
import { Refusal } from '../../../core/contracts/errors'
import { problemOf, problemResponse, retryAfterOf, stackOf, typeOfCode } from '../../../core/requests/problem'
import { UnavailableError } from '../../../core/stores/documents/port'
import { CancelledError, TimedOutError } from '../../../core/work/scope'

const lines: unknown[] = []
const log = Object.fromEntries(
  ['debug', 'info', 'warn', 'error'].map((level) => [
    level,
    (message: string, fields: object) => lines.push([level, message, fields]),
  ]),
) as never
const info = { requestId: 'req-12345', path: '/api/x', apiUrl: 'https://api.example', log }
const named = Object.assign(new Error('gone'), { name: 'UnavailableError', cause: new Error('refused') })

describe('a problem', () => {
  test('of a refusal carries its code, sentence, faults, hint and further members', () => {
    const errors = [{ parameter: 'q', code: 'x', message: 'y' }]
    const refusal = new Refusal('invalid_filter', 'No.', { errors, hint: 'Do.', extra: { id: 'lead_1' } })
    expect(problemOf(refusal, info)).toEqual({
      type: 'https://api.example/docs#invalid_filter',
      title: 'The filter is invalid',
      status: 422,
      detail: 'No.',
      instance: '/api/x',
      code: 'invalid_filter',
      request_id: 'req-12345',
      errors,
      hint: 'Do.',
      id: 'lead_1',
    })
    const bare = problemOf(new Refusal('conflict', 'x'.repeat(2_000), { errors: [] }), {
      ...info,
      path: `/${'y'.repeat(2_000)}`,
    })
    expect(Object.keys(bare)).not.toContain('errors')
    expect(Object.keys(bare)).not.toContain('hint')
    expect([bare.detail.length, bare.instance.length]).toEqual([1_001, 1_001])
  })

  test('of anything else says nothing of it, and the log says all', () => {
    lines.length = 0
    const said = (error: unknown) => {
      const { code, status, detail, hint } = problemOf(error, info)
      return [code, status, detail, hint]
    }
    const store = 'A store cannot be reached at the moment.'
    expect(said(new Error('secret'))).toEqual(['internal', 500, 'Something failed in Renown.', undefined])
    expect(said('secret')).toEqual(['internal', 500, 'Something failed in Renown.', undefined])
    expect(said(new UnavailableError('secret'))).toEqual(['unavailable', 503, store, undefined])
    expect(said(named)).toEqual(['unavailable', 503, store, undefined])
    expect(said(new TimedOutError(true))[3]).toContain('narrower filter')
    expect(said(new TimedOutError(false))[3]).toContain('fewer requests')
    expect(said(new TimedOutError(true)).slice(0, 2)).toEqual(['timed_out', 503])
    expect(said(new TimedOutError(true))[2]).not.toBe(said(new TimedOutError(false))[2])
    expect(said(new CancelledError()).slice(0, 2)).toEqual(['timed_out', 503])
    expect(said(new Refusal('unavailable', 'Not now.'))[2]).toBe('Not now.')
    const short = lines.map((line) => {
      const [level, message, fields] = line as [string, string, Record<string, string>]
      expect(fields).toMatchObject({ request_id: 'req-12345', path: '/api/x' })
      return [level, message, String(fields.error ?? fields.code).split('\n')[0]]
    })
    expect(short.slice(0, 4)).toEqual([
      ['error', 'a request failed', 'Error: secret'],
      ['error', 'a request failed', 'secret'],
      ['warn', 'a store is unavailable', 'UnavailableError: secret'],
      ['warn', 'a store is unavailable', 'UnavailableError: gone refused'],
    ])
    expect(short[4]).toEqual(['debug', 'refused', 'timed_out'])
    expect(short.at(-1)?.slice(0, 2)).toEqual(['warn', 'a service outside is unavailable'])
  })

  test('of an error is logged with where it was made, or with its message', () => {
    expect(stackOf(new Error('secret'))).toContain(import.meta.file)
    expect(stackOf(Object.assign(new Error('secret'), { stack: undefined }))).toBe('secret')
    expect(stackOf(42)).toBe('42')
  })

  test('has a type of its own, the quota the registered one', () => {
    expect(typeOfCode('conflict', 'https://a')).toBe('https://a/docs#conflict')
    expect(typeOfCode('quota_exceeded', 'https://a')).toBe(
      'https://iana.org/assignments/http-problem-types#quota-exceeded',
    )
  })

  test('says how long to stay away', () => {
    expect(retryAfterOf(new Refusal('quota_exceeded', 'x', { retryAfterSeconds: 17 }))).toBe(17)
    expect(retryAfterOf(new Refusal('unavailable', 'x', { retryAfterSeconds: 30 }))).toBe(30)
    expect(retryAfterOf(new Refusal('unavailable', 'x'))).toBe(2)
    expect(retryAfterOf(new Refusal('conflict', 'x'))).toBeUndefined()
    expect(retryAfterOf(new TimedOutError(true))).toBe(5)
    expect(retryAfterOf(named)).toBe(2)
    expect(retryAfterOf(new Error('x'))).toBeUndefined()
  })
})

describe('the answer to a problem', () => {
  const answer = (error: unknown, resourceMetadata?: string) =>
    problemResponse(error, { ...info, ...(resourceMetadata ? { resourceMetadata } : {}) })
  const challenge = (error: unknown, resourceMetadata?: string) =>
    answer(error, resourceMetadata).headers.get('www-authenticate')

  test('is problem+json that nobody keeps', async () => {
    const response = answer(new Refusal('quota_exceeded', 'x', { retryAfterSeconds: 17 }))
    expect(response.status).toBe(429)
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'retry-after': '17',
    })
    expect(await response.json()).toMatchObject({ code: 'quota_exceeded', status: 429 })
    expect(answer(new Refusal('conflict', 'x')).headers.get('retry-after')).toBeNull()
  })

  test('challenges who has no token, names the error of one, and the scope that is missing', () => {
    expect(challenge(new Refusal('conflict', 'x'), 'https://m')).toBeNull()
    expect(challenge(new Error('x'), 'https://m')).toBeNull()
    expect(challenge(new Refusal('unauthenticated', 'x'))).toBe('Bearer realm="renown"')
    expect(challenge(new Refusal('unauthenticated', 'x'), 'https://m')).toBe(
      'Bearer realm="renown", resource_metadata="https://m", scope="read write"',
    )
    const bad = new Refusal('unauthenticated', 'x', { extra: { error: 'invalid_token' } })
    expect(challenge(bad)).toBe('Bearer realm="renown", error="invalid_token"')
    const scope = new Refusal('insufficient_scope', 'a "b" \\c', { extra: { scope: 'write' } })
    expect(challenge(scope, 'https://m')).toBe(
      `Bearer realm="renown", error="insufficient_scope", error_description="a 'b' 'c", resource_metadata="https://m", scope="write"`,
    )
  })
})
