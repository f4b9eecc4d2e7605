import { definePlugin } from 'renown'
import * as v from 'valibot'
import { everything, where } from '../../core/contracts/where'
import { Job } from '../../core/jobs/Job'
import { startWorker } from '../../core/jobs/worker'
import { corePlugins } from '../../core/product/core-plugins'
import visibility from '../../plugins/visibility'
import { type VisibilityEngine, visibilityEngine } from '../../plugins/visibility/engines/engine'
import { VisibilityPrompt } from '../../plugins/visibility/records/VisibilityPrompt'
import { VisibilityRun } from '../../plugins/visibility/records/VisibilityRun'
import { VisibilityTracker } from '../../plugins/visibility/records/VisibilityTracker'
import { type Gate, startGate } from '../support/harness'
import { quietLog } from '../support/quiet-log'

const promptCount = Number(process.env.RENOWN_BENCH_PROMPTS ?? 1_000)
const engineNames = ['chatgpt', 'claude', 'gemini', 'perplexity', 'grok']
/** How long a stand-in takes for an answer. */
const answerMs = Number(process.env.RENOWN_BENCH_ANSWER_MS ?? 20)
const probeEveryMs = 100

const answer = `For boilers in Leeds I recommend Beta. ${'People praise its prices and its opening hours. '.repeat(15)}Acme is fine too.`

const engineOf = (engine: string): VisibilityEngine => ({
  name: `${engine}-bench`,
  engine,
  label: engine,
  provider: 'direct',
  access: 'api',
  place: 'country',
  needs: () => [],
  model: () => 'model-1',
  async ask() {
    await Bun.sleep(answerMs)
    return {
      ended: 'complete',
      text: answer,
      cited: [{ url: 'https://beta.example/' }],
      consulted: [],
      queries: ['boilers leeds'],
      searchCalls: 1,
      modelAsked: 'model-1',
      modelAnswered: 'model-1a',
      placePinned: 'country',
      cost: { usd: 0.01, basis: 'computed' },
      raw: { text: answer },
    }
  },
})

const waits: number[] = []
const probe = definePlugin({
  name: 'probe',
  summary: 'A job of somebody else',
  renown: '^1.0.0',
  queues: {
    probe: {
      summary: 'Says when it ran',
      payload: v.strictObject({ at: v.number() }),
      run: async (_, { at }) => {
        waits.push(performance.now() - at)
      },
    },
  },
})

/**
 * One round of a tracker: 1,000 prompts, five assistants that answer within 20 ms, on SQLite in memory. Prints the CPU of a
 * question beside that of storing three plain rows, and how long jobs of another queue wait beside an idle product.
 */
export async function run(): Promise<void> {
  const engines = definePlugin({
    name: 'engines',
    summary: 'Stand-ins',
    renown: '^1.0.0',
    needs: ['visibility'],
    provides: engineNames.map((name) => visibilityEngine.with(engineOf(name))),
  })
  const gate = await startGate({
    plugins: [...corePlugins, visibility, engines, probe],
    reaches: true,
    settings: { VISIBILITY_SEARCHES_PER_DAY: '1000000' },
  })
  const { queues } = gate.registry
  const deps = { queues, documents: gate.documents, owner: gate.owner, clock: gate.clock, log: quietLog }
  const worker = startWorker({ ...deps, pollEveryMs: 20 })
  // Time passes for the product as it does here: the next pass of a round is due a second later.
  const began = performance.now()
  let passed = 0
  const tick = setInterval(() => {
    const now = Math.floor((performance.now() - began) * 20)
    gate.clock.advance(now - passed)
    passed = now
  }, 5)
  try {
    await probed(gate, 20)
    const idle = percentiles(waits.splice(0))
    const tracker_id = await seed(gate)
    const cpu = process.cpuUsage()
    const start = performance.now()
    const { workspaceId: workspace_id } = gate.tenant
    await gate.owner.enqueue('visibility-round', { workspace_id, payload: { tracker_id, manual: true } })
    const all = promptCount * engineNames.length
    while ((await gate.owner.rows(VisibilityRun).count(everything)) < all) await probed(gate, 1)
    const seconds = (performance.now() - start) / 1_000
    const used = process.cpuUsage(cpu)
    const each = (used.user + used.system) / all
    const busy = percentiles(waits.splice(0))
    const floor = await storing(gate)
    const tracker = await gate.owner.rows(VisibilityTracker).get(tracker_id)
    const summary = tracker?.last_run_summary
    console.log(
      `${all} questions (${promptCount} prompts × ${engineNames.length}) in ${seconds.toFixed(1)} s: ${summary?.ran} answered, ${summary?.errors ?? 0} failed, searches ${summary?.quota_used} of ${summary?.quota_limit}`,
    )
    console.log(
      `CPU of a question ${each.toFixed(0)} µs; storing three rows ${floor.toFixed(0)} µs: ${(each / floor).toFixed(1)} ×`,
    )
    console.log(
      `another job waits p50 ${busy.p50.toFixed(0)} ms, p99 ${busy.p99.toFixed(0)} ms; idle p50 ${idle.p50.toFixed(0)} ms, p99 ${idle.p99.toFixed(0)} ms`,
    )
  } finally {
    clearInterval(tick)
    await worker.stop()
    await gate.stop()
  }
}

/** Puts jobs of another queue, one every 100 ms, and waits until they ran. */
async function probed(gate: Gate, count: number): Promise<void> {
  const before = waits.length
  const { workspaceId: workspace_id } = gate.tenant
  for (let n = 0; n < count; n++) {
    await gate.owner.enqueue('probe', { workspace_id, payload: { at: performance.now() } })
    await Bun.sleep(probeEveryMs)
  }
  while (waits.length < before + count) await Bun.sleep(5)
}

async function seed(gate: Gate): Promise<string> {
  const { workspaceId: workspace_id } = gate.tenant
  const { id } = await gate.owner.rows(VisibilityTracker).insert({
    workspace_id,
    location_id: 'loc_1',
    name: 'Acme',
    brand_name: 'Acme',
    brand_aliases: [],
    competitors: [{ name: 'Beta' }],
    engines: [...engineNames],
    provider: 'direct',
    is_active: true,
    run_frequency_hours: 24,
    brand_domain: 'acme.example',
  })
  await gate.owner.rows(VisibilityPrompt).insertMany(
    Array.from({ length: promptCount }, (_, n) => ({
      workspace_id,
      tracker_id: id,
      location_id: 'loc_1',
      text: `Who repairs boilers in street ${n}?`,
      language: 'en',
      country: 'GB',
      tags: [],
      intent: 'local',
      status: 'active',
      source: 'user',
    })),
  )
  return id
}

/** CPU of storing three plain rows, in µs. */
async function storing(gate: Gate): Promise<number> {
  const rows = gate.documents.collection(Job)
  const count = 1_000
  const cpu = process.cpuUsage()
  const stamp = new Date().toISOString()
  for (let n = 0; n < count * 3; n++) {
    await rows.insert({
      id: `job_floor_${n}`,
      workspace_id: 'wsp_floor',
      queue: 'none',
      payload: { text: answer },
      status: 'done',
      attempt: 0,
      run_at: stamp,
      created_date: stamp,
      updated_date: stamp,
    } as never)
  }
  const { user, system } = process.cpuUsage(cpu)
  await rows.remove(where.eq('workspace_id', 'wsp_floor'))
  return (user + system) / count
}

function percentiles(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}
