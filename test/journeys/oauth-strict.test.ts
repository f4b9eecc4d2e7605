import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as oauth from 'oauth4webapi'
import { type Decision, type SignedInPerson, signIn } from '../support/person'
import { type RunningProduct, startProduct } from '../support/product'
import {
  type App,
  type AuthMethod,
  callWith,
  challengeOf,
  errorOf,
  exchange,
  overHttp,
  questionOf,
  refresh,
  registerApp,
  revoke,
} from '../support/strict-app'

const methods = ['none', 'client_secret_post', 'client_secret_basic'] as const satisfies AuthMethod[]

let product: RunningProduct
let owner: SignedInPerson
/** Two names of one machine are two hosts, and each is a server of its own. */
let here: string
let there: string
beforeAll(async () => {
  product = await startProduct({
    env: { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9', LIMIT_REGISTRATIONS_PER_HOUR: '1000' },
  })
  here = product.facts.api_url
  there = here.replace('localhost', '127.0.0.1')
  owner = await signIn(product)
}, 90_000)
afterAll(() => product?.[Symbol.asyncDispose]())

async function connect(app: App, decision?: Decision, asked?: Readonly<Record<string, string | null>>) {
  const question = await questionOf(app, asked)
  const answer = await owner.decide(question.url, decision)
  const tokens = await exchange(app, answer, question)
  return { question, answer, tokens, access: tokens.access_token, refreshToken: tokens.refresh_token ?? '' }
}
const works = async (token: string, { resource }: App) =>
  (await callWith(token, resource, 'whoami')).result.structuredContent?.workspace
const invalidToken = { status: 401, error: 'invalid_token' }

describe.each([...methods])(
  'oauth4webapi, which reads every answer strictly, as a client of %s',
  (method) => {
    test('finds the server, registers, is answered, takes tokens, calls, renews and lets go', async () => {
      const app = await registerApp(here, method)
      expect(app.as.issuer).toBe(here)
      expect(typeof app.client.client_secret).toBe(method === 'none' ? 'undefined' : 'string')
      const { tokens, access, refreshToken } = await connect(app)
      expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'read write' })
      expect(await works(access, app)).toMatchObject({ id: product.facts.workspace_id })
      const next = await refresh(app, refreshToken)
      expect(next.refresh_token).not.toBe(refreshToken)
      expect(await works(next.access_token, app)).toBeTruthy()
      await revoke(app, next.refresh_token ?? '')
      for (const token of [access, next.access_token]) {
        expect(await challengeOf(works(token, app))).toMatchObject(invalidToken)
      }
      expect(await errorOf(refresh(app, next.refresh_token ?? ''))).toBe('invalid_grant')
    }, 90_000)
  },
)

describe('what must not work', () => {
  test('a code twice: the second time ends what came of the first', async () => {
    const app = await registerApp(here)
    const { answer, question, access, refreshToken } = await connect(app)
    expect(await works(access, app)).toBeTruthy()
    expect(await errorOf(exchange(app, answer, question))).toBe('invalid_grant')
    expect(await challengeOf(works(access, app))).toMatchObject(invalidToken)
    expect(await errorOf(refresh(app, refreshToken))).toBe('invalid_grant')
  }, 90_000)

  test('a code with a verifier, an address or an app that is not the one', async () => {
    const app = await registerApp(here)
    const other = await registerApp(here)
    const question = await questionOf(app)
    const answer = await owner.decide(question.url)
    const verifier = oauth.generateRandomCodeVerifier()
    expect(await errorOf(exchange(app, answer, { ...question, verifier }))).toBe('invalid_grant')
    const second = await questionOf(app)
    const answered = await owner.decide(second.url)
    const elsewhere = { ...app, redirectUri: 'http://127.0.0.1/elsewhere' }
    expect(await errorOf(exchange(elsewhere, answered, second))).toBe('invalid_grant')
    const third = await questionOf(app)
    const stolen = await owner.decide(third.url)
    expect(await errorOf(exchange({ ...app, client: other.client }, stolen, third))).toBe('invalid_grant')
  }, 90_000)

  test('a question without PKCE, with plain PKCE, for another resource, or of another kind: the app is told, with iss and state', async () => {
    const app = await registerApp(here)
    const faults: readonly (readonly [Record<string, string | null>, string])[] = [
      [{ code_challenge: null }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: null }, 'invalid_request'],
      [{ resource: 'https://elsewhere.example/api/mcp' }, 'invalid_target'],
      [{ resource: `${there}/api/mcp` }, 'invalid_target'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
    ]
    for (const [asked, error] of faults) {
      const { url, state } = await questionOf(app, asked)
      const answer = await owner.decide(url)
      expect([answer.searchParams.get('iss'), answer.searchParams.get('state')]).toEqual([here, state])
      const read = async () => oauth.validateAuthResponse(app.as, app.client, answer, state)
      expect({ asked, error: await errorOf(read()) }).toEqual({ asked, error })
    }
  }, 90_000)

  test('a question of nobody, or with an address that was not registered: a person is told, and no app', async () => {
    const app = await registerApp(here, 'none', 'https://app.example/callback')
    const faults: readonly Record<string, string>[] = [
      { client_id: 'ocl_none' },
      { redirect_uri: 'https://app.example/callback/' },
      { redirect_uri: 'https://app.example.evil.example/callback' },
      { redirect_uri: 'https://app.example@evil.example/callback' },
      { redirect_uri: 'https://app.example/callback#fragment' },
      { redirect_uri: 'javascript:alert(1)' },
      { redirect_uri: 'http://app.example/callback' },
    ]
    for (const asked of faults) {
      const { url } = await questionOf(app, asked)
      const page = await owner.visitor.open(`${url.pathname}${url.search}`)
      const leads = page.headers.get('location')
      expect({ asked, status: page.status, leads }).toEqual({ asked, status: 400, leads: null })
    }
  }, 90_000)

  test('a no is told to the app', async () => {
    const app = await registerApp(here)
    const question = await questionOf(app)
    const answer = await owner.decide(question.url, { deny: true })
    expect(await errorOf(exchange(app, answer, question))).toBe('access_denied')
  }, 90_000)

  test('another host: its 401 names its own server, and neither codes, tokens nor apps are known there', async () => {
    const app = await registerApp(here)
    const { access, refreshToken } = await connect(app)
    const foreign = new URL(`${there}/api/mcp`)
    expect(await challengeOf(callWith(access, foreign, 'whoami'))).toMatchObject({
      ...invalidToken,
      resource_metadata: `${there}/.well-known/oauth-protected-resource/api/mcp`,
    })
    const elsewhere = await registerApp(there)
    const asThere = { ...app, as: elsewhere.as, resource: elsewhere.resource }
    expect(await errorOf(refresh(asThere, refreshToken))).toBe('invalid_client')
    expect(await errorOf(refresh({ ...elsewhere, client: elsewhere.client }, refreshToken))).toBe(
      'invalid_grant',
    )
    expect(await works(access, app)).toBeTruthy()
    const question = await questionOf(app)
    const answer = await owner.decide(question.url)
    expect(await errorOf(exchange(asThere, rehosted(answer, there), question))).toBe('invalid_client')
    expect(await errorOf(exchange(elsewhere, rehosted(answer, there), question))).toBe('invalid_grant')
  }, 90_000)

  test("another app's token can be neither renewed nor taken back", async () => {
    const app = await registerApp(here)
    const other = await registerApp(here)
    const { access, refreshToken } = await connect(app)
    expect(await errorOf(refresh({ ...other }, refreshToken))).toBe('invalid_grant')
    await revoke(other, refreshToken)
    await revoke(other, access)
    expect(await works(access, app)).toBeTruthy()
  }, 90_000)
})

describe('what must work', () => {
  test('several processes of one app renew at once, and each goes on', async () => {
    const app = await registerApp(here)
    const { refreshToken } = await connect(app)
    const pairs = await Promise.all([1, 2, 3, 4].map(() => refresh(app, refreshToken)))
    expect(new Set(pairs.map(({ access_token }) => access_token)).size).toBe(4)
    for (const { access_token } of pairs) expect(await works(access_token, app)).toBeTruthy()
    const next = await Promise.all(pairs.map(({ refresh_token }) => refresh(app, refresh_token ?? '')))
    for (const { access_token } of next) expect(await works(access_token, app)).toBeTruthy()
  }, 90_000)

  test('an access token alone is taken back, and the rest goes on', async () => {
    const app = await registerApp(here)
    const { access, refreshToken } = await connect(app)
    await revoke(app, access)
    expect(await challengeOf(works(access, app))).toMatchObject(invalidToken)
    expect(await works((await refresh(app, refreshToken)).access_token, app)).toBeTruthy()
  }, 90_000)

  test('writing that was unticked stays out, and is told as a missing scope', async () => {
    const app = await registerApp(here)
    const { tokens, access } = await connect(app, { readOnly: true })
    expect(tokens.scope).toBe('read')
    expect(await works(access, app)).toBeTruthy()
    const path = new URL(`${here}/api/functions/markNotificationsRead`)
    const headers = new Headers({ 'content-type': 'application/json' })
    const body = JSON.stringify({ notification_ids: ['ntf_none'] })
    const refused = oauth.protectedResourceRequest(access, 'POST', path, headers, body, overHttp)
    expect(await challengeOf(refused)).toMatchObject({ status: 403, error: 'insufficient_scope' })
  }, 90_000)

  test('a program on the machine listens on any port', async () => {
    const app = await registerApp(here, 'none', 'http://127.0.0.1:33418/callback')
    const question = await questionOf(app, { redirect_uri: 'http://127.0.0.1:51234/callback' })
    const answer = await owner.decide(question.url)
    expect(answer.origin).toBe('http://127.0.0.1:51234')
    const moved = { ...app, redirectUri: 'http://127.0.0.1:51234/callback' }
    expect(await works((await exchange(moved, answer, question)).access_token, app)).toBeTruthy()
  }, 90_000)
})

/** The answer as if the other host had sent it: strict clients would not take it to the wrong server otherwise. */
function rehosted(answer: URL, issuer: string): URL {
  const changed = new URL(answer)
  changed.searchParams.set('iss', issuer)
  return changed
}
