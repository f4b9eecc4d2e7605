import { afterEach, beforeEach, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { createConsents } from '../../../../core/connections/consent/consents'
import { ServiceConsent } from '../../../../core/connections/consent/ServiceConsent'
import { createSecrets } from '../../../../core/outbound/secrets'
import { corePlugins } from '../../../../core/product/core-plugins'
import { type Workbench, workbench } from '../../../support/workbench'

const asker = { session_id: 'ses_1', host: 'https://renown.example' }
let bench: Workbench
beforeEach(async () => {
  const keys = [`k1:${randomBytes(32).toString('base64url')}`]
  bench = await workbench(corePlugins, { secrets: createSecrets({ keys, folder: null }) })
})
afterEach(() => bench.stop())

test('a consent stores neither its state nor its verifier, and gives the verifier of its challenge back once', async () => {
  const consents = createConsents(bench.owner)
  const { state, challenge, redirectUri } = await consents.begin('google', 'wsp_1', asker)
  expect(redirectUri).toBe('https://renown.example/app/settings/connections/google/callback')
  expect(JSON.stringify(await bench.owner.rows(ServiceConsent).list())).not.toContain(state)
  const { verifier } = await consents.take('google', state, asker)
  expect(new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')).toBe(challenge)
  expect(verifier).toMatch(/^[A-Za-z0-9\-._~]{43,128}$/)
  const [row] = await bench.owner.rows(ServiceConsent).list()
  expect([row?.step, row?.verifier]).toEqual(['done', undefined])
  await expect(consents.take('google', state, asker)).rejects.toThrow('used before')
})

test('no two consents share anything', async () => {
  const consents = createConsents(bench.owner)
  const many = await Promise.all(Array.from({ length: 50 }, () => consents.begin('google', 'wsp_1', asker)))
  expect(new Set(many.flatMap(({ state, challenge }) => [state, challenge])).size).toBe(100)
})

test.each([
  ['another sign-in', { ...asker, session_id: 'ses_2' }],
  ['another host', { ...asker, host: 'http://localhost:3000' }],
])('an answer from %s takes nothing, and robs nobody', async (_, other) => {
  const consents = createConsents(bench.owner)
  const { state } = await consents.begin('facebook', 'wsp_1', asker)
  await expect(consents.take('facebook', state, other)).rejects.toThrow('This browser did not start')
  await expect(consents.take('google', state, asker)).rejects.toThrow('This browser did not start')
  expect((await consents.take('facebook', state, asker)).consent.workspace_id).toBe('wsp_1')
})

test('an answer after ten minutes is too late', async () => {
  const consents = createConsents(bench.owner)
  const { state } = await consents.begin('google', 'wsp_1', asker)
  bench.now = new Date(bench.now.getTime() + 600_000)
  await expect(consents.take('google', state, asker)).rejects.toThrow('more than ten minutes')
})

test('a choice of an account has ten minutes of its own, and none after them', async () => {
  const consents = createConsents(bench.owner)
  const { state } = await consents.begin('facebook', 'wsp_1', asker)
  bench.now = new Date(bench.now.getTime() + 599_000)
  const { consent } = await consents.take('facebook', state, asker)
  await consents.choose(consent, 'EAA-user')
  bench.now = new Date(bench.now.getTime() + 599_000)
  expect((await consents.choosing('facebook', consent.id, asker)).userToken).toBe('EAA-user')
  bench.now = new Date(bench.now.getTime() + 1_000)
  await expect(consents.choosing('facebook', consent.id, asker)).rejects.toThrow('more than ten minutes')
})

test.each([
  ['another sign-in', { ...asker, session_id: 'ses_2' }],
  ['another host', { ...asker, host: 'http://localhost:3000' }],
])('a choice from %s is refused', async (_, other) => {
  const consents = createConsents(bench.owner)
  const { state } = await consents.begin('facebook', 'wsp_1', asker)
  const { consent } = await consents.take('facebook', state, asker)
  await consents.choose(consent, 'EAA-user')
  await expect(consents.choosing('facebook', consent.id, other)).rejects.toThrow('This browser did not start')
  await expect(consents.choosing('google', consent.id, asker)).rejects.toThrow('This browser did not start')
})

test('a choice is made once', async () => {
  const consents = createConsents(bench.owner)
  const { state } = await consents.begin('facebook', 'wsp_1', asker)
  const { consent } = await consents.take('facebook', state, asker)
  await consents.choose(consent, 'EAA-user')
  expect(JSON.stringify(await bench.owner.rows(ServiceConsent).list())).not.toContain('EAA-user')
  expect((await consents.choosing('facebook', consent.id, asker)).userToken).toBe('EAA-user')
  expect(await Promise.all([consents.end(consent), consents.end(consent)])).toContainAllValues([true, false])
  await expect(consents.choosing('facebook', consent.id, asker)).rejects.toThrow('used before')
})

test('nobody is sent away where nothing could be kept of what they bring back', async () => {
  const closed = await workbench(corePlugins, { secrets: createSecrets({ keys: [], folder: null }) })
  const beginning = createConsents(closed.owner).begin('google', 'wsp_1', asker)
  await expect(beginning).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('set SECRETS_KEY'),
  })
  await closed.stop()
})
