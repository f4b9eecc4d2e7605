import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ingest } from '../../../core/contracts/traffic'
import { createFetchSigner } from '../../../core/outbound/signing/fetch-signer'
import { type AdminDeps, createAdmin, listenAdmin } from '../../../core/product/admin'
import { corePlugins } from '../../../core/product/core-plugins'
import { quietLog } from '../../support/quiet-log'
import { type Workbench, workbench } from '../../support/workbench'

let bench: Workbench
let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'renown-admin-'))
  bench = await workbench(corePlugins)
})
afterEach(async () => {
  await bench.stop()
  rmSync(folder, { recursive: true, force: true })
})

const batches: unknown[] = []
const ingest = {
  importBatch: async (site: string, batch: string, body: Uint8Array) => {
    batches.push({ site, batch, bytes: body.byteLength })
    return { accepted: 1, ignored: 0, rejected: 0, duplicate: 0, reasons: [] }
  },
} as unknown as Ingest
const site = { site_id: 'sit_1', domain: 'example.com' }
const admin = () =>
  createAdmin({
    commands: bench.registry.commands,
    registry: bench.registry,
    owner: bench.owner,
    log: quietLog,
    ingest: async () => ingest,
    sites: async () => ({ sites: [site] }) as unknown as Awaited<ReturnType<AdminDeps['sites']>>,
    status: async () => ({ pid: 1 }),
    checks: async () => [],
    transfer: {} as AdminDeps['transfer'],
    plugins: {} as AdminDeps['plugins'],
    reseal: async () => [],
    signer: createFetchSigner({ origin: '', secrets: [], folder: null, now: () => new Date(0) }),
  })
const post = (path: string, body: string) => new Request(`http://renown${path}`, { method: 'POST', body })

test('a command runs on checked input, with its defaults', async () => {
  const response = await admin()(post('/command?name=agency%20create', '{"name":"Acme"}'))
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ agency_id: expect.stringMatching(/^agc_/) })
})

test('what is wrong with an input is said field by field', async () => {
  const input = '{"name":"Acme","timezone":"Mars/Olympus","colour":"red"}'
  const response = await admin()(post('/command?name=agency%20create', input))
  expect(response.status).toBe(422)
  const { code, errors } = (await response.json()) as { code: string; errors: { pointer: string }[] }
  expect(code).toBe('invalid_field')
  expect(errors.map(({ pointer }) => pointer).sort()).toEqual(['/colour', '/timezone'])
})

test('an unknown command, address or site is refused, not run', async () => {
  expect((await admin()(post('/command?name=drop%20everything', '{}'))).status).toBe(404)
  expect((await admin()(post('/etc/passwd', '{}'))).status).toBe(404)
  const response = await admin()(new Request('http://renown/site?site=nobody.example'))
  expect(((await response.json()) as { detail: string }).detail).toContain('sit_1 (example.com)')
})

test('an import names its site by id or by domain', async () => {
  batches.length = 0
  await admin()(post('/import?site=example.com&batch=b1', 'a line'))
  await admin()(post('/import?site=sit_1&batch=b2', 'a line'))
  expect((await admin()(post('/import?site=sit_1', 'a line'))).status).toBe(422)
  expect(batches).toEqual([
    { site: 'sit_1', batch: 'b1', bytes: 6 },
    { site: 'sit_1', batch: 'b2', bytes: 6 },
  ])
})

test('the socket is its owner’s alone, takes the place of a dead one, and leaves nothing behind', async () => {
  const path = join(folder, 'renown.sock')
  writeFileSync(path, 'left by a killed process')
  const socket = listenAdmin(path, admin())
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(await (await fetch('http://renown/status', { unix: path })).json()).toEqual({ pid: 1 })
  await socket.stop()
  expect(existsSync(path)).toBe(false)
})

test('the state of the signing key is shown, and says why requests are not signed', async () => {
  const shown = await admin()(new Request('http://renown/signing'))
  expect(await shown.json()).toMatchObject({ signer: null, keys: [] })
  const rotated = await admin()(post('/signing/rotate', ''))
  expect(((await rotated.json()) as { reason: string }).reason).toContain('RENOWN_URL')
})
