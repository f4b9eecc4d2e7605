import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Row } from 'renown'
import { demoOf } from '../../../../core/demo/create'
import { tenancy } from '../../../../core/product/tenancy-plugin'
import leads from '../../../../plugins/leads'
import traffic from '../../../../plugins/traffic'
import visibility from '../../../../plugins/visibility'
import type { VisibilityRun } from '../../../../plugins/visibility/records/VisibilityRun'
import { part } from '../../../support/part'
import { type Workbench, workbench } from '../../../support/workbench'
import { bareRates } from '../support/bare-rates'

let bench: Workbench
let workspace = ''
let tracker_id = ''
let location_id = ''
let prompt_id = ''
beforeAll(async () => {
  const plugins = [tenancy, visibility, traffic, leads]
  bench = await workbench(plugins)
  bench.now = new Date('2026-11-20T12:00:00.000Z')
  const { sets } = demoOf(plugins, { seed: 'renown', today: '2026-11-20' })
  for (const set of sets) {
    if (!('entity' in set)) continue
    for (const row of set.rows)
      await bench.collection(set.entity).insert(part({ updated_date: '2026-11-19T00:00:00.000Z', ...row }))
    const first = set.entity.name === 'VisibilityRun' ? (set.rows[0] as Row<typeof VisibilityRun>) : null
    if (first)
      ({
        tracker_id,
        prompt_id,
        location_id,
        workspace_id: workspace,
      } = first as typeof first & { workspace_id: string })
  }
})
afterAll(() => bench.stop())

/** What each read is asked for. A new operation must be added here. */
const inputs = (): Record<string, readonly Record<string, unknown>[]> => ({
  getVisibilityCountries: [{}, { search: 'land' }],
  getVisibilitySummary: [{}, { days: 90 }, { location_id, engine: 'chatgpt' }, { days: 1 }],
  getPromptPerformance: [{ tracker_id }, { tracker_id, days: 90 }],
  getShareOfVoice: [{ tracker_id }, { tracker_id, days: 90 }],
  listCitedSources: [{ location_id }, { days: 7 }],
  getAnswer: [{ prompt_id }],
  getPageJourney: [{ path: '/' }, { path: '/pricing', location_id, days: 30 }],
  reconcileVisibility: [
    {
      location_id,
      rulers: ['visibility.mention_rate@2', 'visibility.mention_rate@1', 'otterly.brand_coverage@1'],
    },
    { rulers: ['peec.share_of_voice@1', 'profound.visibility@1'], days: 90 },
    { rulers: ['visibility.position@1', 'peec.position@1'] },
  ],
})

const reads = (visibility.operations ?? []).filter((one) => one.class === 'read')

test.each(reads.map((one) => [one.name, one] as const))(
  '%s gives no rate without its counts, its interval and its definition',
  async (name, operation) => {
    const asked = inputs()[name]
    expect(asked ?? `give ${name} an input here`).toBeArray()
    for (const input of asked ?? []) {
      const answer = await bench.ask(operation, input, { workspace })
      expect(bareRates(answer)).toEqual([])
    }
  },
)

test('the walk finds a bare rate wherever it stands and whatever it is called', () => {
  const whole = { definition: 'd@1', k: 1, n: 2, rate: 0.5, ci95: [0.1, 0.9] }
  expect(bareRates({ list: [{ share: whole }], totals: whole })).toEqual([])
  expect(bareRates({ list: [{ share: 0.5 }], half: 0.5, mention_rate: 1, mention_rate_ci: [0, 1] })).toEqual([
    '/list/0/share',
    '/half',
    '/mention_rate',
  ])
  const { ci95: _, ...cut } = whole
  expect(bareRates({ totals: cut })).toEqual(['/totals/rate'])
})
