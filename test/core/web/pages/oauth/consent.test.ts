import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { OAuthGrant } from '../../../../../core/auth/oauth/grants/OAuthGrant'
import { where } from '../../../../../core/contracts/where'
import { type Gate, startGate } from '../../../../support/harness'
import { type App, callback, connectApp, localIssuer } from '../../../../support/oauth-app'

let gate: Gate
let app: App
beforeAll(async () => {
  gate = await startGate()
  app = await connectApp(gate)
})
afterAll(() => gate.stop())

const pathOf = async (by: App, fields: Record<string, string | null> = {}) =>
  (await by.authorize(fields).sent).headers.get('location') ?? ''
const queryOf = (response: Response) =>
  new URLSearchParams((response.headers.get('location') ?? '').split('?')[1])
const post = (path: string, fields: Record<string, string>, headers: Record<string, string>) =>
  gate.ask('/oauth/consent', {
    method: 'POST',
    key: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: localIssuer, ...headers },
    body: new URLSearchParams({ request: path.split('=')[1] ?? '', ...fields }).toString(),
  })
const csrfIn = (html: string) => /name="csrf" value="([^"]*)"/.exec(html)?.[1] ?? ''

describe('the consent page', () => {
  test('asks who is not signed in to do so first, and is what they come back to', async () => {
    const path = await pathOf(app)
    const answer = await gate.ask(path, { key: null })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(`/app/sign-in?next=${encodeURIComponent(path)}`)
    expect((await app.open(path)).status).toBe(200)
  })

  test('shows the name as the app gave it, where answers go, and that nobody has checked it', async () => {
    const named = await connectApp(gate, {
      metadata: { client_name: 'Claude <b>"1"</b>', redirect_uris: ['https://evil.example/cb'] },
    })
    const html = await (
      await named.open(await pathOf(named, { redirect_uri: 'https://evil.example/cb' }))
    ).text()
    expect(html).toContain('Claude &lt;b>&quot;1&quot;&lt;/b>')
    expect(html).not.toContain('<b>"1"')
    expect(html).toContain('<strong>evil.example</strong>')
    expect(html).toContain('Nobody has checked this name')
    expect(html).toContain('localhost:3000')
  })

  test('warns where the answer goes to a program on the machine, or to an app scheme', async () => {
    expect(await (await app.open(await pathOf(app))).text()).toContain('A program on your own computer')
    const cursor = 'cursor://anysphere.cursor-mcp/oauth/callback'
    const other = await connectApp(gate, { metadata: { redirect_uris: [cursor] } })
    const html = await (await other.open(await pathOf(other, { redirect_uri: cursor }))).text()
    expect(html).toContain('An app on your own device')
    expect(html).toContain('<strong>cursor:</strong>')
  })

  test('cannot be framed or stored, and its policy lets the answer go on to any app', async () => {
    const { headers } = await app.open(await pathOf(app))
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('form-action')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toMatch(/^(?:same-origin|no-referrer)$/)
  })

  test('is shown every time: nobody is let through because they were before', async () => {
    await app.connect()
    const path = await pathOf(app, { prompt: 'none' })
    expect(path).toStartWith('/oauth/consent')
    expect(await (await app.open(path)).text()).toContain('Do not allow')
  })
})

describe('a yes', () => {
  test('sends the person back by 303 with a code, the state and the issuer once, and nothing else', async () => {
    const answer = await app.decide(await pathOf(app))
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toStartWith(`${callback}?code=rnw_ac_`)
    expect([...queryOf(answer).keys()]).toEqual(['code', 'iss', 'state'])
    expect(queryOf(answer).get('iss')).toBe(localIssuer)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('counts once', async () => {
    const path = await pathOf(app)
    const html = await (await app.open(path)).text()
    const say = () =>
      post(path, { csrf: csrfIn(html), decision: 'allow', all: 'yes' }, { cookie: app.cookie })
    const answers = await Promise.all(Array.from({ length: 6 }, say))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400, 400, 400])
    expect((await app.open(path)).status).toBe(400)
  })

  test('comes within ten minutes, or the app must ask again', async () => {
    const path = await pathOf(app)
    gate.clock.advance(10 * 60_000 + 1)
    const late = await app.open(path)
    expect(late.status).toBe(400)
    expect(await late.text()).toContain('connect it again')
  })

  test('is refused without the token of the session, from another page, or without a session', async () => {
    const path = await pathOf(app)
    const csrf = csrfIn(await (await app.open(path)).text())
    const fields = { csrf, decision: 'allow', all: 'yes' }
    const { cookie } = app
    const stranger = await connectApp(gate, { tenant: gate.stranger })
    const refusals = [
      await post(path, { ...fields, csrf: 'x' }, { cookie }),
      await post(path, { decision: 'allow' }, { cookie }),
      await post(path, fields, { cookie, origin: 'https://evil.example' }),
      await post(path, fields, { cookie, 'sec-fetch-site': 'cross-site' }),
      await post(path, fields, { cookie: stranger.cookie }),
    ]
    for (const { status, headers } of refusals) expect([status, headers.get('location')]).toEqual([403, null])
    expect((await post(path, fields, {})).headers.get('location')).toStartWith('/app/sign-in')
    expect((await post(path, fields, { cookie })).status).toBe(303)
  })

  test('gives no more than was asked for, whatever the form says', async () => {
    const path = await pathOf(app, { scope: 'read' })
    const html = await (await app.open(path)).text()
    expect(html).not.toContain('name="write"')
    const forged = { csrf: csrfIn(html), decision: 'allow', all: 'yes', write: 'yes' }
    expect((await post(path, forged, { cookie: app.cookie })).status).toBe(303)
    const grants = await gate.documents
      .collection(OAuthGrant)
      .find({ where: where.eq('user_id', app.user.id) })
    expect(grants[0]?.scopes).toEqual(['read'])
  })

  test('may leave writing out', async () => {
    const { scope, access_token } = await app.connect({ scope: 'read write' }, { write: false })
    expect(scope).toBe('read')
    expect(await app.status(access_token)).toBe(200)
  })

  test("may name workspaces, of one's own agency alone, and at least one", async () => {
    const { workspaceId, otherWorkspaceId } = gate.tenant
    const path = await pathOf(app)
    const none = await app.decide(path, { workspaces: [] })
    expect(none.status).toBe(422)
    expect(await none.text()).toContain('Choose at least one workspace')
    const html = await (await app.open(path)).text()
    const both = { csrf: csrfIn(html), decision: 'allow', all: 'yes', workspace: otherWorkspaceId }
    const unsure = await post(path, both, { cookie: app.cookie })
    expect(unsure.status).toBe(422)
    expect(await unsure.text()).toContain('Untick it')
    const foreign = await app.decide(path, { workspaces: [gate.stranger.workspaceId] })
    expect(foreign.status).toBe(422)
    const answer = await app.decide(path, { workspaces: [otherWorkspaceId, gate.stranger.workspaceId] })
    expect(answer.status).toBe(303)
    const [grant] = await gate.documents
      .collection(OAuthGrant)
      .find({ where: where.eq('user_id', app.user.id) })
    expect(grant?.workspace_ids).toEqual([otherWorkspaceId])
    expect(grant?.workspace_ids).not.toContain(workspaceId)
  })
})

describe('a no', () => {
  test('sends the person back with access_denied, the state and the issuer, and counts once', async () => {
    const path = await pathOf(app)
    const answer = await app.decide(path, 'deny')
    expect(answer.status).toBe(303)
    const query = queryOf(answer)
    expect([query.get('error'), query.get('iss'), query.get('state')]).toEqual([
      'access_denied',
      localIssuer,
      'xyz',
    ])
    expect((await app.open(path)).status).toBe(400)
  })
})
