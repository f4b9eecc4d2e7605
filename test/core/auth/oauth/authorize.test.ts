import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createRequests } from '../../../../core/auth/oauth/authorize'
import { formPairsMax } from '../../../../core/contracts/bounded-form'
import { type Gate, startGate } from '../../../support/harness'
import {
  type App,
  authorizeQuery,
  callback,
  connectApp,
  localIssuer,
  pkcePair,
} from '../../../support/oauth-app'

let gate: Gate
let app: App
beforeAll(async () => {
  gate = await startGate()
  app = await connectApp(gate)
})
afterAll(() => gate.stop())

const locationOf = async (response: Response | Promise<Response>) => {
  const { status, headers } = await response
  const location = headers.get('location') ?? ''
  return { status, location, query: new URLSearchParams(location.split('?')[1]) }
}
/** The link of the page that a person is shown. Nothing leads them on by itself. */
const linkBack = async (response: Response | Promise<Response>) => {
  const answer = await response
  expect([answer.status, answer.headers.get('location'), answer.headers.get('refresh')]).toEqual([
    400,
    null,
    null,
  ])
  const html = await answer.text()
  expect(html).not.toMatch(/http-equiv="?refresh/i)
  const found = /href="([^"]+)"[^>]*>Go back to the app</.exec(html)?.[1] ?? ''
  const location = found.replaceAll('&amp;', '&')
  return { location, query: new URLSearchParams(location.split('?')[1]) }
}
const refused = async (fields: Record<string, string | null>) => {
  const { location, query } = await linkBack(app.authorize(fields).sent)
  expect(location.startsWith(`${callback}?`)).toBe(true)
  expect(query.getAll('iss')).toEqual([localIssuer])
  expect(query.get('state')).toBe('xyz')
  expect(query.get('code')).toBeNull()
  return query.get('error')
}

test('more parameters than a form may have are told on a page', async () => {
  const answer = await gate.ask(`/oauth/authorize?${'a&'.repeat(formPairsMax + 1)}`, { key: null })
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain(`The app sent more than ${formPairsMax} parameters.`)
})

describe('what an app asks for', () => {
  test('leads to the consent page, whose address holds nothing of it', async () => {
    const { status, location } = await locationOf(app.authorize().sent)
    expect(status).toBe(303)
    expect(location).toMatch(/^\/oauth\/consent\?request=oar_[0-9A-Z]{26}$/)
  })

  test('needs PKCE with S256, from every app', async () => {
    expect(await refused({ code_challenge: null })).toBe('invalid_request')
    expect(await refused({ code_challenge_method: 'plain' })).toBe('invalid_request')
    expect(await refused({ code_challenge_method: null })).toBe('invalid_request')
    expect(await refused({ code_challenge: 'short' })).toBe('invalid_request')
  })

  test('names this host as its resource, or none', async () => {
    expect(await refused({ resource: 'https://other.example/api/mcp' })).toBe('invalid_target')
    for (const resource of [
      `${localIssuer}/`,
      `${localIssuer}/api/mcp`,
      `${localIssuer}/api/mcp?toolsets=reviews`,
    ]) {
      expect((await locationOf(app.authorize({ resource }).sent)).location).toStartWith('/oauth/consent')
    }
  })

  test('that is refused leads nobody on who is not signed in: any app may register any address', async () => {
    const query = authorizeQuery({ client_id: app.client.client_id }, { resource: 'https://other.example' })
    const { status, location } = await locationOf(gate.ask(`/oauth/authorize?${query}`, { key: null }))
    expect([status, location]).toEqual([
      303,
      `/app/sign-in?next=${encodeURIComponent(`/oauth/authorize?${query}`)}`,
    ])
  })

  test('is a code in the query', async () => {
    expect(await refused({ response_type: 'token' })).toBe('unsupported_response_type')
    expect(await refused({ response_type: null })).toBe('invalid_request')
    expect(await refused({ response_mode: 'fragment' })).toBe('invalid_request')
  })

  test('may hold parameters that nobody knows, and each but resource once', async () => {
    const more = {
      prompt: 'consent',
      nonce: 'n',
      access_type: 'offline',
      scope: ' read  write offline_access odd',
    }
    expect((await locationOf(app.authorize(more).sent)).location).toStartWith('/oauth/consent')
    const query = authorizeQuery({ client_id: app.client.client_id, code_challenge: pkcePair().challenge })
    const ask = (text: string) => locationOf(app.open(`/oauth/authorize?${text}`))
    const twice = await linkBack(app.open(`/oauth/authorize?${query}&scope=read&scope=write`))
    expect([twice.query.get('error'), twice.query.get('iss')]).toEqual(['invalid_request', localIssuer])
    const resources = `${query}&resource=${localIssuer}&resource=${localIssuer}/api/mcp`
    expect((await ask(resources)).location).toStartWith('/oauth/consent')
    expect((await ask(`${query}&client_id=other`)).status).toBe(400)
    expect((await ask(`${query}&redirect_uri=https://evil.example`)).status).toBe(400)
  })
})

describe('a request that waits for a decision', () => {
  test('is open for ten minutes, at its host, until somebody decides', async () => {
    let at = Date.parse('2026-11-20T10:00:00.000Z')
    const began = at
    const clock = { now: () => new Date(at) }
    const requests = createRequests({ documents: gate.documents, clock })
    const host = { origin: localIssuer, kind: 'loopback', agency_id: null } as const
    const id = await requests.keep({
      host: host.origin,
      client_id: 'app',
      redirect_uri: callback,
      state: 'xyz',
      code_challenge: 'c'.repeat(43),
      scopes: ['read'],
    })
    expect(await requests.open(id, host)).toMatchObject({ id, client_id: 'app', is_decided: false })
    expect(await requests.open(id, { ...host, origin: 'https://other.example' })).toBeNull()
    expect(await requests.open('oar_nothing', host)).toBeNull()
    expect(await requests.open(`x${id}`, host)).toBeNull()
    at = began + 10 * 60_000 - 1
    expect(await requests.open(id, host)).not.toBeNull()
    at = began + 10 * 60_000
    expect(await requests.open(id, host)).toBeNull()
    at = began
    expect([await requests.decide(id), await requests.decide(id)]).toEqual([true, false])
    expect(await requests.open(id, host)).toBeNull()
    expect(await requests.decide('oar_nothing')).toBe(false)
  })
})

describe('the state', () => {
  const stateOf = (location: string) => /[?&]state=([^&]*)/.exec(location)?.[1]
  const echoed = async (escaped: string, fields: Record<string, string | null> = {}) => {
    const query = authorizeQuery(
      { client_id: app.client.client_id, code_challenge: pkcePair().challenge },
      { state: null, ...fields },
    )
    const sent = await app.open(`/oauth/authorize?${query}${escaped}`)
    if (fields.response_type) return stateOf((await linkBack(sent)).location)
    const location = sent.headers.get('location') ?? ''
    return stateOf((await app.decide(location)).headers.get('location') ?? '')
  }

  test('goes back byte for byte, with a code and with an error', async () => {
    for (const state of ['abc', 'a%2Fb%3D%26', 'a+b%20c', '%C3%A9', 'eyJ4IjoxfQ==', '~!*()', '']) {
      expect(await echoed(`&state=${state}`)).toBe(state)
      expect(await echoed(`&state=${state}`, { response_type: 'token' })).toBe(state)
    }
  })

  test('is absent where it was', async () => {
    expect(await echoed('')).toBeUndefined()
    expect(await echoed('', { response_type: 'token' })).toBeUndefined()
  })

  test('of more than 4,096 characters is refused and not echoed', async () => {
    const { query } = await linkBack(app.authorize({ state: 'x'.repeat(5_000) }).sent)
    expect([query.get('error'), query.get('state')]).toEqual(['invalid_request', null])
    const longest = await linkBack(app.authorize({ state: 'x'.repeat(4_096), response_type: 'token' }).sent)
    expect(longest.query.get('state')).toHaveLength(4_096)
    const sent = await locationOf(app.authorize({ state: 'x'.repeat(4_096) }).sent)
    expect(sent.location).toStartWith('/oauth/consent')
    expect((await linkBack(app.authorize({ state: 'x'.repeat(4_097) }).sent)).query.get('state')).toBeNull()
  })
})

describe('a person is told, and the app is not, where it is not sure who asks', () => {
  const told = async (fields: Record<string, string | null>) => {
    const answer = await app.authorize(fields).sent
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    return answer.text()
  }

  test('of an app that is not known, or not any more: what to do about it', async () => {
    for (const client_id of [null, 'nobody', `ocl_${'0'.repeat(26)}`, '<script>']) {
      const html = await told({ client_id })
      expect(html).not.toContain('<script>')
      if (client_id) expect(html).toContain('remove the connection and add it again')
    }
  })

  test('of an address that was not registered', async () => {
    for (const redirect_uri of [
      'https://evil.example/cb',
      'http://127.0.0.1:33418/other',
      'http://localhost:33418/callback',
      `${callback}#x`,
      'javascript:alert(1)',
    ]) {
      expect(await told({ redirect_uri })).toContain('has not registered')
    }
  })

  test('where the app may leave the address out: it has registered one alone', async () => {
    expect((await locationOf(app.authorize({ redirect_uri: null }).sent)).status).toBe(303)
    const two = await connectApp(gate, { metadata: { redirect_uris: [callback, 'https://a.example/cb'] } })
    expect((await two.authorize({ redirect_uri: null }).sent).status).toBe(400)
  })

  test('any port of the loopback is the same address', async () => {
    const { location } = await app.consent({ redirect_uri: 'http://127.0.0.1:61234/callback' })
    expect(location).toStartWith('http://127.0.0.1:61234/callback?')
  })
})

test('more than 100 times in 15 minutes from one address waits', async () => {
  const limited = await startGate({ settings: { LIMIT_AUTHORIZATIONS_PER_15_MINUTES: '3' } })
  const ask = async () => (await limited.ask('/oauth/authorize?client_id=x', { key: null })).status
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual([400, 400, 400, 429])
  limited.clock.advance(15 * 60_000)
  expect(await ask()).toBe(400)
  await limited.stop()
})
