import { readContext } from '../../../../core/contexts/context'
import { ownerContext } from '../../../../core/contexts/owner'
import { createSources } from '../../../../core/contexts/sources'
import type { ReadContext } from '../../../../core/contracts/context'
import type { OwnerContext } from '../../../../core/contracts/plugin'
import { shiftDay } from '../../../../core/kit/periods'
import { corePlugins } from '../../../../core/product/core-plugins'
import { gatewayPlugin } from '../../../../core/product/gateway-plugin'
import { Workspace } from '../../../../core/product/tenancy-plugin'
import { createRegistry } from '../../../../core/registry/registry'
import type { Documents } from '../../../../core/stores/documents/port'
import visibility from '../../../../plugins/visibility'
import { VisibilityPrompt } from '../../../../plugins/visibility/records/VisibilityPrompt'
import { VisibilityRun } from '../../../../plugins/visibility/records/VisibilityRun'
import { sumTable } from '../../../../plugins/visibility/records/VisibilitySum'
import { VisibilityTracker } from '../../../../plugins/visibility/records/VisibilityTracker'
import { sealAnswers } from '../../../../plugins/visibility/runs/sealAnswers'
import { freshColumns } from '../../../support/chdb'
import { quietLog as log } from '../../../support/quiet-log'
import { randomSource } from '../../../support/random-documents'

/** A workspace with two trackers, whose runs are in a documents store and in chDB. */
export async function sealedWorld(documents: Documents) {
  const columns = await freshColumns()
  const registry = createRegistry([...new Set([gatewayPlugin, ...corePlugins]), visibility])
  await documents.ensure([...registry.entities.values()].filter(({ store }) => store === 'documents'))
  await columns.ensure([sumTable])
  const world = { now: new Date('2026-03-15T12:00:00.000Z'), timezone: 'Europe/London' }
  const clock = { now: () => world.now }
  let statements = 0
  const query: typeof columns.query = (...given) => {
    statements++
    return columns.query(...given)
  }
  const sources = createSources(documents, { ...columns, query })
  const owner = ownerContext({ registry, documents, columns, clock, log, onChanged: () => {} })
  const made = await owner.rows(Workspace).insert({
    workspace_id: 'agc_1',
    name: 'Acme',
    agency_id: 'agc_1',
    is_home: true,
    timezone: world.timezone,
    locale: 'en-GB',
    plan: 'free',
    locations_count: 0,
    active_locations_count: 0,
    is_active: true,
  })
  const workspace_id = made.id
  const random = randomSource(41)
  const trackers: string[] = []
  const prompts: string[][] = []
  for (const location_id of ['loc_1', 'loc_2']) {
    const { id: tracker_id } = await owner.rows(VisibilityTracker).insert({
      workspace_id,
      location_id,
      name: 'Acme',
      brand_name: 'Acme',
      brand_aliases: [],
      competitors: [{ name: 'Bolt' }, { name: 'Cog' }],
      engines: ['chatgpt', 'claude'],
      provider: 'direct',
      is_active: true,
      run_frequency_hours: 24,
    })
    const own: string[] = []
    for (const text of [
      'Who fixes boilers?',
      'Is Acme good?',
      'Which plumber?',
      'A good roofer?',
      'Who paints?',
    ]) {
      const { id } = await owner.rows(VisibilityPrompt).insert({
        workspace_id,
        tracker_id,
        location_id,
        text,
        language: 'en',
        country: 'GB',
        tags: [],
        intent: 'local',
        status: 'active',
        source: 'user',
      })
      own.push(id)
    }
    trackers.push(tracker_id)
    prompts.push(own)
  }
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)] as T
  const rivals = () =>
    ['Bolt', 'Cog', 'Bolt', 'Dent']
      .filter(() => random.below(3) === 0)
      .map((name) => ({ name, ...(random.below(2) === 0 ? { position: 1 + random.below(4) } : {}) }))
  const citations = () =>
    Array.from({ length: random.below(4) }, (_, place) => {
      const domain = pick(['acme.example', 'yelp.com', 'bolt.example'])
      return {
        domain,
        is_own: domain === 'acme.example',
        cited: random.below(3) > 0,
        ...(random.below(4) > 0 ? { url: `https://${domain}/${random.below(3)}` } : {}),
        ...(random.below(2) > 0 ? { position: place + 1 } : {}),
      }
    })
  const run = (day: string, place: number, prompt: number, engine: string) => {
    // An incident of one engine.
    const isOk = random.below(8) > 0 && (engine !== 'claude' || day !== '2026-02-20')
    const brand_mentioned = isOk && random.below(2) === 0
    // Close to midnight, so that days depend on the time zone.
    const started_at = `${day}T${pick(['00:10', '12:00', '23:40'])}:00.000Z`
    return {
      workspace_id,
      tracker_id: trackers[place] ?? '',
      location_id: `loc_${place + 1}`,
      engine,
      prompt_id: prompts[place]?.[prompt] ?? '',
      provider: 'direct',
      access: 'api' as const,
      country: pick(['GB', 'IE']),
      started_at,
      local_day: day,
      batch_id: 'job_1',
      ...(isOk ? { status: 'ok' as const, answer_text: 'Acme' } : { status: 'error' as const, error: 'x' }),
      search_queries: [],
      citations: isOk ? citations() : [],
      brand_mentioned,
      competitor_mentions: isOk ? rivals() : [],
      ...(isOk && random.below(3) > 0 ? { cost: random.below(9) / 64, cost_basis: 'computed' as const } : {}),
      search_calls: random.below(3),
      brand_cited: isOk && random.below(3) === 0,
      definition_version: 'visibility@2',
      ...(brand_mentioned && random.below(3) > 0 ? { brand_position: 1 + random.below(4) } : {}),
      ...(brand_mentioned ? { stance: pick(['recommended', 'listed'] as const) } : {}),
      ...(random.below(5) > 0 ? { model_asked: day < '2026-03-01' ? 'model-1' : 'model-2' } : {}),
    }
  }
  return {
    world,
    owner,
    columns,
    workspace_id,
    trackers,
    /** Adds the runs of some days: of each, or of each third day for instance. */
    async add(from: string, days: number, step = 1) {
      const rows = Array.from({ length: days }, (_, day) => shiftDay(from, day * step)).flatMap((day) =>
        [0, 1].flatMap((place) =>
          [0, 1, 2, 3, 4].flatMap((prompt) =>
            ['chatgpt', 'claude'].map((engine) => run(day, place, prompt, engine)),
          ),
        ),
      )
      await owner.rows(VisibilityRun).insertMany(rows)
    },
    /** Runs the task that writes columns, at a time when nothing is too new. */
    async seal(ctx: OwnerContext = owner, minutes = 10) {
      world.now = new Date(Math.max(world.now.getTime(), Date.now()) + minutes * 60_000)
      await sealAnswers.run(ctx, new AbortController().signal)
    },
    /** Makes the trackers look as if so many runs were sealed. */
    async resize(runs: number) {
      for (const tracker of await owner.rows(VisibilityTracker).list()) {
        const { sealed } = tracker
        if (sealed) await owner.rows(VisibilityTracker).update(tracker.id, { sealed: { ...sealed, runs } })
      }
    },
    /** How many statements requests have sent to columns. */
    statements: () => statements,
    /** The context of a request. */
    request: (): ReadContext =>
      readContext(
        { registry, sources, now: clock.now },
        {
          workspace: { id: workspace_id, agency_id: 'agc_1', timezone: world.timezone, is_home: true },
          credential: { kind: 'agent_key', agency_id: 'agc_1', platform: false, scopes: ['read'] },
          requestId: 'req_test',
        },
      ),
    async stop() {
      await columns.close()
      await documents.close()
    },
  }
}
export type SealedWorld = Awaited<ReturnType<typeof sealedWorld>>
