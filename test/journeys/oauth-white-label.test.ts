import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as oauth from 'oauth4webapi'
import { type DnsRecords, startDnsServer } from '../support/dns-server'
import { type SignedInPerson, signIn, signInAt } from '../support/person'
import { type RunningProduct, startProduct } from '../support/product'
import {
  type App,
  callWith,
  challengeOf,
  errorOf,
  exchange,
  overHttp,
  questionOf,
  refresh,
  registerApp,
} from '../support/strict-app'

const domain = 'reports.agency.example'
const there = `https://${domain}`

describe('a white-label domain', () => {
  let dns: Awaited<ReturnType<typeof startDnsServer>>
  let product: RunningProduct
  let here: string
  let ownerHere: SignedInPerson
  let ownerThere: SignedInPerson
  const records: DnsRecords = {}
  /** As a proxy with TLS in front would: the name goes along, the connection is the product's own. */
  const proxied = (url: string, init: RequestInit) =>
    fetch(url.replace(there, here), {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init.headers)), host: domain },
    })
  const way = { [oauth.customFetch]: proxied }

  beforeAll(async () => {
    dns = await startDnsServer(records)
    product = await startProduct({
      env: { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9', DNS_SERVERS: dns.server },
    })
    here = product.facts.api_url
    ownerHere = await signIn(product)
    const added = JSON.parse((await product.renown('domain', 'add', domain, '--json')).stdout)
    records[added.record_name] = { TXT: [added.record_value] }
    const verified = await product.renown('domain', 'verify', domain, '--json')
    expect(JSON.parse(verified.stdout).state).toBe('verified')
    ownerThere = await signInAt(there, (request) => fetch(request.url.replace(there, here), request))
  }, 90_000)
  afterAll(async () => {
    dns?.stop()
    await product?.[Symbol.asyncDispose]()
  })

  const registerThere = () => registerApp(there, 'none', 'https://app.example/callback', way)
  async function connect(app: App, owner: SignedInPerson) {
    const question = await questionOf(app)
    const answer = await owner.decide(question.url)
    const { access_token, refresh_token = '' } = await exchange(app, answer, question)
    return { answer, question, access: access_token, refreshToken: refresh_token }
  }
  const works = async (token: string, { resource, way }: App) =>
    (await callWith(token, resource, 'whoami', {}, way)).result.structuredContent?.workspace

  test('is an authorization server of its own, the whole way through', async () => {
    const app = await registerThere()
    expect(app.as.issuer).toBe(there)
    expect(new URL(app.as.token_endpoint ?? '').origin).toBe(there)
    const { answer, access, refreshToken } = await connect(app, ownerThere)
    expect(answer.searchParams.get('iss')).toBe(there)
    expect(await works(access, app)).toMatchObject({ id: product.facts.workspace_id })
    expect(await works((await refresh(app, refreshToken)).access_token, app)).toBeTruthy()
  }, 90_000)

  test('takes no token of the main host, and gives none that works there: each 401 names its own metadata', async () => {
    const main = await registerApp(here)
    const label = await registerThere()
    const ofMain = await connect(main, ownerHere)
    const ofLabel = await connect(label, ownerThere)
    for (const [token, app, origin] of [
      [ofLabel.access, main, here],
      [ofMain.access, label, there],
    ] as const) {
      expect(await challengeOf(works(token, app))).toMatchObject({
        status: 401,
        error: 'invalid_token',
        resource_metadata: `${origin}/.well-known/oauth-protected-resource/api/mcp`,
      })
    }
    expect(
      await errorOf(
        refresh({ ...label, as: main.as, way: overHttp, resource: main.resource }, ofLabel.refreshToken),
      ),
    ).toBe('invalid_client')
    expect(await errorOf(refresh(main, ofLabel.refreshToken))).toBe('invalid_grant')
    expect(await errorOf(refresh(label, ofMain.refreshToken))).toBe('invalid_grant')
    for (const [token, app] of [
      [ofMain.access, main],
      [ofLabel.access, label],
    ] as const) {
      expect(await works(token, app)).toBeTruthy()
    }
  }, 90_000)

  test('that is removed ends what was given there, at once, and the agency goes on elsewhere', async () => {
    const main = await registerApp(here)
    const label = await registerThere()
    const ofMain = await connect(main, ownerHere)
    const ofLabel = await connect(label, ownerThere)
    expect((await product.renown('domain', 'remove', domain, '--json')).code).toBe(0)
    const refused = await proxied(`${there}/api/mcp`, {
      headers: { authorization: `Bearer ${ofLabel.access}` },
    })
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      403,
      'host_not_served',
    ])
    expect(await challengeOf(works(ofLabel.access, main))).toMatchObject({ status: 401 })
    expect(await works(ofMain.access, main)).toBeTruthy()
  }, 90_000)
})
