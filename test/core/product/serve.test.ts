import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ingest, SitesFeed } from '../../../core/contracts/traffic'
import { definePlugin } from '../../../core/kit'
import { readConfig } from '../../../core/process/config'
import { serve } from '../../../core/product/serve'
import type { CreateIngest, ServeDeps } from '../../../core/product/serve-deps'
import { builtin } from '../../../plugins'
import { startClickhouseServer } from '../../support/clickhouse-process'
import { quietLog } from '../../support/quiet-log'
import { passTime, waitFor } from '../../support/wait-for'

/** The settings of the plugins in the box. */
const declared = Object.assign({}, ...builtin.map(({ settings }) => settings?.declared ?? {}))

let clickhouse: Awaited<ReturnType<typeof startClickhouseServer>>
let root: string
let folders = 0
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'renown-serve-'))
  clickhouse = await startClickhouseServer()
}, 90_000)
afterAll(async () => {
  await clickhouse.stop()
  rmSync(root, { recursive: true, force: true })
})

const configOf = (dataDir: string) =>
  readConfig(
    { PORT: '0', INGEST_PORT: '0', RENOWN_DATA_DIR: dataDir, CLICKHOUSE_URL: clickhouse.url },
    declared,
  )

/** A counter that says what it was told and when it was stopped. */
function counterOf(events: string[]) {
  const told: SitesFeed[] = []
  const ingest = {
    fetch: () => Response.json({ counter: true }),
    // It takes a while, as in a process of its own.
    setSites: async (feed: SitesFeed) => {
      await passTime(20)
      told.push(feed)
    },
    signals: () => ({}),
    ranges: { status: () => [] },
    stop: async () => void events.push('counter stopped'),
  } as unknown as Ingest
  const create: CreateIngest = async ({ sites }) => {
    told.push(sites)
    return ingest
  }
  return { told, create }
}

const depsOf = (create: CreateIngest): ServeDeps => ({
  clock: { now: () => new Date() },
  log: quietLog,
  loadIngest: async () => create,
})

describe('the product in one process', () => {
  test('answers on both ports, tells the counter of new sites at once, and leaves nothing behind', async () => {
    const dataDir = join(root, `d${++folders}`)
    const events: string[] = []
    const { told, create } = counterOf(events)
    const product = await serve(builtin, configOf(dataDir), depsOf(create))
    // Whoever is shown a token can use it.
    expect(told.at(-1)?.sites.map(({ domain }) => domain)).toEqual(['localhost'])
    const { apiUrl, ingestUrl } = product.config
    expect((await fetch(`${apiUrl}/healthz`)).status).toBe(200)
    expect(await (await fetch(`${ingestUrl}/anything`)).json()).toEqual({ counter: true })

    const body = JSON.stringify({ domain: 'example.com' })
    const request = new Request('http://renown/command?name=site%20create', { method: 'POST', body })
    expect((await product.admin(request)).status).toBe(200)
    await waitFor(() => told.at(-1)?.sites.length === 2, { what: 'news of the site' })

    await Promise.all([product.stop(), product.stop()])
    expect(events).toEqual(['counter stopped'])
    for (const url of [apiUrl, ingestUrl]) await expect(fetch(url)).rejects.toThrow()
    expect(existsSync(join(dataDir, 'renown.sock'))).toBe(false)
    expect(existsSync(join(dataDir, 'renown.pid'))).toBe(false)

    const again = await serve(builtin, configOf(dataDir), depsOf(create))
    expect(again.first).toMatchObject({ isFirst: false, agency_id: product.first?.agency_id ?? '' })
    await again.stop()
  }, 90_000)

  test('a counter that cannot start closes everything that was opened before it, and no secret is made in vain', async () => {
    const dataDir = join(root, `d${++folders}`)
    const failing = depsOf(() => Promise.reject(new Error('no journal')))
    await expect(serve(builtin, configOf(dataDir), failing)).rejects.toThrow(
      'The ingest cannot start: no journal',
    )
    const product = await serve(builtin, configOf(dataDir), depsOf(counterOf([]).create))
    expect(product.first).toMatchObject({ isFirst: true, agent_key: expect.any(String) })
    await product.stop()
  }, 90_000)

  test('plugins that contradict each other are said to before anything is touched', async () => {
    const dataDir = join(root, `d${++folders}`)
    const odd = definePlugin({ name: 'odd', renown: '^1.0.0', needs: ['nobody'] })
    await expect(serve([odd], configOf(dataDir), depsOf(counterOf([]).create))).rejects.toThrow('nobody')
    expect(existsSync(dataDir)).toBe(false)
  })

  test('without ports it opens the stores for a command and makes no installation', async () => {
    const dataDir = join(root, `d${++folders}`)
    const deps = { ...depsOf(counterOf([]).create), listen: false }
    const product = await serve(builtin, configOf(dataDir), deps)
    expect(product.first).toBeNull()
    const status = await (await product.admin(new Request('http://renown/status'))).json()
    expect(status).toMatchObject({ documents: 'sqlite', columns: 'clickhouse' })
    await product.stop()
  }, 90_000)
})
