import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { authorizationServer } from '../../../../core/auth/oauth/metadata'
import { type Gate, startGate } from '../../../support/harness'
import { callback, localIssuer, postForm } from '../../../support/oauth-app'

const metadata = authorizationServer({ origin: localIssuer })
const methods = metadata.token_endpoint_auth_methods_supported
type Method = (typeof methods)[number]
interface Credentials {
  readonly client_id: string
  readonly client_secret: string
}

/** Endpoints at which an app authenticates, by the metadata, with the status of a request that is authenticated. */
const endpoints = Object.keys(metadata)
  .filter((field) => field.endsWith('_endpoint_auth_methods_supported'))
  .map((field) => field.replace('_auth_methods_supported', ''))
const pathOf = (endpoint: string) => new URL(String(metadata[endpoint as keyof typeof metadata])).pathname

let gate: Gate
const apps = new Map<Method, Credentials>()
beforeAll(async () => {
  gate = await startGate({})
  for (const token_endpoint_auth_method of methods) {
    const body = { redirect_uris: [callback], token_endpoint_auth_method }
    const headers = { host: new URL(localIssuer).host }
    const answer = await gate.ask('/oauth/register', { method: 'POST', key: null, headers, body })
    // A public app has no secret of its own, so it tries with any.
    const { client_id, client_secret = 'any' } = (await answer.json()) as Partial<Credentials>
    apps.set(token_endpoint_auth_method, { client_id: client_id ?? '', client_secret })
  }
})
afterAll(() => gate.stop())

interface Sent {
  readonly form?: Record<string, string>
  readonly authorization?: string
  readonly query?: string
}
const basic = ({ client_id, client_secret }: Credentials) => `Basic ${btoa(`${client_id}:${client_secret}`)}`
const assertion = {
  client_assertion: 'a.b.c',
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
}
const refused = '401 invalid_client'
const challenged = '401 invalid_client Basic realm="renown"'
const twice = '400 invalid_request'

/** Each way to authenticate, the method whose apps may use it, and how it is refused to the others. */
const ways: readonly (readonly [string, Method | null, string, (app: Credentials) => Sent])[] = [
  ['its id alone', 'none', refused, ({ client_id }) => ({ form: { client_id } })],
  ['its secret in the form', 'client_secret_post', refused, (app) => ({ form: { ...app } })],
  ['its secret in the header', 'client_secret_basic', challenged, (app) => ({ authorization: basic(app) })],
  [
    'its id in the form and its secret in the header',
    'client_secret_basic',
    challenged,
    (app) => ({ form: { client_id: app.client_id }, authorization: basic(app) }),
  ],
  ['its secret in both places', null, twice, (app) => ({ form: { ...app }, authorization: basic(app) })],
  [
    'an empty secret in the header',
    null,
    challenged,
    ({ client_id }) => ({ authorization: basic({ client_id, client_secret: '' }) }),
  ],
  [
    'its secret in the form and a header that cannot be read',
    null,
    twice,
    (app) => ({ form: { ...app }, authorization: 'Basic %' }),
  ],
  [
    'its id in the form and a header that cannot be read',
    null,
    challenged,
    ({ client_id }) => ({ form: { client_id }, authorization: 'Basic %' }),
  ],
  ['a signed assertion', null, refused, ({ client_id }) => ({ form: { client_id, ...assertion } })],
  ['a signed assertion and its secret', null, twice, (app) => ({ form: { ...app, ...assertion } })],
  [
    'its secret in the address',
    null,
    twice,
    ({ client_id, client_secret }) => ({
      form: { client_id },
      query: new URLSearchParams({ client_secret }).toString(),
    }),
  ],
]
const grant = { grant_type: 'refresh_token', refresh_token: 'x', token: 'x' }

async function answerTo(path: string, { form = {}, authorization, query }: Sent): Promise<string> {
  const headers = { host: new URL(localIssuer).host, ...(authorization ? { authorization } : {}) }
  const answer = await postForm(gate, query ? `${path}?${query}` : path, headers, { ...grant, ...form })
  const { error = '' } = (await answer.json().catch(() => ({}))) as { error?: string }
  return `${answer.status} ${error} ${answer.headers.get('www-authenticate') ?? ''}`.trim()
}

test('the metadata names the endpoints for tokens and revocation, with the same methods', () => {
  expect(endpoints).toEqual(['token_endpoint', 'revocation_endpoint'])
  expect(metadata.revocation_endpoint_auth_methods_supported).toEqual(methods)
})

describe.each(endpoints)('the %s', (endpoint) => {
  const accepted = endpoint === 'token_endpoint' ? '400 invalid_grant' : '200'
  test.each(ways)(
    'accepts %s from apps that registered for it, and from no other',
    async (_, own, not, sent) => {
      for (const [method, app] of apps) {
        const { client_id, client_secret } = app
        const answer = await answerTo(pathOf(endpoint), sent({ client_id, client_secret }))
        expect([method, answer]).toEqual([method, method === own ? accepted : not])
      }
    },
  )
})
