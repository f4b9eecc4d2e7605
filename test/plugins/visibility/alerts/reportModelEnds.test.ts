import { afterEach, beforeEach, expect, test } from 'bun:test'
import { definePlugin, ServiceFault } from 'renown'
import { corePlugins } from '../../../../core/product/core-plugins'
import { Notification } from '../../../../core/tenancy/news/Notification'
import visibility from '../../../../plugins/visibility'
import { reportModelEnds } from '../../../../plugins/visibility/alerts/reportModelEnds'
import {
  type EngineModel,
  type VisibilityEngine,
  visibilityEngine,
} from '../../../../plugins/visibility/engines/engine'
import { VisibilityTracker } from '../../../../plugins/visibility/records/VisibilityTracker'
import { type Workbench, workbench } from '../../../support/workbench'

let bench: Workbench
/** The models that each engine lists; a fault where it cannot be read. */
let lists: Record<string, readonly EngineModel[] | Error>
let workspaces: string[]

const engineOf = (engine: string, modelSetting?: string): VisibilityEngine => ({
  name: `${engine}-test`,
  engine,
  label: engine.toUpperCase(),
  provider: 'direct',
  access: 'api',
  place: 'country',
  ...(modelSetting ? { modelSetting } : {}),
  needs: () => (engine === 'gemini' ? ['GEMINI_API_KEY'] : []),
  model: () => 'model-1',
  ask: () => Promise.reject(new Error('nobody asks')),
  async models() {
    const list = lists[engine] ?? []
    if (list instanceof Error) throw list
    return list
  },
})

beforeEach(async () => {
  const engines = definePlugin({
    name: 'engines',
    summary: 'Engines of the test',
    renown: '^1.0.0',
    needs: ['visibility'],
    provides: [
      visibilityEngine.with(engineOf('chatgpt', 'CHATGPT_MODEL')),
      ...['claude', 'gemini'].map((name) => visibilityEngine.with(engineOf(name))),
    ],
  })
  bench = await workbench([...corePlugins, visibility, engines])
  bench.now = new Date('2026-03-15T12:00:00.000Z')
  const { workspace_id = '' } = await bench.command('agency create', { name: 'One' })
  const two = await bench.command('agency create', { name: 'Two' })
  workspaces = [workspace_id, two.workspace_id ?? '']
  lists = {}
})
afterEach(() => bench.stop())

let count = 0
const tracker = (workspace: number, more: Record<string, unknown> = {}) =>
  bench.owner.rows(VisibilityTracker).insert({
    workspace_id: workspaces[workspace] ?? '',
    location_id: `loc_${count++}`,
    name: 'Acme',
    brand_name: 'Acme',
    brand_aliases: [],
    competitors: [],
    engines: ['chatgpt', 'claude', 'gemini'],
    provider: 'direct',
    is_active: true,
    run_frequency_hours: 24,
    ...more,
  })
const run = () => reportModelEnds.run(bench.owner, new AbortController().signal)
const news = async () =>
  (await bench.owner.rows(Notification).list()).map(({ workspace_id, type, title, body }) => ({
    workspace_id,
    type,
    title,
    body,
  }))

test('A model that ends within 60 days is told once to each workspace that asks for it', async () => {
  await tracker(0)
  await tracker(0)
  await tracker(1, { engines: ['claude'] })
  lists.chatgpt = [{ id: 'model-1', endsOn: '2026-05-14' }, { id: 'model-2' }]
  lists.claude = [{ id: 'model-1', endsOn: '2026-05-15' }]
  await run()
  await run()
  expect(await news()).toEqual([
    {
      workspace_id: workspaces[0] ?? '',
      type: 'visibility_model_end',
      title: 'CHATGPT: the model model-1 ends on 14 May 2026',
      body: 'Your trackers ask CHATGPT for this model. Set CHATGPT_MODEL to another model before that day, or ask the operator of Renown to do so. Answers of another model begin a new series: rates before and after it are not comparable.',
    },
  ])
  bench.now = new Date('2026-03-17T12:00:00.000Z')
  await run()
  expect((await news()).map(({ workspace_id, title }) => `${workspace_id} ${title}`).sort()).toEqual(
    [
      `${workspaces[0]} CHATGPT: the model model-1 ends on 14 May 2026`,
      `${workspaces[0]} CLAUDE: the model model-1 ends on 15 May 2026`,
      `${workspaces[1]} CLAUDE: the model model-1 ends on 15 May 2026`,
    ].sort(),
  )
})

test('An end that the engine moves, and one that has come, are told again', async () => {
  await tracker(0)
  for (const list of [
    [{ id: 'model-1', endsOn: '2026-04-01' }],
    [{ id: 'model-1', endsOn: '2026-04-20' }],
    [{ id: 'model-1', isRetired: true }],
  ]) {
    lists.chatgpt = list
    await run()
  }
  expect((await news()).map(({ title }) => title).sort()).toEqual(
    [
      'CHATGPT: the model model-1 ends on 1 Apr 2026',
      'CHATGPT: the model model-1 ends on 20 Apr 2026',
      'CHATGPT: the model model-1 has ended',
    ].sort(),
  )
})

test('Nothing is told by a list that cannot be read, of engines without access, or where nobody asks', async () => {
  const soon = [{ id: 'model-1', endsOn: '2026-04-01' }]
  await tracker(0, { is_active: false })
  await tracker(0, { provider: 'dataforseo' })
  await tracker(0, { engines: ['gemini', 'claude'] })
  lists = { chatgpt: soon, gemini: soon, claude: new ServiceFault('transient', 'It is down.') }
  await run()
  expect(await news()).toEqual([])
  lists = {
    claude: [
      { id: 'model-1', endsOn: '2027-04-01' },
      { id: 'model-0', endsOn: '2026-04-01' },
    ],
  }
  await run()
  expect(await news()).toEqual([])
})
