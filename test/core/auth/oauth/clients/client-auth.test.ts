import { describe, expect, test } from 'bun:test'
import { createClientAuth } from '../../../../../core/auth/oauth/clients/client-auth'
import { errorResponse, OAuthError, plain } from '../../../../../core/auth/oauth/oauth-error'
import { parseParams, readParams } from '../../../../../core/auth/oauth/params'
import { isChallenge, provesChallenge } from '../../../../../core/auth/oauth/pkce'
import { sha256Hex } from '../../../../../core/process/crypto'
import { part } from '../../../../support/part'

const secret_hash = await sha256Hex('s:e c')
const apps: Record<string, object> = {
  public: { client_id: 'public', auth_method: 'none' },
  post: { client_id: 'post', auth_method: 'client_secret_post', secret_hash },
  basic: { client_id: 'basic', auth_method: 'client_secret_basic', secret_hash },
}
const counted: string[] = []
const auth = createClientAuth({
  clients: { find: async (id: string) => apps[id] ?? null } as never,
  limits: {
    count: (_: unknown, charge: string, of?: { app: string }) =>
      counted.push(of === undefined ? charge : `${charge} ${of.app}`),
  },
})
const ask = async (form: string, authorization?: string) => {
  counted.length = 0
  const request = new Request('http://x/', authorization === undefined ? {} : { headers: { authorization } })
  try {
    return ((await auth(request, parseParams(form), part({}), part({}))) as { client_id: string }).client_id
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return `${error.status} ${error.code} ${error.headers['www-authenticate'] ?? ''}`.trim()
  }
}
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const refused = '401 invalid_client'
const challenged = '401 invalid_client Basic realm="renown"'

describe('an app', () => {
  test('without a secret names itself in the form, and shows none', async () => {
    expect(await ask('client_id=public')).toBe('public')
    expect(counted).toEqual(['token public'])
    expect(await ask('client_id=public&client_secret=x')).toBe(refused)
    expect(counted).toEqual(['token public', 'failure'])
    expect(await ask('', basic('public:'))).toBe(challenged)
    expect(await ask('client_id=nobody')).toBe(refused)
    expect(await ask('')).toBe(refused)
    expect(counted).toEqual(['token ', 'failure'])
  })

  test('with a secret proves itself the way it registered, and no other', async () => {
    expect(await ask('client_id=post&client_secret=s%3Ae+c')).toBe('post')
    expect(await ask('client_id=post&client_secret=x')).toBe(refused)
    expect(await ask('client_id=post')).toBe(refused)
    expect(await ask('', basic('post:s%3Ae+c'))).toBe(challenged)
    expect(await ask('', basic('basic:s%3Ae+c'))).toBe('basic')
    expect(await ask('', basic('basic:s:e c'))).toBe('basic')
    expect(await ask('client_id=basic', basic('basic:s:e c').replace('Basic', 'bAsIc'))).toBe('basic')
    expect(await ask('', basic('basic:x'))).toBe(challenged)
    expect(await ask('', basic('basic'))).toBe(challenged)
    expect(await ask('', basic('basic:%zz'))).toBe(challenged)
    expect(await ask('client_id=basic&client_secret=s%3Ae+c')).toBe(refused)
    expect(await ask('client_id=post&client_secret=s%3Ae+c', 'Bearer x')).toBe('post')
  })

  test('never proves itself twice at once', async () => {
    expect(await ask('client_id=post', basic('basic:s:e c'))).toBe('400 invalid_request')
    expect(await ask('client_secret=x', basic('basic:s:e c'))).toBe('400 invalid_request')
  })

  test('with a long name is counted by its first 200 characters', async () => {
    await ask(`client_id=${'x'.repeat(300)}`)
    expect(counted[0]).toBe(`token ${'x'.repeat(200)}`)
  })
})

describe('parameters', () => {
  test('are read once each, empty ones as absent, `resource` as often as it comes', () => {
    const params = parseParams('a=1&b=&c&resource=x&resource=&resource=y&d=%2F+e')
    expect([params.one('a'), params.one('b'), params.one('c'), params.one('z')]).toEqual([
      '1',
      undefined,
      undefined,
      undefined,
    ])
    expect(params.one('d')).toBe('/ e')
    expect(params.all('resource')).toEqual(['x', 'y'])
    expect(params.all('z')).toEqual([])
    expect([params.raw('d'), params.raw('b'), params.raw('c'), params.raw('z')]).toEqual([
      '%2F+e',
      '',
      '',
      undefined,
    ])
    expect(params.duplicate).toBeUndefined()
    expect(parseParams('a=1&b=2&a=').duplicate).toBe('a')
    expect(parseParams('').one('')).toBeUndefined()
    expect(() => parseParams('&'.repeat(2_000))).toThrow('parameters')
  })

  test('are posted as a form of at most 64 KiB, none twice', async () => {
    const post = (body: string, type = 'application/x-www-form-urlencoded') =>
      readParams(new Request('http://x/', { method: 'POST', body, headers: { 'content-type': type } }))
    expect((await post('a=1')).one('a')).toBe('1')
    expect((await post('a=1', ' Application/X-www-form-urlencoded ; charset=utf-8')).one('a')).toBe('1')
    expect(await post('a=1', 'application/json').catch((error) => error.message)).toContain('Post a form')
    expect(await post('a=1', '').catch((error) => error.message)).toContain('Post a form')
    expect(await post('a=1&a=2').catch((error) => error.message)).toBe('The parameter a was sent twice')
    const long = 'n'.repeat(100)
    expect(await post(`${long}=1&${long}=2`).catch((error) => error.message)).toBe(
      `The parameter ${'n'.repeat(80)} was sent twice`,
    )
    const filled = (length: number) => `a=${'x'.repeat(length - 2)}`
    expect((await post(filled(65_536))).one('a')).toHaveLength(65_534)
    expect(await post(filled(65_537)).catch((error) => error.code)).toBe('payload_too_large')
  })
})

test('a verifier of 43 to 128 characters proves the challenge that it was hashed to', () => {
  const challenge = (verifier: string) => new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')
  for (const length of [43, 128]) {
    const verifier = 'aZ0-._~'.repeat(20).slice(0, length)
    expect([length, provesChallenge(challenge(verifier), verifier)]).toEqual([length, true])
    expect(provesChallenge(challenge(`${verifier.slice(1)}x`), verifier)).toBe(false)
  }
  for (const verifier of ['a'.repeat(42), 'a'.repeat(129), `${'a'.repeat(43)}!`, `!${'a'.repeat(43)}`])
    expect(provesChallenge(challenge(verifier), verifier)).toBe(false)
  for (const [text, is] of [
    ['aZ0_-'.repeat(9).slice(0, 43), true],
    ['a'.repeat(42), false],
    ['a'.repeat(44), false],
    [`${'a'.repeat(42)}=`, false],
  ] as const)
    expect([text, isChallenge(text)]).toEqual([text, is])
})

test('an error is told in printable ASCII without quotes, at most 400 characters, and is kept by nobody', async () => {
  const answer = errorResponse(new OAuthError('invalid_grant', 'a "b" \\ é\n', { headers: { 'x-a': 'b' } }))
  expect(answer.status).toBe(400)
  expect(Object.fromEntries(answer.headers)).toEqual({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    pragma: 'no-cache',
    'x-a': 'b',
  })
  expect(await answer.json()).toEqual({ error: 'invalid_grant', error_description: "a 'b' ' ''" })
  expect(plain(` ~${'x'.repeat(500)}`)).toBe(` ~${'x'.repeat(398)}`)
})
