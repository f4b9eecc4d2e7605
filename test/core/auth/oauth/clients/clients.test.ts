import { expect, test } from 'bun:test'
import { createClients } from '../../../../../core/auth/oauth/clients/clients'
import { OAuthClient } from '../../../../../core/auth/oauth/clients/OAuthClient'
import type { Host } from '../../../../../core/requests/host'
import { openSqlite } from '../../../../../core/stores/documents/sqlite'
import { part } from '../../../../support/part'
import { quietLog as log } from '../../../../support/quiet-log'

const host: Host = { origin: 'https://renown.example.com', kind: 'main', agency_id: null }
const callback = 'https://app.example.net/callback'
const dayMs = 24 * 60 * 60_000

test('an app is kept as long as its longest consent, and a shorter one takes nothing from it', async () => {
  const clock = { at: Date.parse('2026-11-22T12:00:00Z'), now: () => new Date(clock.at) }
  const documents = await openSqlite({ path: ':memory:', now: clock.now, log })
  await documents.ensure([OAuthClient])
  const clients = createClients({ documents, clock, appDocuments: part({}) })
  const app = { name: 'App', redirect_uris: [callback], auth_method: 'none' } as const
  const { client_id } = await clients.register(host, { ...app, redirect_uris: [...app.redirect_uris] })
  const isKnown = async () => (await clients.find(client_id, host, part({}))) !== null
  const after = (days: number) => new Date(Date.parse('2026-11-22T12:00:00Z') + days * dayMs)

  await clients.keep(client_id, after(100))
  await clients.keep(client_id, after(10))
  clock.at = after(100).getTime() - 1
  expect(await isKnown()).toBe(true)
  await clients.keep(client_id, after(101))
  clock.at = after(101).getTime() - 1
  expect(await isKnown()).toBe(true)
  clock.at = after(101).getTime()
  expect(await isKnown()).toBe(false)
  await documents.close()
})
