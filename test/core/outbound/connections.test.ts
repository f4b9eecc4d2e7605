import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import type { Row } from '../../../core/contracts/entity'
import type { NewEvent } from '../../../core/contracts/event-type'
import type { ServiceAnswer, ServiceCall } from '../../../core/contracts/outbound'
import { readSettings } from '../../../core/contracts/settings'
import type { Connections, News } from '../../../core/contracts/upkeep'
import { where } from '../../../core/contracts/where'
import { createAskService } from '../../../core/outbound/ask-service'
import { Connection } from '../../../core/outbound/Connection'
import { createConnections, tokenSecretField } from '../../../core/outbound/connections'
import { createSecrets } from '../../../core/outbound/secrets'
import type { Documents } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { platformSettings, providers } from '../../support/platforms'
import { quietLog } from '../../support/quiet-log'
import { passTime, turns, waitFor } from '../../support/wait-for'

const id = 'con_1'
const secrets = createSecrets({ keys: [`k1:${randomBytes(32).toString('base64url')}`], folder: null })
let time: number
let documents: Documents
let news: News[]
let published: (NewEvent & { readonly name: string })[]
let asked: ServiceCall[]
let answer: () => Pick<ServiceAnswer, 'status' | 'json'>
const members: Connections[] = []
const row = async () => (await documents.collection(Connection).get(id)) as unknown as Row<typeof Connection>

beforeEach(async () => {
  time = Date.parse('2026-03-01T00:00:00.000Z')
  const clock = { now: () => new Date(time) }
  news = []
  published = []
  asked = []
  documents = await openSqlite({ path: ':memory:', now: clock.now, log: quietLog })
  await documents.ensure([Connection])
  const place = tokenSecretField({ id, workspace_id: 'wsp_1' }, 'refresh_token')
  await documents.collection(Connection).insert({
    id,
    workspace_id: 'wsp_1',
    created_date: clock.now().toISOString(),
    updated_date: clock.now().toISOString(),
    provider: 'google',
    account_id: 'accounts/1',
    state: 'connected',
    refresh_token: secrets.seal('1//refresh', place),
  })
  answer = () => ({ status: 200, json: { access_token: `ya29.${asked.length}`, expires_in: 3_599 } })
  members.length = 0
  for (let n = 0; n < 4; n++) {
    members.push(
      createConnections({
        documents,
        clock,
        secrets,
        ask: (request) => {
          asked.push(request)
          const ask = createAskService({
            now: clock.now,
            fetch: async () => {
              await passTime(5)
              const { status, json } = answer()
              return new Response(json === undefined ? '' : JSON.stringify(json), { status })
            },
          })
          return ask(request)
        },
        notify: async (item) => void news.push(item),
        publish: async ({ name }, event) => {
          published.push({ name, ...event })
        },
        providers,
        settings: readSettings(
          {
            GOOGLE_TOKEN_URL: 'https://token.example/token',
            GOOGLE_CLIENT_ID: 'client',
            GOOGLE_CLIENT_SECRET: 'very-secret',
          },
          platformSettings,
        ),
      }),
    )
  }
})
afterEach(() => documents.close())
const one = () => members[0] as Connections

describe('A connection', () => {
  test('gives its token until a minute before it ends, then a new one', async () => {
    expect(await one().token(id)).toBe('ya29.1')
    time += 3_538_000
    expect(await one().token(id)).toBe('ya29.1')
    time += 2_000
    expect(await one().token(id)).toBe('ya29.2')
    expect(asked[0]?.form).toMatchObject({ grant_type: 'refresh_token', refresh_token: '1//refresh' })
  })

  test('is renewed by one process when many need it at once', async () => {
    const tokens = await Promise.all(members.map((member) => member.token(id)))
    expect(new Set(tokens)).toEqual(new Set(['ya29.1']))
    expect(asked).toHaveLength(1)
  })

  test('is renewed when its token is refused before its time', async () => {
    await one().token(id)
    expect(await one().token(id, { renew: true })).toBe('ya29.2')
  })

  test('stores no token that can be read', async () => {
    await one().token(id)
    expect(JSON.stringify(await row())).not.toMatch(/ya29|refresh"|1\/\//)
  })

  test('that the service ended is broken, told to people once, and asks no more', async () => {
    const said = {
      error: 'invalid_grant',
      error_description: 'Token has been expired or revoked: 1//refresh',
    }
    answer = () => ({ status: 400, json: said })
    await expect(one().token(id)).rejects.toMatchObject({ kind: 'auth' })
    await expect(one().token(id)).rejects.toMatchObject({ kind: 'auth' })
    expect(asked).toHaveLength(1)
    expect(news).toHaveLength(1)
    expect(news[0]).toMatchObject({ type: 'connection_broken', severity: 'critical', workspace_id: 'wsp_1' })
    expect(published).toEqual([
      {
        name: 'connection.broken',
        workspace_id: 'wsp_1',
        key: expect.stringMatching(/^con_1 broken 20/),
        data: { connection_id: id, provider: 'google', account_id: 'accounts/1', state: 'broken' },
      },
    ])
    expect(JSON.stringify([news, published, await row()])).not.toContain('1//refresh')
    expect((await one().get(id))?.state).toBe('broken')
  })

  test('stays connected when the settings or the service are at fault', async () => {
    answer = () => ({ status: 401, json: { error: 'invalid_client' } })
    await expect(one().token(id)).rejects.toMatchObject({ kind: 'permission' })
    answer = () => ({ status: 503, json: undefined })
    await expect(one().token(id)).rejects.toMatchObject({ kind: 'transient' })
    expect([(await row()).state, news]).toEqual(['connected', []])
  })

  test('outlives a process that died while renewing it', async () => {
    const dead = { set: { renewal_until: new Date(time + 20_000).toISOString() } }
    await documents.collection(Connection).updateOne(where.eq('id', id), dead)
    const waiting = one().token(id)
    await turns(50)
    expect(asked).toEqual([])
    time += 20_001
    expect(await waiting).toBe('ya29.1')
  })

  test('that is connected anew while its old token is refused stays connected, with the new one', async () => {
    const place = tokenSecretField({ id, workspace_id: 'wsp_1' }, 'refresh_token')
    answer = () => {
      if (asked[0]?.form?.refresh_token === asked.at(-1)?.form?.refresh_token)
        return { status: 400, json: { error: 'invalid_grant' } }
      return { status: 200, json: { access_token: 'ya29.new', expires_in: 3_599 } }
    }
    const waiting = one().token(id)
    await waitFor(() => asked.length > 0, { what: 'the service to be asked', everyMs: 1 })
    const set = { refresh_token: secrets.seal('1//new', place), state: 'connected' } as const
    await documents.collection(Connection).updateOne(where.eq('id', id), { set, unset: ['renewal_until'] })
    expect(await waiting).toBe('ya29.new')
    expect([(await row()).state, news]).toEqual(['connected', []])
  })

  test('notes when it was last used, at most every five minutes', async () => {
    await one().token(id)
    const used = async () => (await row()).last_used_at
    const first = await used()
    time += 299_000
    await one().token(id)
    expect(await used()).toBe(first)
    time += 2_000
    await one().token(id)
    expect(await used()).toBe(new Date(time).toISOString())
  })
})
