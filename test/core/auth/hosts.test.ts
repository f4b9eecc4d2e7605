import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Workspace } from '../../../core/tenancy/index'
import { type Gate, startGate } from '../../support/harness'

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ settings: { RENOWN_URL: 'https://app.example.com' } })
  await gate.owner
    .rows(Workspace)
    .update(gate.tenant.workspaceId, { white_label_domain: 'reviews.agency.example' })
})
afterAll(() => gate.stop())

const at = async (host: string, key = gate.tenant.key) =>
  (await gate.ask('/api/surface', { key, headers: { host } })).status

test("a key works on the main host, on its own agency's domain and on the machine itself", async () => {
  for (const host of [
    'app.example.com',
    'APP.example.com:443',
    'reviews.agency.example',
    'localhost:3000',
    '127.0.0.1:3000',
    '[::1]:3000',
  ]) {
    expect(await at(host)).toBe(200)
  }
})

test("a key is 401 on another agency's domain and on every other host", async () => {
  expect(await at('reviews.agency.example', gate.stranger.key)).toBe(401)
  for (const host of [
    'evil.example',
    'app.example.com.evil.example',
    'x.app.example.com',
    'localhost.evil.example',
  ]) {
    expect(await at(host)).toBe(401)
  }
})

test('without a public origin every host is the main one', async () => {
  const local = await startGate()
  expect((await local.ask('/api/surface', { headers: { host: 'nas.home' } })).status).toBe(200)
  await local.stop()
})
