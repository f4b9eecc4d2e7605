import { afterEach, expect, test } from 'bun:test'
import { defineOperation, definePlugin } from 'renown'
import * as v from 'valibot'
import type { Documents } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { type AskOptions, type Gate, type GateOptions, startGate } from '../../support/harness'
import { aNote, Note, notes } from '../../support/notes-plugin'
import { quietLog as log } from '../../support/quiet-log'

const broken = definePlugin({
  name: 'broken',
  renown: '^1.0.0',
  operations: [
    defineOperation({
      name: 'breakDown',
      summary: 'Throws',
      class: 'read',
      crossAgency: 'own',
      input: v.strictObject({}),
      output: v.object({}),
      run: () => Promise.reject(new Error('broken')),
    }),
  ],
})

let gate: Gate
const start = async (more: Partial<GateOptions> = {}) => {
  gate = await startGate({ plugins: [notes, broken], ...more })
}
afterEach(() => gate.stop())

const fields = ({ headers }: Response) => [headers.get('ratelimit-policy'), headers.get('ratelimit')]
const policyForm = /^("[a-z-]+";q=\d+;w=\d+)(, "[a-z-]+";q=\d+;w=\d+)*$/
const leftForm = /^("[a-z-]+";r=\d+;t=\d+)(, "[a-z-]+";r=\d+;t=\d+)*$/

function check(asked: string, response: Response) {
  const [policy, left] = fields(response)
  expect({ asked, policy }).toEqual({ asked, policy: expect.stringMatching(policyForm) })
  expect({ asked, left }).toEqual({ asked, left: expect.stringMatching(leftForm) })
}

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']
const callers: Readonly<Record<string, AskOptions>> = {
  'with a key': {},
  'without a credential': { key: null },
  'with a wrong key': { key: 'rnw_key_wrong' },
  'on a host that is not served': { headers: { host: 'other.example' } },
  'for a workspace of nobody': { workspace: 'wsp_of_nobody' },
  'with a body that is no JSON': { body: '{' },
  'with another content type': { body: '{}', headers: { 'content-type': 'text/plain' } },
}

test('every path under /api, by every method and caller, shows the limits', async () => {
  await start()
  const { id } = await gate.put(Note, aNote)
  const paths = [
    '/api',
    '/api/',
    '/api/nothing',
    '/api/surface',
    '/api/surface?x=1',
    '/api/entities',
    '/api/entities/Nothing',
    '/api/%zz',
    '/api//surface',
    '/api/functions',
    '/api/functions/nothing',
    '/api/mcp',
    '/api/mcp/',
    '/api/events',
    ...[...gate.registry.entities.keys()].flatMap((name) => [
      `/api/entities/${name}`,
      `/api/entities/${name}/x`,
    ]),
    ...[...gate.registry.operations.keys()].map((name) => `/api/functions/${name}`),
    `/api/entities/Note/${id}`,
  ]
  const statuses = new Set<number>()
  for (const path of paths) {
    for (const method of methods) {
      for (const [caller, options] of Object.entries(callers)) {
        const { body, ...rest } = options
        const sends = body !== undefined && method !== 'GET' && method !== 'HEAD'
        const response = await gate.ask(path, { ...rest, method, ...(sends ? { body } : {}) })
        statuses.add(response.status)
        check(`${method} ${path} ${caller}`, response)
        await response.body?.cancel()
      }
    }
  }
  for (const status of [200, 204, 400, 401, 403, 404, 405, 415, 422, 500])
    expect([...statuses]).toContain(status)
})

test('so do answers that need more than a path: 304, 409, 413, 422, 429 and each of MCP', async () => {
  await start({ settings: { LIMIT_DRAFTS_PER_MINUTE: '3' } })
  const statuses: number[] = []
  const ask = async (path: string, options: AskOptions = {}) => {
    const response = await gate.ask(path, options)
    statuses.push(response.status)
    check(`${path} ${response.status}`, response)
    return response
  }
  const etag = (await ask('/api/entities/Note')).headers.get('etag') ?? ''
  await ask('/api/entities/Note', { headers: { 'if-none-match': etag } })
  const draft = (title: string, key = 'k'.repeat(16)) =>
    ask('/api/functions/draftNote', { method: 'POST', body: { title }, headers: { 'idempotency-key': key } })
  await draft('one')
  await draft('other')
  await draft('')
  await draft('two', 'l'.repeat(16))
  await ask('/api/functions/countNotes', { method: 'POST', body: 'x'.repeat(2 ** 20 + 1) })
  await ask('/api/entities/Note?limit=0')
  expect(statuses).toEqual([200, 304, 200, 409, 422, 429, 413, 422])
  const mcp = (method: string, params: object = {}) =>
    ask('/api/mcp', {
      method: 'POST',
      body: { jsonrpc: '2.0', id: 1, method, params },
      headers: { accept: 'application/json, text/event-stream' },
    })
  await mcp('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  })
  for (const method of ['tools/list', 'ping', 'nothing']) await mcp(method)
  for (const name of ['countNotes', 'nothing', 'list_records'])
    await mcp('tools/call', { name, arguments: {} })
})

test('what shows a limit counts against none, and shows what was counted', async () => {
  await start({ settings: { LIMIT_FAILED_AUTHENTICATION_PER_MINUTE: '3' } })
  const options = () => gate.ask('/api/surface', { method: 'OPTIONS', key: null })
  for (let n = 0; n < 5; n++) expect(fields(await options())[1]).toStartWith('"failed-authentication";r=3;')
  expect((await gate.ask('/api/surface', { key: null })).status).toBe(401)
  expect(fields(await options())).toEqual([
    '"failed-authentication";q=3;w=60',
    expect.stringMatching(/^"failed-authentication";r=2;t=\d+$/),
  ])
  const elsewhere = await gate.ask('/api/surface', { method: 'OPTIONS', key: null, address: '203.0.113.9' })
  expect(fields(elsewhere)[1]).toStartWith('"failed-authentication";r=3;')
})

test('an answer to a host that the store cannot look up shows them too', async () => {
  const own = await openSqlite({ path: ':memory:', now: () => new Date(), log })
  let isDown = false
  const documents: Documents = {
    ...own,
    collection(entity) {
      const collection = own.collection(entity)
      if (entity.name !== 'WhiteLabelDomain') return collection
      const { version: _, ...rest } = collection
      const find: typeof collection.find = (query) =>
        isDown ? Promise.reject(new Error('no store')) : collection.find(query)
      return { ...rest, find }
    },
  }
  await start({ documents })
  isDown = true
  const response = await gate.ask('/api/surface', { headers: { host: 'reviews.example' } })
  expect(response.status).toBe(500)
  check('a store that is down', response)
  expect(response.headers.get('x-request-id')).not.toBeNull()
  await own.close()
})
