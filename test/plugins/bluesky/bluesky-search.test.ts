import { expect, test } from 'bun:test'
import { readSource } from 'renown/leads'
import { testMentionSource } from 'renown/testing'
import plugin from '../../../plugins/bluesky'
import { blueskySearch } from '../../../plugins/bluesky/bluesky-search'
import { isWithheld } from '../../../plugins/bluesky/post'
import { platformWorld } from '../../support/source-world'
import { createBluesky } from '../../support/stand-ins/bluesky'

const password = 'bluesky-test-password'
const needed = { BLUESKY_HANDLE: 'acme.example', BLUESKY_APP_PASSWORD: password }
const settings = { BLUESKY_URL: 'http://pds.test' }
const { signal } = new AbortController()
const request = { target: 'Acme', cursor: null, since: '2026-01-01T00:00:00.000Z', signal }

testMentionSource({
  plugin,
  name: 'bluesky-search',
  settings,
  needed,
  secrets: [password],
  isSetup: ({ url }) => url.includes('createSession'),
  standIn: () => createBluesky({ password }),
})

test('signs in once, and again when the session has ended', async () => {
  const standIn = createBluesky({ password })
  const own = { plugin, settings: { ...settings, ...needed } }
  const world = await platformWorld(own, (request) => standIn.fetch(request))
  for (let n = 0; n < 3; n++) await readSource(world.ctx, blueskySearch, request)
  expect(standIn.sessions()).toBe(1)
  standIn.expire()
  await readSource(world.ctx, blueskySearch, request)
  expect(standIn.sessions()).toBe(3)
  await world.stop()
})

test('says that the password is wrong, without it', async () => {
  const standIn = createBluesky({ password: 'another' })
  const own = { plugin, settings: { ...settings, ...needed } }
  const world = await platformWorld(own, (request) => standIn.fetch(request))
  const fault = await readSource(world.ctx, blueskySearch, request).catch((error: Error) => error)
  expect(fault).toMatchObject({ kind: 'auth', message: expect.stringContaining('BLUESKY_APP_PASSWORD') })
  expect(String(fault)).not.toContain(password)
  await world.stop()
})

test('leaves out authors who want to be seen only by people with an account', () => {
  const author = { did: 'did:plc:a', handle: 'a.example', displayName: '', avatar: '' }
  const view = { uri: 'x', indexedAt: 'x', record: { text: 'x', createdAt: 'x' } }
  expect(isWithheld({ ...view, author: { ...author, labels: [{ val: '!no-unauthenticated' }] } })).toBe(true)
  expect(isWithheld({ ...view, author: { ...author, labels: [] } })).toBe(false)
})
