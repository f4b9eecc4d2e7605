import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Check } from '../../../core/contracts/self-check'
import type { IngestState } from '../../../core/contracts/traffic'
import { createSecrets } from '../../../core/outbound/secrets'
import { lockDataFolder } from '../../../core/process/data-folder'
import { advice } from '../../../core/product/checks/advice'

const repository = join(import.meta.dir, '../../..')
const root = mkdtempSync(join(tmpdir(), 'renown-doctor-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function doctor(env: Record<string, string>) {
  const child = Bun.spawn([process.execPath, 'core/cli/main.ts', 'doctor', '--json'], {
    cwd: repository,
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      INGEST_PORT: '0',
      RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9',
      ...env,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const text = await child.stdout.text()
  const code = await child.exited
  const { ok, checks } = JSON.parse(text) as { ok: boolean; checks: Check[] }
  return { code, ok, of: (name: string) => checks.find((check) => check.name === name) }
}

test('documents on a server without SECRETS_KEY get the command that makes one, and its key is taken', async () => {
  const env = { RENOWN_DATA_DIR: join(root, 'none'), MONGODB_URI: 'mongodb://127.0.0.1:1/renown' }
  const { of } = await doctor(env)
  expect(of('secrets key')).toEqual({
    name: 'secrets key',
    status: 'warn',
    found: 'SECRETS_KEY is not set, so no account can be connected and two-step sign-in is off',
    mend: advice.secretsKey,
  })
  const [, command = ''] = /: (echo .*)$/.exec(advice.secretsKey) ?? []
  const SECRETS_KEY = Bun.spawnSync(['sh', '-c', command]).stdout.toString()
  expect((await doctor({ ...env, SECRETS_KEY })).of('secrets key')).toMatchObject({ status: 'ok' })
  expect(() => createSecrets({ keys: [SECRETS_KEY.trim()], folder: null })).not.toThrow()
  expect((await doctor({ RENOWN_DATA_DIR: join(root, 'none') })).of('secrets key')).toMatchObject({
    found: 'a key in the data folder encrypts them',
  })
})

test('before the first run only the missing data folder is pointed out', async () => {
  const { code, ok, of } = await doctor({ RENOWN_DATA_DIR: join(root, 'none') })
  expect({ code, ok }).toEqual({ code: 0, ok: true })
  expect(of('data folder')).toMatchObject({
    status: 'warn',
    found: `${join(root, 'none')} does not exist`,
    mend: expect.stringContaining('RENOWN_DATA_DIR'),
  })
  expect(existsSync(join(root, 'none'))).toBe(false)
  expect(of('hosts')).toMatchObject({ status: 'ok' })
  expect(of('embedded ClickHouse')?.status).toBe('ok')
})

test('a folder that others can read fails, with the command that mends it', async () => {
  const dataDir = join(root, 'open')
  mkdirSync(dataDir, { mode: 0o755 })
  writeFileSync(join(dataDir, 'something'), '')
  const { code, of } = await doctor({ RENOWN_DATA_DIR: dataDir })
  expect(code).toBe(1)
  expect(of('data folder')).toMatchObject({ status: 'fail', mend: `chmod 700 ${dataDir}` })
})

test('a product that others can reach but that no host was named for is warned of', async () => {
  const { of } = await doctor({ RENOWN_DATA_DIR: join(root, 'none'), HOST: '0.0.0.0' })
  expect(of('hosts')).toMatchObject({
    status: 'warn',
    mend: 'Set RENOWN_URL to the public origin. Requests for any other host are refused.',
  })
})

test('a port that is taken fails, with the setting that changes it, and a host that was named is fine', async () => {
  const server = Bun.serve({ hostname: '0.0.0.0', port: 0, fetch: () => new Response() })
  const { code, of } = await doctor({
    RENOWN_DATA_DIR: join(root, 'none'),
    PORT: String(server.port),
    HOST: '0.0.0.0',
    RENOWN_URL: 'https://app.example.com',
  })
  await server.stop(true)
  expect(of('hosts')).toMatchObject({ status: 'ok' })
  expect(code).toBe(1)
  expect(of('gateway port')).toMatchObject({ status: 'fail', mend: expect.stringContaining('PORT') })
})

test('documents that were damaged are found, and nothing is opened on top of them unseen', async () => {
  const dataDir = join(root, 'damaged')
  mkdirSync(dataDir, { mode: 0o700 })
  writeFileSync(join(dataDir, 'renown.lock'), '')
  writeFileSync(join(dataDir, 'documents.sqlite'), 'SQLite format 3\0'.padEnd(16_384, 'damage'))
  const { code, of } = await doctor({ RENOWN_DATA_DIR: dataDir })
  expect(code).toBe(1)
  expect(of('document integrity')?.status).toBe('fail')
  expect(of('stores')?.status).toBe('fail')
})

test('a store that is down is named', async () => {
  const dataDir = join(root, 'down')
  mkdirSync(dataDir, { mode: 0o700 })
  writeFileSync(join(dataDir, 'renown.lock'), '')
  const { code, of } = await doctor({ RENOWN_DATA_DIR: dataDir, CLICKHOUSE_URL: 'http://127.0.0.1:9/renown' })
  expect(code).toBe(1)
  expect(of('stores')?.found).toContain('ClickHouse at 127.0.0.1:9 cannot be reached')
})

test('beside an ingest process of its own, its port tells how the journal stands', async () => {
  const dataDir = join(root, 'counting')
  const folder = lockDataFolder(dataDir, 'counting', new Date())
  const state: IngestState = {
    accepting: true,
    reason: null,
    gateway: null,
    set_aside_segments: 0,
    damaged_segments: 0,
    stalls: { count: 2, longest_ms: 900, last_at: new Date().toISOString() },
    clickhouse: { reason: 'ClickHouse accepts no hits (ECONNREFUSED)', since: '2026-11-20T12:00:00.000Z' },
    waiting_segments: 2,
    waiting_bytes: 2048,
    oldest_waiting_seconds: 300,
  }
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => Response.json(state) })
  try {
    const { of } = await doctor({ RENOWN_DATA_DIR: dataDir, INGEST_PORT: String(server.port) })
    expect(of('journal')?.found).toContain('2 segments wait, 2 KiB, the oldest for 5 min')
    expect(of('journal')?.mend).toContain('Start ClickHouse')
    expect(of('event loop')?.found).toContain('the ingest 2 times, 900 ms at most')
  } finally {
    await server.stop(true)
    folder.release()
  }
})

test('a language model is asked once, and what it answers is reported', async () => {
  const dataDir = join(root, 'model')
  mkdirSync(dataDir, { mode: 0o700 })
  writeFileSync(join(dataDir, 'renown.lock'), '')
  let asked = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch() {
      asked++
      return Response.json({ choices: [{ message: { content: '<think>Hm.</think>{"word":"ready"}' } }] })
    },
  })
  const env = { RENOWN_DATA_DIR: dataDir, LLM_BASE_URL: `${server.url.origin}/v1`, LLM_MODEL: 'small' }
  try {
    const { of } = await doctor(env)
    expect(of('language model')).toMatchObject({
      status: 'ok',
      found: expect.stringContaining('llm:small answers'),
    })
  } finally {
    await server.stop(true)
  }
  expect(asked).toBe(1)
})
