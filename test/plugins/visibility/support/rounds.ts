import { definePlugin, ServiceFault } from 'renown'
import type { Row } from '../../../../core/contracts/entity'
import type { Task } from '../../../../core/contracts/queue'
import { Job } from '../../../../core/jobs/Job'
import { createCorrect, createSpend } from '../../../../core/outbound/limits/allowance'
import { corePlugins } from '../../../../core/product/core-plugins'
import visibility from '../../../../plugins/visibility'
import {
  type CostLimit,
  type EngineQuestion,
  type EngineReply,
  type VisibilityEngine,
  visibilityEngine,
} from '../../../../plugins/visibility/engines/engine'
import { VisibilityAnswer } from '../../../../plugins/visibility/records/VisibilityAnswer'
import { VisibilityPrompt } from '../../../../plugins/visibility/records/VisibilityPrompt'
import { VisibilityRun } from '../../../../plugins/visibility/records/VisibilityRun'
import { VisibilitySlot } from '../../../../plugins/visibility/records/VisibilitySlot'
import { VisibilityTracker } from '../../../../plugins/visibility/records/VisibilityTracker'
import { dueTrackers } from '../../../../plugins/visibility/runs/dueTrackers'
import { removeOldSlots } from '../../../../plugins/visibility/runs/lost-slots'
import { runRound } from '../../../../plugins/visibility/runs/runRound'
import { type Workbench, workbench } from '../../../support/workbench'

/** A question as an engine of the world got it. */
export interface Asked extends EngineQuestion {
  readonly engine: string
}

/** What an engine of the world does with a question: an answer, or a fault that it throws. */
export type Behaviour = (
  asked: Asked,
  place: number,
) => Partial<EngineReply> | Error | Promise<Partial<EngineReply>>

const reply = (text: string): EngineReply => ({
  ended: 'complete',
  text,
  cited: [],
  consulted: [],
  queries: ['q'],
  searchCalls: 1,
  modelAsked: 'model-1',
  modelAnswered: 'model-1a',
  placePinned: 'country',
  cost: { usd: 0.01, basis: 'computed' },
  raw: { text },
})

/** Trackers whose engines `chatgpt` and `claude` behave as the test says, under a clock of the test's. */
export async function roundsWorld(
  settings: Record<string, string> = {},
  { searchesLimit }: { readonly searchesLimit?: number } = {},
) {
  const asked: Asked[] = []
  const world = {
    behave: ((one) => ({ text: `Acme answers ${one.prompt}` })) as Behaviour,
    needs: {} as Record<string, string[]>,
    /** What a question can cost at most. */
    limit: { usd: 0.01 } as CostLimit,
  }
  const engineOf = (engine: string): VisibilityEngine => ({
    name: `${engine}-test`,
    engine,
    label: engine,
    provider: 'direct',
    access: 'api',
    place: 'country',
    needs: () => world.needs[engine] ?? [],
    model: () => 'model-1',
    costLimit: () => world.limit,
    ...(searchesLimit === undefined ? {} : { searchesLimit }),
    async ask(_, question) {
      const place = asked.push({ ...question, engine }) - 1
      const behaved = await world.behave({ ...question, engine }, place)
      if (behaved instanceof Error) throw behaved
      return { ...reply(''), ...behaved }
    },
  })
  const engines = definePlugin({
    name: 'engines',
    summary: 'Engines of the test',
    renown: '^1.0.0',
    needs: ['visibility'],
    provides: [visibilityEngine.with(engineOf('chatgpt')), visibilityEngine.with(engineOf('claude'))],
  })
  const clock = { now: () => bench.now }
  const bench: Workbench = await workbench(
    [...corePlugins, visibility, engines],
    (documents) => ({
      spend: createSpend({ documents, clock }),
      correct: createCorrect({ documents, clock }),
    }),
    { settings },
  )
  const { owner } = bench
  const { workspace_id = '' } = await bench.command('agency create', { name: 'Acme' })
  const rows = owner.rows(VisibilityTracker)
  const taskOf = (more: Partial<Task>): Task => ({
    id: 'job_1',
    workspace_id,
    attempt: 1,
    signal: new AbortController().signal,
    saved: {},
    hold: async () => {},
    progress: async () => {},
    save: async () => {},
    ...more,
  })
  return {
    bench,
    owner,
    workspace_id,
    asked,
    world,
    async tracker(more: Partial<Row<typeof VisibilityTracker>> = {}) {
      const made = await rows.insert({
        workspace_id,
        location_id: 'loc_1',
        name: 'Acme',
        brand_name: 'Acme',
        brand_aliases: [],
        brand_domain: 'acme.example',
        competitors: [{ name: 'Beta' }],
        engines: ['chatgpt', 'claude'],
        provider: 'direct',
        is_active: true,
        run_frequency_hours: 24,
        due_at: bench.now.toISOString(),
        ...more,
      })
      return made.id
    },
    async prompts(tracker_id: string, count: number, text = 'Who is a good plumber') {
      for (let place = 0; place < count; place++) {
        await owner.rows(VisibilityPrompt).insert({
          workspace_id,
          tracker_id,
          location_id: 'loc_1',
          text: `${text} ${place}?`,
          language: 'en',
          country: 'GB',
          tags: [],
          intent: 'local',
          status: 'active',
          source: 'user',
        })
      }
    },
    round: (
      tracker_id: string,
      { manual = false, ...more }: Partial<Task> & { manual?: boolean } = {},
      ctx = owner,
    ) => runRound.run(ctx, { tracker_id, manual }, taskOf(more)),
    bury: (tracker_id: string, message: string) =>
      runRound.onDeadLetter?.(
        owner,
        { tracker_id, manual: false },
        { kind: 'transient', message },
        taskOf({}),
      ),
    due: () => dueTrackers.run(owner, new AbortController().signal),
    removeOld: () => removeOldSlots.run(owner, new AbortController().signal),
    jobs: async () => (await owner.rows(Job).list()).filter(({ queue }) => queue === 'visibility-round'),
    read: (tracker_id: string) => rows.get(tracker_id) as Promise<Row<typeof VisibilityTracker>>,
    runs: () => owner.rows(VisibilityRun).list({ limit: 10_000 }),
    slots: () => owner.rows(VisibilitySlot).list({ limit: 10_000 }),
    answers: () => owner.rows(VisibilityAnswer).list({ limit: 10_000 }),
    at(time: string) {
      bench.now = new Date(time)
    },
    stop: () => bench.stop(),
  }
}
export type RoundsWorld = Awaited<ReturnType<typeof roundsWorld>>

export const limitedFault = (retryAfterMs?: number) =>
  new ServiceFault('rate', 'Too many requests', {
    code: '429',
    delivery: 'refused' as const,
    ...(retryAfterMs ? { retryAfterMs } : {}),
  })
export const refusedFault = () =>
  new ServiceFault('permanent', 'The key is refused', { code: '401', delivery: 'refused' })
export const brokenFault = () => new ServiceFault('transient', 'The engine answered 503', { code: '503' })
