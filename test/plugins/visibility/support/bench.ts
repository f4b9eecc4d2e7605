import type { Row } from '../../../../core/contracts/entity'
import { tenancy } from '../../../../core/product/tenancy-plugin'
import visibility from '../../../../plugins/visibility'
import { VisibilityPrompt } from '../../../../plugins/visibility/records/VisibilityPrompt'
import { VisibilityRun } from '../../../../plugins/visibility/records/VisibilityRun'
import { VisibilityTracker } from '../../../../plugins/visibility/records/VisibilityTracker'
import { workbench } from '../../../support/workbench'

export type Ran = Partial<Row<typeof VisibilityRun>>
const stamps = { created_date: '2026-01-01T00:00:00.000Z', updated_date: '2026-01-01T00:00:00.000Z' }

/** A tracker `vtr_1` of the brand Acme with the competitors Beta and Gamma, on a workbench whose now is 2026-03-15T12:00Z. */
export async function visibilityBench() {
  const bench = await workbench([tenancy, visibility])
  let n = 0
  const tracker = async (row: Partial<Row<typeof VisibilityTracker>> = {}) => {
    await bench.collection(VisibilityTracker).insert({
      id: 'vtr_1',
      workspace_id: 'wsp_1',
      location_id: 'loc_1',
      name: 'Acme tracker',
      brand_name: 'Acme',
      brand_aliases: [],
      competitors: [{ name: 'Beta' }, { name: 'Gamma', domain: 'gamma.example' }],
      engines: ['chatgpt', 'claude'],
      provider: 'recorded',
      is_active: true,
      run_frequency_hours: 24,
      ...stamps,
      ...row,
    })
  }
  await tracker()
  return {
    bench,
    tracker,
    async prompt(id: string, row: Partial<Row<typeof VisibilityPrompt>> = {}) {
      const base = { workspace_id: 'wsp_1', tracker_id: 'vtr_1', location_id: 'loc_1', text: `${id}?` }
      const rest = {
        language: 'en',
        country: 'GB',
        tags: [],
        intent: 'local',
        status: 'active',
        source: 'user',
      } as const
      await bench.collection(VisibilityPrompt).insert({ id, ...base, ...rest, ...stamps, ...row })
    },
    async run(row: Ran = {}) {
      n++
      await bench.collection(VisibilityRun).insert({
        id: `vru_${n}`,
        workspace_id: 'wsp_1',
        tracker_id: 'vtr_1',
        prompt_id: 'vpr_1',
        location_id: 'loc_1',
        engine: 'chatgpt',
        provider: 'recorded',
        access: 'recorded',
        country: 'GB',
        started_at: '2026-03-10T12:00:00.000Z',
        status: 'ok',
        answer_text: 'Acme',
        search_queries: [],
        citations: [],
        brand_mentioned: false,
        brand_cited: false,
        competitor_mentions: [],
        definition_version: 'visibility@1',
        batch_id: 'b',
        ...stamps,
        ...row,
      })
      return row.id ?? `vru_${n}`
    },
    ask: bench.ask,
  }
}
export type VisibilityBench = Awaited<ReturnType<typeof visibilityBench>>
