import type { Row } from '../../../../core/contracts/entity'
import { tenancy } from '../../../../core/product/tenancy-plugin'
import { platforms } from '../../../../plugins'
import enrichment from '../../../../plugins/enrichment'
import leads from '../../../../plugins/leads'
import { Mention } from '../../../../plugins/leads/records/Mention'
import posts from '../../../../plugins/posts'
import reviews from '../../../../plugins/reviews'
import { Review } from '../../../../plugins/reviews/records/Review'
import visibility from '../../../../plugins/visibility'
import { type Workbench, workbench } from '../../../support/workbench'

export type Written = Partial<Row<typeof Review>>

/** Reviews and mentions of one workspace, `wsp_1`, on a workbench whose now is 2026-03-15T12:00Z. */
export async function reviewBench() {
  const bench: Workbench = await workbench([
    tenancy,
    enrichment,
    leads,
    posts,
    reviews,
    visibility,
    ...platforms,
  ])
  let n = 0
  const stamps = { created_date: '2026-03-01T00:00:00.000Z', updated_date: '2026-03-01T00:00:00.000Z' }
  return {
    bench,
    async review(row: Written) {
      n++
      const base = {
        id: `rev_${n}`,
        workspace_id: 'wsp_1',
        location_id: 'loc_1',
        source: 'google',
        source_id: `s${n}`,
      } as const
      await bench.collection(Review).insert({ ...base, ...stamps, ...row })
      return row.id ?? base.id
    },
    async mention(row: Partial<Row<typeof Mention>>) {
      n++
      const base = {
        id: `men_${n}`,
        workspace_id: 'wsp_1',
        location_id: 'loc_1',
        tracker_id: 'trk_1',
        source: 'forum',
        source_id: `s${n}`,
        is_archived: false,
      } as const
      await bench.collection(Mention).insert({ ...base, ...stamps, ...row })
    },
    run: bench.ask,
  }
}
