import { afterAll, beforeAll, expect, test } from 'bun:test'
import mongoose from 'mongoose'
import { createRequests } from '../../../../core/auth/oauth/authorize'
import { createCodes } from '../../../../core/auth/oauth/grants/codes'
import { createGrants } from '../../../../core/auth/oauth/grants/grants'
import { createTokens, type Rotation } from '../../../../core/auth/oauth/grants/tokens'
import { openMongo } from '../../../../core/stores/documents/mongo'
import type { Documents } from '../../../../core/stores/documents/port'
import { type Gate, startGate } from '../../../support/harness'
import { describeStores, mongoUri } from '../../../support/mongo'
import { type App, callback, connectApp, localIssuer, type TokenBody } from '../../../support/oauth-app'
import { quietLog } from '../../../support/quiet-log'

const uri = mongoUri()
const stores = {
  SQLite: async () => undefined,
  MongoDB: () => openMongo({ uri: uri ?? '', now: () => new Date(), log: quietLog }),
}

describeStores<() => Promise<Documents | undefined>>(stores, 'many at once on %s', (name, open) => {
  let gate: Gate
  let app: App
  beforeAll(async () => {
    const documents = await open()
    gate = await startGate(documents ? { documents } : {})
    app = await connectApp(gate)
  }, 90_000)
  afterAll(async () => {
    await gate.stop()
    if (name === 'SQLite') return
    await gate.documents.close()
    const client = new mongoose.mongo.MongoClient(uri ?? '')
    await client.db().dropDatabase()
    await client.close()
  })

  const times = (count: number) => Array.from({ length: count })
  /** What two servers over one store do, each with its own memory. */
  const servers = () => [gate, { ...gate }]
  const grant = () =>
    createGrants(gate).begin({
      agency_id: gate.tenant.agencyId,
      user_id: app.user.id,
      host: localIssuer,
      client_id: 'app',
      client_name: 'App',
      is_verified: false,
      app_host: 'localhost',
      scopes: ['read', 'write'],
    })

  test('a code is taken by exactly one', async () => {
    const codes = servers().map((server) => createCodes(server))
    const about = {
      host: localIssuer,
      client_id: 'app',
      grant_id: 'g',
      redirect_uri: callback,
      code_challenge: 'c',
    }
    const text = (await codes[0]?.mint({ ...about, workspace_id: 'w' })) ?? ''
    const code = await codes[0]?.find(text)
    if (!code) throw new Error('the code is not there')
    const taken = await Promise.all(times(12).map((_, place) => codes[place % 2]?.take(code)))
    expect(taken.filter(Boolean).length).toBe(1)
  })

  test('a code redeemed many times at once has exactly one winner, whose grant is dead by then', async () => {
    const { code, verifier } = await app.consent()
    const answers = await Promise.all(times(8).map(() => app.exchange(code, verifier)))
    const bodies = await Promise.all(answers.map(async (answer) => (await answer.json()) as TokenBody))
    const won = bodies.filter(({ access_token }) => access_token)
    expect(won.length).toBe(1)
    expect(bodies.filter(({ error }) => error === 'invalid_grant').length).toBe(7)
    for (const { access_token } of won) expect(await app.status(access_token)).toBe(401)
  })

  test('a refresh token is rotated first by exactly one, then five times as a sibling, then no more', async () => {
    const tokens = servers().map((server) => createTokens({ ...server, accessMinutes: 60 }))
    const { refresh_token } = (await tokens[0]?.issue(await grant(), ['read'])) ?? { refresh_token: '' }
    const token = await tokens[0]?.find(refresh_token)
    if (!token) throw new Error('the token is not there')
    const rotations = await Promise.all(times(12).map((_, place) => tokens[place % 2]?.rotate(token)))
    const count = (kind: Rotation) => rotations.filter((one) => one === kind).length
    expect([count('first'), count('sibling'), count('spent'), count('reused')]).toEqual([1, 5, 6, 0])
  })

  test('a request is decided by exactly one', async () => {
    const requests = servers().map((server) => createRequests(server))
    const id = (await requests[0]?.keep({
      host: localIssuer,
      client_id: 'app',
      redirect_uri: callback,
      scopes: ['read'],
      code_challenge: 'c',
    })) as string
    const decided = await Promise.all(times(10).map((_, place) => requests[place % 2]?.decide(id)))
    expect(decided.filter(Boolean).length).toBe(1)
  })

  test('a grant ends once, whoever ends it, and every token with it', async () => {
    const { access_token, refresh_token } = await app.connect()
    const grants = servers().map((server) => createGrants(server))
    const [mine] = await createGrants(gate).connected(gate.tenant.agencyId)
    const ended = await Promise.all(
      times(6).map((_, place) => grants[place % 2]?.end(mine?.grant_id ?? '', 'disconnected')),
    )
    expect(ended.filter(Boolean).length).toBe(1)
    expect(await app.status(access_token)).toBe(401)
    expect((await app.refresh(refresh_token)).status).toBe(400)
  })

  test('the whole way works: connect, refresh, use, revoke', async () => {
    const first = await app.connect({ scope: 'read' })
    const second = (await (await app.refresh(first.refresh_token)).json()) as TokenBody
    expect([await app.status(first.access_token), await app.status(second.access_token)]).toEqual([200, 200])
    expect((await app.form('/oauth/revoke', { token: second.refresh_token })).status).toBe(200)
    expect([await app.status(first.access_token), await app.status(second.access_token)]).toEqual([401, 401])
  })
})
