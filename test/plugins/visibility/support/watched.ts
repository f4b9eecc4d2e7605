import type { AnyEntity } from '../../../../core/contracts/entity'
import type { OwnerContext } from '../../../../core/contracts/plugin'
import { dayIn, shiftDay } from '../../../../core/kit/periods'
import { corePlugins } from '../../../../core/product/core-plugins'
import { Workspace } from '../../../../core/product/tenancy-plugin'
import { Notification } from '../../../../core/tenancy/news/Notification'
import visibility from '../../../../plugins/visibility'
import { watchTrackers } from '../../../../plugins/visibility/alerts/watchTrackers'
import { VisibilityPrompt } from '../../../../plugins/visibility/records/VisibilityPrompt'
import { VisibilityRun } from '../../../../plugins/visibility/records/VisibilityRun'
import { VisibilityTracker } from '../../../../plugins/visibility/records/VisibilityTracker'
import { VisibilityWatch } from '../../../../plugins/visibility/records/VisibilityWatch'
import { workbench } from '../../../support/workbench'

/** One answer of a day. */
export interface DayAnswer {
  readonly prompt: number
  readonly engine: string
  readonly isMention: boolean
  readonly model?: string
  readonly status?: 'ok' | 'error'
  readonly definition?: string
}

/** Trackers with prompts, whose answers a test writes day by day, and the task that watches them. */
export async function watchedWorld(firstDay = '2026-01-01') {
  const bench = await workbench([...corePlugins, visibility])
  const { owner } = bench
  const { workspace_id = '' } = await bench.command('agency create', { name: 'Acme' })
  const prompts = new Map<string, string[]>()
  const world = {
    bench,
    owner,
    workspace_id,
    day: firstDay,
    async tracker(promptCount: number, more: Record<string, unknown> = {}) {
      const { id } = await owner.rows(VisibilityTracker).insert({
        workspace_id,
        location_id: 'loc_1',
        name: 'Acme',
        brand_name: 'Acme',
        brand_aliases: [],
        competitors: [{ name: 'Beta' }],
        engines: ['chatgpt', 'claude'],
        provider: 'direct',
        is_active: true,
        run_frequency_hours: 24,
        ...more,
      })
      const ids: string[] = []
      for (let place = 0; place < promptCount; place++) {
        const { id: prompt_id } = await owner.rows(VisibilityPrompt).insert({
          workspace_id,
          tracker_id: id,
          location_id: 'loc_1',
          text: `Who is good at ${place}?`,
          language: 'en',
          country: 'GB',
          tags: [],
          intent: 'local',
          status: 'active',
          source: 'user',
        })
        ids.push(prompt_id)
      }
      prompts.set(id, ids)
      return id
    },
    /** Stores the answers of the current day. */
    async answer(tracker_id: string, answers: readonly DayAnswer[]) {
      const ids = prompts.get(tracker_id) ?? []
      await owner.rows(VisibilityRun).insertMany(
        answers.map(({ prompt, engine, isMention, model = 'model-1', status = 'ok', definition }) => ({
          workspace_id,
          tracker_id,
          location_id: 'loc_1',
          prompt_id: ids[prompt] ?? '',
          engine,
          provider: 'direct',
          access: 'api' as const,
          country: 'GB',
          local_day: world.day,
          started_at: `${world.day}T10:00:00.000Z`,
          finished_at: `${world.day}T10:00:09.000Z`,
          model_asked: model,
          status,
          search_queries: [],
          citations: [],
          brand_cited: false,
          brand_mentioned: isMention,
          competitor_mentions: [],
          batch_id: 'job_1',
          definition_version: definition ?? 'visibility@2',
          ...(status === 'ok' ? { answer_text: 'Acme' } : { error: 'It failed.' }),
        })),
      )
    },
    /** Ends the day: the task runs early on the next one. */
    async next(ctx: OwnerContext = owner) {
      world.day = shiftDay(world.day, 1)
      bench.now = new Date(`${world.day}T03:00:00.000Z`)
      await world.watch(ctx)
    },
    watch: (ctx: OwnerContext = owner) => watchTrackers.run(ctx, new AbortController().signal),
    today: () => dayIn('UTC', bench.now),
    news: () =>
      owner.rows(Notification).list({ sort: [{ field: 'created_date', direction: 'asc' }], limit: 10_000 }),
    watches: () => owner.rows(VisibilityWatch).list({ limit: 10_000 }),
    demo: () => owner.rows(Workspace).update(workspace_id, { is_demo: true }),
    rename: (id: string, brand_aliases: string[]) =>
      owner.rows(VisibilityTracker).update(id, { brand_aliases }),
    stop: () => bench.stop(),
  }
  return world
}
export type WatchedWorld = Awaited<ReturnType<typeof watchedWorld>>

/** The context of a process that dies at its nth write: before the write, or right after it. */
export function dyingAt(owner: OwnerContext, nth: number, isBefore: boolean): OwnerContext {
  let writes = 0
  const dying =
    <A extends unknown[], R>(write: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      const dies = writes++ === nth
      if (dies && isBefore) throw new Error('killed')
      const done = await write(...given)
      if (dies) throw new Error('killed')
      return done
    }
  const rows = (entity: AnyEntity) => {
    const real = owner.rows(entity)
    return { ...real, insert: dying(real.insert), update: dying(real.update) }
  }
  return { ...owner, rows, notify: dying(owner.notify) } as OwnerContext
}
