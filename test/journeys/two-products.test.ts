import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mongoUri } from '../support/mongo'
import { describeWith } from '../support/needs'
import { signIn } from '../support/person'
import { type RunningProduct, startProduct } from '../support/product'
import { exchange, questionOf, registerApp, revoke } from '../support/strict-app'
import { waitFor } from '../support/wait-for'

const uri = mongoUri()
const ids = ['agency_id', 'workspace_id', 'location_id', 'site_id', 'site_key'] as const

describeWith('MongoDB')('two products on one MongoDB', () => {
  let one: RunningProduct
  let other: RunningProduct
  // A first start on MongoDB makes every collection and its indexes, so both tests use the same two.
  beforeAll(async () => {
    const env = { MONGODB_URI: uri ?? '', RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9', LOG_LEVEL: 'warn' }
    ;[one, other] = await Promise.all([startProduct({ env }), startProduct({ env })])
  }, 90_000)
  afterAll(async () => {
    await one?.[Symbol.asyncDispose]()
    await other?.[Symbol.asyncDispose]()
  })

  test('make one installation when they start for the first time at once, and tell each other of sites', async () => {
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
    })
  }, 90_000)

  test('end a key and an app for each other at once', async () => {
    // Of both the same host, as behind one name, so that what is not known there is not known at all.
    const { host } = new URL(one.facts.api_url)
    const statusOf = async (token: string) =>
      (
        await fetch(`${other.facts.api_url}/api/surface`, {
          headers: { host, authorization: `Bearer ${token}` },
        })
      ).status
    const keyOf = async () =>
      /rnw_key_\w+/.exec((await one.renown('key', 'rotate', '--json')).stdout)?.[0] ?? ''
    const key = await keyOf()
    expect(await statusOf(key)).toBe(200)
    const next = await keyOf()
    expect([await statusOf(key), await statusOf(next)]).toEqual([401, 200])

    const { owner_link } = JSON.parse((await one.renown('owner', 'link', 'create', '--json')).stdout)
    const owner = await signIn({ ...one, facts: { ...one.facts, owner_link } })
    const app = await registerApp(one.facts.api_url)
    const question = await questionOf(app)
    const tokens = await exchange(app, await owner.decide(question.url), question)
    expect(await statusOf(tokens.access_token)).toBe(200)
    await revoke(app, tokens.refresh_token ?? '')
    expect(await statusOf(tokens.access_token)).toBe(401)
  }, 90_000)
})
