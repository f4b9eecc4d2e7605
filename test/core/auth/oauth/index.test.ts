import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Refusal } from '../../../../core/contracts/errors'
import type { Log } from '../../../../core/contracts/plugin'
import { type Documents, UnavailableError } from '../../../../core/stores/documents/port'
import { openSqlite } from '../../../../core/stores/documents/sqlite/index'
import { type Gate, startGate } from '../../../support/harness'
import { callback } from '../../../support/oauth-app'
import { quietLog } from '../../../support/quiet-log'

const lines: string[] = []
const refused: object[] = []
const log: Log = {
  ...quietLog,
  error: (message, fields) => void lines.push(JSON.stringify({ message, ...fields })),
  debug: (message, fields) => void refused.push({ message, ...fields }),
}
let fault: Error
let gate: Gate
let real: Documents
beforeAll(async () => {
  real = await openSqlite({ path: ':memory:', now: () => new Date(), log: quietLog })
  const fail = () => Promise.reject(fault)
  const collection: Documents['collection'] = (entity) => {
    const sound = real.collection(entity)
    return entity.name === 'OAuthClient' ? { ...sound, get: fail, insert: fail } : sound
  }
  gate = await startGate({ documents: { ...real, collection }, log })
})
afterAll(async () => {
  await gate.stop()
  await real.close()
})

const register = () =>
  gate.ask('/oauth/register', { method: 'POST', key: null, body: { redirect_uris: [callback] } })

test('a store that is away is 503 in JSON, with when to come back', async () => {
  fault = new UnavailableError('away')
  const answer = await register()
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await answer.json()).toMatchObject({ error: 'temporarily_unavailable' })
  const page = await gate.ask(`/oauth/authorize?client_id=ocl_${'0'.repeat(26)}`, { key: null })
  expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
})

test('what fails on our side is 500 in JSON by an id, which finds it in the log, and tells nothing else', async () => {
  fault = new Error('the inside of the store')
  const answer = await register()
  const text = await answer.text()
  expect(answer.status).toBe(500)
  expect(JSON.parse(text)).toMatchObject({ error: 'server_error' })
  expect(text).not.toContain('inside')
  const id = answer.headers.get('x-request-id') ?? ''
  expect(text).toContain(id)
  const logged = lines.find((line) => line.includes(id))
  expect(logged).toContain('the inside of the store')
  // Where it failed is logged too.
  expect(logged).toContain(import.meta.file)
})

test('what is refused is a line for debugging, by the id of the request', async () => {
  refused.length = 0
  const answer = await gate.ask('/oauth/token', { method: 'POST', key: null, body: {} })
  expect(answer.status).toBe(400)
  expect(refused).toContainEqual({
    message: 'refused',
    request_id: answer.headers.get('x-request-id'),
    path: '/oauth/token',
    code: ((await answer.json()) as { error: string }).error,
  })
})

test('a refusal of our own side is no fault of the app', async () => {
  fault = new Refusal('unavailable', 'the inside of the store')
  const answer = await register()
  expect([answer.status, await answer.json()]).toMatchObject([500, { error: 'server_error' }])
  fault = new Refusal('invalid_field', 'wrong')
  const refusal = await register()
  expect([refusal.status, await refusal.json()]).toEqual([
    422,
    { error: 'invalid_request', error_description: 'wrong' },
  ])
})
