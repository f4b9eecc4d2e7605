import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { corePlugins } from '../../../../core/product/core-plugins'
import { gatewayPlugin } from '../../../../core/product/gateway-plugin'
import { createRegistry } from '../../../../core/registry/registry'
import { openMongo } from '../../../../core/stores/documents/mongo'
import type { Documents } from '../../../../core/stores/documents/port'
import { newDocument } from '../../../../core/stores/documents/row-writes'
import { openSqlite } from '../../../../core/stores/documents/sqlite'
import visibility from '../../../../plugins/visibility'
import { VisibilityPrompt } from '../../../../plugins/visibility/records/VisibilityPrompt'
import { VisibilityRun } from '../../../../plugins/visibility/records/VisibilityRun'
import { VisibilitySlot } from '../../../../plugins/visibility/records/VisibilitySlot'
import { VisibilityTracker } from '../../../../plugins/visibility/records/VisibilityTracker'
import { lostBatch } from '../../../../plugins/visibility/runs/lost-slots'
import { mongoUri } from '../../../support/mongo'
import { testWith } from '../../../support/needs'
import { quietLog as log } from '../../../support/quiet-log'
import { randomSource } from '../../../support/random-documents'
import { happensWithin, passTime, waitFor } from '../../../support/wait-for'

const kills = Number(process.env.RENOWN_KILLS ?? (process.env.RENOWN_LONG === '1' ? 200 : 2))
const promptCount = 60
/** 80 of the 120 questions of a day. */
const searchesPerDay = 240
const usdPerMonth = 2.5
const runner = resolve(import.meta.dir, '../support/round-runner.ts')
const start = Date.parse('2026-03-15T00:05:00.000Z')
/** With steps of 40 minutes, no process lives across midnight. */
const stepMs = 40 * 60_000
const everything = { op: 'and', of: [] } as const
const registry = createRegistry([...new Set([gatewayPlugin, ...corePlugins]), visibility])

/** An engine that counts each question, answers late, and loses some answers. */
function countingEngine(random: { below(max: number): number }) {
  const asked = new Map<string, number>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { engine, prompt, day } = (await request.json()) as Record<string, string>
      const key = `${engine} ${prompt} ${day}`
      asked.set(key, (asked.get(key) ?? 0) + 1)
      await passTime(random.below(40))
      return random.below(10) === 0
        ? new Response('lost', { status: 503 })
        : new Response(`I recommend Acme. ${prompt}`)
    },
  })
  return { asked, url: server.url.href, stop: () => server.stop(true) }
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'renown-rounds-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function seed(documents: Documents) {
  await documents.ensure([...registry.entities.values()])
  const now = new Date(start)
  const base = { workspace_id: 'wsp_1', location_id: 'loc_1' }
  const tracker = newDocument(
    VisibilityTracker,
    {
      ...base,
      name: 'Acme',
      brand_name: 'Acme',
      brand_aliases: [],
      competitors: [],
      engines: ['chatgpt', 'claude'],
      provider: 'direct',
      is_active: true,
      run_frequency_hours: 24,
      budget: { search_calls_per_day: searchesPerDay, usd_per_month: usdPerMonth },
      due_at: now.toISOString(),
    },
    'wsp_1',
    now,
  )
  await documents.collection(VisibilityTracker).insert(tracker)
  for (let place = 0; place < promptCount; place++) {
    const prompt = {
      ...base,
      tracker_id: tracker.id,
      text: `Who is good at ${place}?`,
      language: 'en',
      country: 'GB',
      tags: [],
      intent: 'local',
      status: 'active',
      source: 'user',
    }
    await documents.collection(VisibilityPrompt).insert(newDocument(VisibilityPrompt, prompt, 'wsp_1', now))
  }
  return tracker.id
}

const slotKey = (one: {
  engine: string
  prompt_id: string
  country: string
  local_day?: string | undefined
}) => `${one.engine} ${one.prompt_id} ${one.country} ${one.local_day}`

/** Each slot was asked at most once and has one run, each lost one is in a summary, and no budget was exceeded. */
async function verify(documents: Documents, asked: ReadonlyMap<string, number>, summaries: string) {
  expect([...asked].filter(([, times]) => times > 1)).toEqual([])
  const slots = await documents.collection(VisibilitySlot).find({ where: everything })
  const runs = await documents.collection(VisibilityRun).find({ where: everything })
  expect(runs.map(slotKey).sort()).toEqual(slots.map(slotKey).sort())
  expect(asked.size).toBeLessThanOrEqual(slots.length)
  const lost = runs.filter(({ batch_id }) => batch_id === lostBatch)
  const told = existsSync(summaries) ? (await readFile(summaries, 'utf8')).trim().split('\n') : []
  const parsed = told.map((line) => JSON.parse(line) as { lost?: number; error_samples?: string[] })
  expect(parsed.reduce((sum, one) => sum + (one.lost ?? 0), 0)).toBeGreaterThanOrEqual(lost.length)
  for (const one of parsed.filter((each) => each.lost))
    expect(one.error_samples?.join(' ')).toContain('stopped while the engine was asked')
  const days = Map.groupBy([...asked.keys()], (key) => key.split(' ').at(-1))
  for (const list of days.values()) expect(list.length * 3).toBeLessThanOrEqual(searchesPerDay)
  // Each question that reached the engine is counted, whatever became of its answer.
  const usd = runs.reduce((sum, { cost = 0 }) => sum + cost, 0)
  expect(Math.round(usd * 100) / 100).toBeLessThanOrEqual(usdPerMonth)
  expect(Math.round(asked.size)).toBeLessThanOrEqual(Math.round(usd * 100))
  return { asked: asked.size, lost: lost.length, usd }
}

async function killRounds(store: string, open: () => Promise<Documents>) {
  const random = randomSource(17)
  const engine = countingEngine(random)
  const summaries = join(folder, 'summaries')
  const begin = async (at: number) => {
    const args = [runner, store, engine.url, summaries, new Date(at).toISOString()]
    const child = Bun.spawn([process.execPath, ...args], { stdout: 'pipe', stderr: 'inherit' })
    await child.stdout.getReader().read()
    return child
  }
  try {
    const first = await open()
    const tracker = await seed(first)
    await first.close()
    let at = start
    for (let kill = 0; kill < kills; kill++) {
      const child = await begin(at)
      const before = engine.asked.size
      // Most are killed while questions are asked, some before.
      if (random.below(5) > 0) {
        await happensWithin(1_000, () => engine.asked.size > before)
      }
      await passTime(random.below(60))
      child.kill('SIGKILL')
      await child.exited
      at += stepMs
    }
    const documents = await open()
    const idle = async () => {
      const row = await documents.collection(VisibilityTracker).get(tracker)
      return (row?.due_at ?? '') > new Date(at + 30_000).toISOString()
    }
    const unsettled = () =>
      documents.collection(VisibilitySlot).count({ op: 'eq', field: 'settled_at', value: null })
    // A job that died three times waits for an hour, so the first process may have nothing to do.
    for (let turn = 0; turn < 4 && (turn < 2 || (await unsettled()) > 0); turn++) {
      const last = await begin(at)
      await waitFor(idle, { what: 'the round to be over', timeoutMs: 60_000 })
      // Claims of lost questions are settled right after the summary is stored.
      await happensWithin(3_000, async () => (await unsettled()) === 0)
      last.kill('SIGKILL')
      await last.exited
      at += 2 * stepMs
    }
    expect(await unsettled()).toBe(0)
    const found = await verify(documents, engine.asked, summaries)
    await documents.close()
    return found
  } finally {
    await engine.stop()
  }
}

describe('Rounds whose process is killed', () => {
  test(
    `ask no question twice and lose none silently after ${kills} kills on the embedded store`,
    async () => {
      const path = join(folder, 'documents.db')
      const found = await killRounds(path, () => openSqlite({ path, now: () => new Date(), log }))
      expect(found.asked).toBeGreaterThan(0)
      if (process.env.RENOWN_KILLS) console.log(found)
    },
    120_000 + kills * 20_000,
  )

  testWith('MongoDB')(
    `ask no question twice and lose none silently after ${kills} kills on MongoDB`,
    async () => {
      const uri = mongoUri() ?? ''
      const found = await killRounds(uri, () => openMongo({ uri, now: () => new Date(), log }))
      expect(found.asked).toBeGreaterThan(0)
    },
    120_000 + kills * 20_000,
  )
})
