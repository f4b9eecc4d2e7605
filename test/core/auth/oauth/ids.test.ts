import { expect, test } from 'bun:test'
import { answerTo, createRequests, refuseTo } from '../../../../core/auth/oauth/authorize'
import { createClients } from '../../../../core/auth/oauth/clients/clients'
import { createGrants } from '../../../../core/auth/oauth/grants/grants'
import type { Host } from '../../../../core/requests/host'

const now = '2026-11-20T12:00:00.000Z'
const clock = { now: () => new Date(now) }
const later = '2026-11-20T12:00:00.001Z'
const host: Host = { origin: 'https://renown.example.com', kind: 'main', agency_id: null }

/** A store with one row. Keeps what it was asked. */
function storeOf(row: object | null = null) {
  const asked: string[] = []
  const collection = () => ({
    get: async (id: string) => {
      asked.push(`get ${id}`)
      return row
    },
    find: async () => (row === null ? [] : [row]),
    updateOne: async () => {
      asked.push('update')
      return null
    },
  })
  return { documents: { collection } as never, asked }
}
const letters = (count: number) => 'A'.repeat(count)

test('an id that no request can have is not looked up', async () => {
  const { documents, asked } = storeOf()
  const requests = createRequests({ documents, clock })
  for (const id of ['', 'oar_', `oar_${letters(25)}`, `oar_${letters(27)}`, `xoar_${letters(26)}`])
    expect(await requests.open(id, host)).toBeNull()
  expect(asked).toEqual([])
  expect(await requests.open(`oar_${letters(26)}`, host)).toBeNull()
  expect(asked).toEqual([`get oar_${letters(26)}`])
})

test('a request is open at its host until it is decided or its time is over', async () => {
  const row = { host: host.origin, is_decided: false, expires_at: later }
  const open = (over: object) =>
    createRequests({ documents: storeOf({ ...row, ...over }).documents, clock }).open(
      `oar_${letters(26)}`,
      host,
    )
  expect<unknown>(await open({})).toEqual(row)
  for (const over of [{ is_decided: true }, { host: 'https://other.example' }, { expires_at: now }])
    expect([over, await open(over)]).toEqual([over, null])
})

test('an id that no app can have is neither looked up nor kept', async () => {
  const { documents, asked } = storeOf()
  const clients = createClients({ documents, clock, appDocuments: {} as never })
  for (const id of ['', 'ocl_', `ocl_${letters(25)}`, `ocl_${letters(27)}`, `xocl_${letters(26)}`]) {
    expect(await clients.find(id, host, {} as never)).toBeNull()
    await clients.keep(id, new Date(later))
  }
  await clients.keep('https://app.example/client.json', new Date(later))
  expect(asked).toEqual([])
  const known = `ocl_${letters(26)}`
  expect(await clients.find(known, host, {} as never)).toBeNull()
  await clients.keep(known, new Date(later))
  expect(asked).toEqual([`get ${known}`, 'update'])
})

test('an app is known at its host until its time is over', async () => {
  const row = { id: 'ocl_x', host: host.origin, expires_at: later, name: 'App', redirect_uris: [] }
  const find = (over: object) => {
    const { documents } = storeOf({ ...row, ...over, auth_method: 'none' })
    const clients = createClients({ documents, clock, appDocuments: {} as never })
    return clients.find(`ocl_${letters(26)}`, host, {} as never)
  }
  expect(await find({})).toStrictEqual({
    client_id: 'ocl_x',
    name: 'App',
    redirect_uris: [],
    secret_hash: undefined,
    auth_method: 'none',
    named_by: undefined,
  })
  for (const over of [{ host: 'https://other.example' }, { host: undefined }, { expires_at: now }])
    expect([over, await find(over)]).toEqual([over, null])
})

test('a connected app of all workspaces that was never used says so with null', async () => {
  const row = {
    id: 'ogr_1',
    client_name: 'App',
    is_verified: true,
    app_host: 'app.example',
    host: host.origin,
    scopes: ['read'],
    expires_at: later,
    connected_at: now,
    agency_id: 'agc_1',
    user_id: 'usr_1',
  }
  const shown = (over: object) =>
    createGrants({ documents: storeOf({ ...row, ...over }).documents, clock }).connected('agc_1')
  const app = {
    grant_id: 'ogr_1',
    name: 'App',
    is_verified: true,
    app_host: 'app.example',
    host: host.origin,
    scopes: ['read'],
    workspace_ids: null,
    connected_at: now,
    last_used_at: null,
  }
  expect<unknown>(await shown({})).toStrictEqual([app])
  expect<unknown>(await shown({ workspace_ids: ['wsp_1'], last_used_at: now })).toStrictEqual([
    { ...app, workspace_ids: ['wsp_1'], last_used_at: now },
  ])
  expect(await shown({ expires_at: now })).toEqual([])
  expect(await shown({ connected_at: undefined })).toEqual([])
})

test('an app is answered at its address, with the issuer and its own state', () => {
  const at = 'https://app.example/back'
  const asker = { redirect_uri: at, host: host.origin }
  const place = (answer: Response) => [answer.status, answer.headers.get('location')]
  const iss = 'iss=https%3A%2F%2Frenown.example.com'
  expect(place(answerTo(asker, 'c'))).toEqual([303, `${at}?code=c&${iss}`])
  expect(place(answerTo({ ...asker, state: 's' }, 'c'))).toEqual([303, `${at}?code=c&${iss}&state=s`])
  expect(place(refuseTo({ ...asker, state: 's' }, 'access_denied', 'No'))).toEqual([
    303,
    `${at}?error=access_denied&error_description=No&${iss}&state=s`,
  ])
  const { headers } = answerTo(asker, 'c')
  expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer'])
})
