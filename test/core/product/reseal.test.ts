import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { createSecrets } from '../../../core/outbound/secrets'
import { reseal } from '../../../core/product/reseal'
import { openMongo } from '../../../core/stores/documents/mongo'
import type { Documents } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { describeStores, mongoUri } from '../../support/mongo'
import { quietLog as log } from '../../support/quiet-log'
import { shippedRegistry } from '../../support/shipped'

const now = () => new Date('2026-11-29T10:00:00Z')
const clock = { now }
const key = (id: string) => `${id}:${randomBytes(32).toString('base64url')}`
const old = key('k1')
const fresh = key('k2')
const lost = key('k3')
const stamp = '2026-01-01T00:00:00.000Z'
const registry = shippedRegistry()
const places = [...registry.entities.values()].flatMap((entity) =>
  ((entity.sealed ?? []) as readonly string[]).map((field) => ({ entity, field })),
)

test('every record type with secrets says where they are', () => {
  expect(places.map(({ entity, field }) => `${entity.name}.${field}`).sort()).toEqual([
    'Connection.access_token',
    'Connection.refresh_token',
    'EventSubscription.former_secret',
    'EventSubscription.secret',
    'InboundAddress.secret',
    'PostChannel.secret',
    'ServiceConsent.user_token',
    'ServiceConsent.verifier',
    'User.totp_secret',
    'Webhook.former_secret',
    'Webhook.secret',
  ])
})

const stores = {
  SQLite: () => openSqlite({ path: ':memory:', now, log }),
  MongoDB: () => openMongo({ uri: mongoUri() ?? 'mongodb://127.0.0.1:9/none', now, log }),
}

describeStores<() => Promise<Documents> | Documents>(stores, 'secrets in %s', (_, open) => {
  test('are sealed again under the newest key, and then need no other', async () => {
    const documents = await open()
    try {
      const before = createSecrets({ keys: [old], folder: null })
      const away = createSecrets({ keys: [lost], folder: null })
      for (const [n, { entity, field }] of places.entries()) {
        await documents.ensure([entity])
        const rows = documents.collection(entity)
        for (const [id, secrets] of [
          [`a${n}`, before],
          [`b${n}`, away],
        ] as const) {
          const place = { entity: entity.name, workspace_id: `wsp_${id}`, id, field }
          const text = secrets.seal(`secret of ${id}`, place)
          await rows.insert({
            id,
            workspace_id: place.workspace_id,
            token_hash: id,
            created_date: stamp,
            updated_date: stamp,
            [field]: text,
          })
        }
        await rows.insert({
          id: `c${n}`,
          token_hash: `c${n}`,
          workspace_id: `wsp_c${n}`,
          created_date: stamp,
          updated_date: stamp,
        })
      }
      const both = createSecrets({ keys: [fresh, old], folder: null })
      const told = await reseal({ registry, documents, secrets: both, clock })
      expect(told).toHaveLength(places.length)
      for (const [n, one] of told.entries())
        expect(one).toMatchObject({ resealed: 1, current: 0, unreadable: [`b${n}`] })

      const only = createSecrets({ keys: [fresh], folder: null })
      for (const [n, { entity, field }] of places.entries()) {
        const id = `a${n}`
        const row = await documents.collection(entity).get(id)
        const place = { entity: entity.name, workspace_id: `wsp_${id}`, id, field }
        expect(only.open(String(row?.[field]), place)).toBe(`secret of ${id}`)
        expect(row?.updated_date).toBe(now().toISOString())
      }
      const again = await reseal({ registry, documents, secrets: both, clock })
      for (const one of again) expect(one).toMatchObject({ resealed: 0, current: 1 })
    } finally {
      await documents.close()
    }
  })
})

test('a secret that was replaced in the meantime stays, and no row is left out of a long list', async () => {
  const documents = await stores.SQLite()
  const entity = registry.entities.get('Webhook')
  if (!entity) throw new Error('no webhooks')
  await documents.ensure([entity])
  const rows = documents.collection(entity)
  const before = createSecrets({ keys: [old], folder: null })
  const both = createSecrets({ keys: [fresh, old], folder: null })
  const placeOf = (id: string) => ({ entity: 'Webhook', workspace_id: 'wsp_1', id, field: 'secret' })
  const ids = Array.from({ length: 450 }, (_, n) => `whk_${String(n).padStart(4, '0')}`)
  const all = ids.map((id) => ({
    id,
    workspace_id: 'wsp_1',
    created_date: stamp,
    updated_date: stamp,
    secret: before.seal(id, placeOf(id)),
  }))
  await rows.insertMany(all)
  let replaced = ''
  const busy = {
    ...both,
    seal: (text: string, place: ReturnType<typeof placeOf>) => {
      const sealed = both.seal(text, place)
      if (replaced === '') {
        replaced = both.seal('replaced', place)
        void rows.updateOne({ op: 'eq', field: 'id', value: place.id }, { set: { secret: replaced } })
      }
      return sealed
    },
  }
  const [, told] = (
    await reseal({ registry: { entities: new Map([['Webhook', entity]]) }, documents, secrets: busy, clock })
  ).reverse()
  expect(told).toMatchObject({ record_type: 'Webhook', field: 'secret', resealed: 449 })
  const first = await rows.get(ids[0] ?? '')
  expect(both.open(String(first?.secret), placeOf(ids[0] ?? ''))).toBe('replaced')
  await documents.close()
})
