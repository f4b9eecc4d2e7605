import { describe, expect, test } from 'bun:test'
import type { Client } from '../../../../core/auth/oauth/clients/client'
import { parseParams } from '../../../../core/auth/oauth/params'
import { createToken, type TokenDeps } from '../../../../core/auth/oauth/token'
import type { Host } from '../../../../core/requests/host'
import { pkcePair } from '../../../support/oauth-app'

const now = '2026-11-20T12:00:00.000Z'
const host: Host = { origin: 'https://renown.example.com', kind: 'main', agency_id: null }
const client = { client_id: 'ocl_1' } as Client
const grant = { id: 'ogr_1', client_id: 'ocl_1', scopes: ['read', 'write'] }
const { verifier, challenge } = pkcePair()
const code = {
  id: 'oac_1',
  host: host.origin,
  client_id: 'ocl_1',
  grant_id: 'ogr_1',
  is_used: false,
  valid_until: '2026-11-20T12:00:00.001Z',
  redirect_uri: 'https://app.example/back',
  code_challenge: challenge,
}
const token = { id: 'otk_1', kind: 'refresh', grant_id: 'ogr_1' }

const replay = 'report app.code_replayed refused'

/** What the parts behind the token endpoint answer. Everything is in order unless a test says otherwise. */
const usual = {
  code: code as object | null,
  takes: true,
  live: grant as object | null,
  connected: grant as object | null,
  stands: true,
  token: token as object | null,
  rotation: 'first',
  renewed: grant as object | null,
  ended: grant as object | null,
}

/** Asks for tokens. Returns the answer or the error, and what was called in which order. */
async function ask(fields: Record<string, string>, over: Partial<typeof usual> = {}) {
  const given = { ...usual, ...over }
  const calls: string[] = []
  // A report takes longest, so that it comes too late if nobody waits for it.
  const said =
    <T>(name: string, answer: T) =>
    async (...args: unknown[]) => {
      for (let turn = name === 'report' ? 0 : 2; turn < 4; turn++) await new Promise(setImmediate)
      calls.push([name, ...args.filter((arg) => typeof arg === 'string')].join(' '))
      return answer
    }
  const deps = {
    codes: { find: async () => given.code, take: said('take', given.takes) },
    grants: {
      liveAt: async () => given.live,
      connect: said('connect', given.connected),
      renew: said('renew', given.renewed),
      end: said('end', given.ended),
    },
    tokens: {
      find: async () => given.token,
      rotate: said('rotate', given.rotation),
      issue: async (_: unknown, scopes: readonly string[]) => ({ scope: scopes.join(' ') }),
    },
    clock: { now: () => new Date(now) },
    standing: async () => given.stands,
    report: said('report', undefined),
  } as unknown as TokenDeps
  const params = parseParams(new URLSearchParams(fields).toString())
  const answer = await createToken(deps)(client, params, host).then(
    async (response) => (await response.json()) as object,
    ({ code: error, message }) => ({ error, message }),
  )
  return { answer, calls }
}

describe('a code', () => {
  const fields = { grant_type: 'authorization_code', code: 'x', code_verifier: verifier }

  test('is taken, connects its grant and is reported, in this order', async () => {
    const { answer, calls } = await ask(fields)
    expect(answer).toEqual({ scope: 'read write' })
    expect(calls).toEqual(['take', 'connect ogr_1', 'report app.connect'])
    expect((await ask({ ...fields, redirect_uri: code.redirect_uri })).answer).toEqual(answer)
  })

  const unknown: readonly [string, Partial<typeof usual>, string[]][] = [
    ['that nobody has', { code: null }, []],
    ['of another host', { code: { ...code, host: 'https://other.example' } }, []],
    ['of another app', { code: { ...code, client_id: 'ocl_2' } }, []],
    ['that ends now', { code: { ...code, valid_until: now } }, []],
    ['whose grant has ended', { live: null }, []],
    ['that was used', { code: { ...code, is_used: true } }, ['end ogr_1 code_replayed', replay]],
    ['that is used at the same time', { takes: false }, ['take', 'end ogr_1 code_replayed', replay]],
    ['that was used, of an ended grant', { takes: false, ended: null }, ['take', 'end ogr_1 code_replayed']],
    ['whose grant is gone', { connected: null }, ['take', 'connect ogr_1']],
    ['whose person is gone', { stands: false }, ['take', 'connect ogr_1']],
  ]
  test.each(unknown)('%s is refused', async (_, over, expected) => {
    const { answer, calls } = await ask(fields, over)
    expect(answer).toEqual({
      error: 'invalid_grant',
      message: 'The code has expired, was used, or belongs to another app',
    })
    expect(calls).toEqual(expected)
  })

  const wrong: readonly [Record<string, string>, string, string][] = [
    [{ code: '' }, 'invalid_request', 'code is missing'],
    [{ code_verifier: '' }, 'invalid_request', 'code_verifier is missing'],
    [{ grant_type: '' }, 'invalid_request', 'grant_type is missing'],
    [{ grant_type: 'password' }, 'unsupported_grant_type', 'grant_type must be'],
    [{ redirect_uri: 'https://app.example/other' }, 'invalid_grant', 'redirect_uri differs'],
    [{ code_verifier: 'a'.repeat(43) }, 'invalid_grant', 'code_verifier does not match'],
    [{ resource: 'https://other.example' }, 'invalid_target', 'another host'],
  ]
  test.each(wrong)('with %j is not spent', async (over, error, words) => {
    const { answer, calls } = await ask({ ...fields, ...over })
    expect(answer).toEqual({ error, message: expect.stringContaining(words) })
    expect(calls).toEqual([])
  })
})

describe('a refresh token', () => {
  const fields = { grant_type: 'refresh_token', refresh_token: 'x' }

  test('is exchanged, with fewer scopes where the app asks for fewer', async () => {
    expect(await ask(fields)).toEqual({ answer: { scope: 'read write' }, calls: ['rotate', 'renew'] })
    expect((await ask({ ...fields, scope: 'read' })).answer).toEqual({ scope: 'read' })
  })

  test('that is used again within the grace is exchanged and reported', async () => {
    const { answer, calls } = await ask(fields, { rotation: 'sibling' })
    expect(answer).toEqual({ scope: 'read write' })
    expect(calls).toEqual(['rotate', 'report app.refresh_again', 'renew'])
  })

  const reused = [
    'rotate',
    'end ogr_1 refresh_token_reused',
    'report app.refresh_token_reused refused',
    'renew',
  ]
  const unknown: readonly [string, Partial<typeof usual>, string[]][] = [
    ['that nobody has', { token: null }, []],
    ['that is an access token', { token: { ...token, kind: 'access' } }, []],
    ['whose grant has ended', { live: null }, []],
    ['of another app', { live: { ...grant, client_id: 'ocl_2' } }, []],
    ['whose person is gone', { stands: false }, []],
    ['that was used too often', { rotation: 'spent' }, ['rotate']],
    ['that was stolen', { rotation: 'reused', renewed: null }, reused],
    ['whose grant ends at the same time', { renewed: null }, ['rotate', 'renew']],
  ]
  test.each(unknown)('%s is refused', async (_, over, expected) => {
    const { answer, calls } = await ask(fields, over)
    expect(answer).toEqual({
      error: 'invalid_grant',
      message: 'The refresh token has expired, was exchanged, or belongs to another app',
    })
    expect(calls).toEqual(expected)
  })

  test('that is missing is asked for', async () => {
    const { answer } = await ask({ grant_type: 'refresh_token' })
    expect(answer).toEqual({ error: 'invalid_request', message: 'refresh_token is missing' })
  })
})
