import { defineOperation, field, where } from 'renown'
import * as v from 'valibot'
import { Lead } from '../records/Lead'

/** Sets `seen_at` if it is null. A lead that was already seen keeps its time. */
export const markLeadsSeen = defineOperation({
  name: 'markLeadsSeen',
  summary: 'Mark leads as seen. Leads that are already seen keep their time',
  class: 'mark',
  crossAgency: 'own',
  input: v.strictObject({
    lead_ids: field.batch('Lead', 200, 'Ids, 1 to 200'),
  }),
  output: v.object({
    updated: field.integer('Number of leads that were marked now', { min: 0 }),
    already_seen: field.integer('Number of leads that were already seen', { min: 0 }),
    not_found: field.texts('Ids that no lead has'),
    seen_at: field.instant('The time that was set'),
  }),
  async run(ctx, { lead_ids }) {
    const ids = [...new Set(lead_ids)]
    const rows = ctx.rows(Lead)
    const seen_at = ctx.now().toISOString()
    const known = await rows.list({ where: where.in('id', ids), limit: ids.length })
    const here = new Set(known.map(({ id }) => id))
    const stamped = await rows.stamp([...here], 'seen_at')
    return {
      updated: stamped.length,
      already_seen: here.size - stamped.length,
      not_found: ids.filter((id) => !here.has(id)),
      seen_at,
    }
  },
})
