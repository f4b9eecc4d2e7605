import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createCodes } from '../../../../core/auth/oauth/grants/codes'
import { createGrants, grantRetentionMs, idleMs } from '../../../../core/auth/oauth/grants/grants'
import { OAuthCode } from '../../../../core/auth/oauth/grants/OAuthCode'
import { OAuthGrant } from '../../../../core/auth/oauth/grants/OAuthGrant'
import { OAuthToken } from '../../../../core/auth/oauth/grants/OAuthToken'
import { createTokens } from '../../../../core/auth/oauth/grants/tokens'
import type { Documents } from '../../../../core/stores/documents/port'
import { openSqlite } from '../../../../core/stores/documents/sqlite/index'
import { quietLog as log } from '../../../support/quiet-log'
import { turns, waitFor } from '../../../support/wait-for'

const minute = 60_000
const day = 24 * 60 * minute
const start = Date.parse('2026-11-20T10:00:00.000Z')
let at = start
const clock = { now: () => new Date(at) }
const stamp = (ms: number) => new Date(start + ms).toISOString()
let documents: Documents
beforeAll(async () => {
  documents = await openSqlite({ path: ':memory:', now: clock.now, log })
  await documents.ensure([OAuthCode, OAuthGrant, OAuthToken])
})
afterAll(() => documents.close())

const consent = {
  agency_id: 'agn_1',
  user_id: 'usr_1',
  host: 'https://app.example',
  client_id: 'client',
  client_name: 'App',
  is_verified: false,
  app_host: 'app.example',
  scopes: ['read', 'write'] as ('read' | 'write')[],
}
const here = { origin: consent.host, kind: 'main', agency_id: null } as const

describe('a code', () => {
  test('can be exchanged for a minute, and is kept for a day so that a second use is noticed', async () => {
    at = start
    const codes = createCodes({ documents, clock })
    const about = {
      host: consent.host,
      client_id: 'client',
      grant_id: 'grt_1',
      redirect_uri: 'https://a.example/',
      code_challenge: 'c'.repeat(43),
      workspace_id: 'agn_1',
    }
    const text = await codes.mint(about)
    const code = await codes.find(text)
    expect(code).toMatchObject({
      ...about,
      valid_until: stamp(minute),
      expires_at: stamp(day),
      is_used: false,
    })
    expect(await codes.find(`${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`)).toBeNull()
    if (!code) throw new Error('no code')
    expect([await codes.take(code), await codes.take(code)]).toEqual([true, false])
    expect(await codes.find(text)).toMatchObject({ is_used: true })
  })
})

describe('a grant', () => {
  const grants = () => createGrants({ documents, clock })

  test('waits a day for its app, then lives 60 days, each renewal 60 more, and 180 in all', async () => {
    at = start
    const { begin, connect, renew, live } = grants()
    const { id, ...begun } = await begin(consent)
    expect(begun).toMatchObject({ workspace_id: 'agn_1', is_revoked: false, expires_at: stamp(day) })
    at = start + day
    expect(await live(id)).toBeNull()
    at = start + day - 1
    expect(await live(id)).toMatchObject({ id })
    at = start
    const connected = await connect(id)
    if (!connected) throw new Error('no grant')
    expect(connected).toMatchObject({ connected_at: stamp(0), expires_at: stamp(60 * day) })
    expect([idleMs, grantRetentionMs]).toEqual([60 * day, 187 * day])
    at = start + 50 * day
    expect(await renew(connected)).toMatchObject({
      expires_at: stamp(110 * day),
      last_used_at: stamp(50 * day),
    })
    at = start + 130 * day
    expect(await renew(connected)).toMatchObject({ expires_at: stamp(180 * day) })
    expect(await renew({ ...connected, connected_at: stamp(10 * day) })).toMatchObject({
      expires_at: stamp(190 * day),
    })
  })

  test('is stamped as used once in five minutes', async () => {
    at = start
    const { begin, connect, touch } = grants()
    const { id } = await begin(consent)
    await connect(id)
    const read = async () => {
      const row = await documents.collection(OAuthGrant).get(id)
      if (!row) throw new Error('no grant')
      return row as Parameters<typeof touch>[0]
    }
    const usedAt = async () => {
      touch(await read())
      await turns(20)
      return (await read()).last_used_at
    }
    expect(await usedAt()).toBe(stamp(0))
    at = start + 5 * minute - 1
    expect(await usedAt()).toBe(stamp(0))
    at = start + 5 * minute
    expect(await usedAt()).toBe(stamp(5 * minute))
  })

  test('works at its host, and on a domain of an agency for this agency alone', async () => {
    at = start
    const { begin, liveAt } = grants()
    const { id } = await begin(consent)
    expect(await liveAt(id, here)).toMatchObject({ id })
    expect(await liveAt(id, { ...here, origin: 'https://other.example' })).toBeNull()
    expect(await liveAt(id, { ...here, kind: 'white_label', agency_id: 'agn_1' })).toMatchObject({ id })
    expect(await liveAt(id, { ...here, kind: 'white_label', agency_id: 'agn_2' })).toBeNull()
    expect(await liveAt('grt_nobody', here)).toBeNull()
  })

  test('ends once, with its reason, and is then neither renewed nor shown', async () => {
    at = start
    const { begin, connect, connected, allowedBy, end, live, renew } = grants()
    const own = { ...consent, agency_id: 'agn_end', user_id: 'usr_end' }
    const waiting = await begin(own)
    const { id } = await begin({ ...own, workspace_ids: ['wsp_1'] })
    const grant = await connect(id)
    expect(await connected('agn_end')).toEqual([
      {
        grant_id: id,
        name: 'App',
        is_verified: false,
        app_host: 'app.example',
        host: consent.host,
        scopes: ['read', 'write'],
        workspace_ids: ['wsp_1'],
        connected_at: stamp(0),
        last_used_at: null,
      },
    ])
    expect((await allowedBy('usr_end', 'agn_end')).map((one) => one.id).sort()).toEqual(
      [id, waiting.id].sort(),
    )
    expect(await allowedBy('usr_other', 'agn_end')).toEqual([])
    expect(await allowedBy('usr_end', 'agn_other')).toEqual([])
    at = start + 60 * day
    expect(await connected('agn_end')).toEqual([])
    at = start + minute
    expect(await end(id, 'revoked_by_app')).toMatchObject({
      is_revoked: true,
      revoked_at: stamp(minute),
      revoked_reason: 'revoked_by_app',
    })
    expect(await end(id, 'domain_removed')).toBeNull()
    expect(await live(id)).toBeNull()
    if (!grant) throw new Error('no grant')
    expect(await renew(grant)).toBeNull()
    expect(await connected('agn_end')).toEqual([])
    expect((await allowedBy('usr_end', 'agn_end')).map((one) => one.id)).toEqual([waiting.id])
  })
})

describe('a token', () => {
  test('lives as long as settings say, never longer than its grant, and is one of its kind', async () => {
    at = start
    const tokens = createTokens({ documents, clock, accessMinutes: 480 })
    const { begin, connect } = createGrants({ documents, clock })
    const grant = await connect((await begin(consent)).id)
    if (!grant) throw new Error('no grant')
    const pair = await tokens.issue(grant, ['read'])
    expect(pair).toEqual({
      access_token: expect.stringMatching(/^rnw_at_/),
      token_type: 'Bearer',
      expires_in: 480 * 60,
      refresh_token: expect.stringMatching(/^rnw_rt_/),
      scope: 'read',
    })
    const access = await tokens.access(pair.access_token)
    expect(access).toMatchObject({
      kind: 'access',
      workspace_id: 'agn_1',
      grant_id: grant.id,
      agency_id: 'agn_1',
      user_id: 'usr_1',
      scopes: ['read'],
      expires_at: stamp(480 * minute),
    })
    expect(Object.keys(access ?? {})).not.toContain('siblings')
    expect(await tokens.access(pair.refresh_token)).toBeNull()
    expect(await tokens.find(pair.access_token)).toMatchObject({ kind: 'access' })
    expect(await tokens.find(pair.refresh_token)).toMatchObject({
      kind: 'refresh',
      scopes: ['read', 'write'],
      is_rotated: false,
      siblings: 0,
      expires_at: stamp(60 * day),
    })
    at = start + 480 * minute - 1
    expect(await tokens.access(pair.access_token)).not.toBeNull()
    at = start + 480 * minute
    expect(await tokens.access(pair.access_token)).toBeNull()
    at = start
    const short = await tokens.issue({ ...grant, expires_at: stamp(90_500) }, ['read'])
    expect(short.expires_in).toBe(90)
    expect(await tokens.find(short.refresh_token)).toMatchObject({ expires_at: stamp(90_500) })
    if (access) await tokens.remove(access)
    expect(await tokens.access(pair.access_token)).toBeNull()
  })

  test('is exchanged once, five times more within half an hour, and after it only by a thief', async () => {
    at = start
    const tokens = createTokens({ documents, clock, accessMinutes: 480 })
    const { begin } = createGrants({ documents, clock })
    const { refresh_token } = await tokens.issue(await begin(consent), ['read'])
    const token = await tokens.find(refresh_token)
    if (!token) throw new Error('no token')
    expect(await tokens.rotate(token)).toBe('first')
    for (let pair = 0; pair < 5; pair++) {
      at = start + pair * 7 * minute + 2 * minute
      expect([pair, await tokens.rotate(token)]).toEqual([pair, 'sibling'])
    }
    at = start + 30 * minute
    expect(await tokens.rotate(token)).toBe('spent')
    at = start + 30 * minute + 1
    expect(await tokens.rotate(token)).toBe('reused')
  })
})

test('uses of a grant at the same time are one write', async () => {
  let writes = 0
  const collection = ((entity: never) => {
    const sound = documents.collection(entity) as { updateOne: (...given: unknown[]) => unknown }
    const updateOne = (...given: unknown[]) => {
      writes++
      return sound.updateOne(...given)
    }
    return { ...sound, updateOne }
  }) as unknown as Documents['collection']
  const grants = createGrants({ clock, documents: { ...documents, collection } })
  const grant = await grants.begin(consent)
  for (let n = 0; n < 5; n++) grants.touch(grant)
  expect(writes).toBe(1)
  await waitFor(async () => (await grants.live(grant.id))?.last_used_at, { what: 'the use to be noted' })
  await turns(5)
  grants.touch(grant)
  expect(writes).toBe(2)
})
