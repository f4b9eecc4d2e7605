import { describe, expect, test } from 'bun:test'
import { mongoUri } from '../support/mongo'
import { startProduct } from '../support/product'
import { waitFor } from '../support/wait-for'

const uri = mongoUri()
const ids = ['agency_id', 'workspace_id', 'location_id', 'site_id', 'site_key'] as const

describe.skipIf(!uri)('two products on one MongoDB', () => {
  test('make one installation when they start for the first time at once, and tell each other of sites', async () => {
    const env = { MONGODB_URI: uri ?? '', RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9', LOG_LEVEL: 'warn' }
    const [one, other] = await Promise.all([startProduct({ env }), startProduct({ env })])
    await using _ = one
    await using __ = other

    for (const id of ids) expect(one.facts[id]).toBe(other.facts[id])
    const keys = [one.facts.agent_key, other.facts.agent_key].filter(Boolean)
    expect(keys.length).toBe(1)
    for (const { facts } of [one, other]) {
      const response = await fetch(`${facts.api_url}/api/entities/AiTrafficSite`, {
        headers: { authorization: `Bearer ${keys[0]}` },
      })
      expect(response.status).toBe(200)
      expect(((await response.json()) as unknown[]).length).toBe(1)
    }

    const { stdout } = await one.renown('site', 'create', 'shop.example.com', '--json')
    const { forwarder_token } = JSON.parse(stdout)
    const send = () =>
      fetch(`${other.facts.ingest_url}/v1/hits`, {
        method: 'POST',
        headers: { authorization: `Bearer ${forwarder_token}`, 'content-type': 'application/json' },
        body: '[]',
      })
    await waitFor(async () => (await send()).status !== 401, {
      what: 'the other product to know the site',
      timeoutMs: 3_000,
    })
  }, 60_000)
})
