import { type Enqueued, moveState, type OwnerContext, where } from 'renown'
import { enrichmentStatus } from 'renown/records'
import { EnrichedLocation, type EnrichedRow } from '../EnrichedLocation'

/** Queues a location and sets it to `pending`. Idempotent, so it also repairs a crash between the row and the queue. */
export async function requestEnrichment(
  ctx: OwnerContext,
  { id, workspace_id, enrichment_status }: EnrichedRow,
  enrichment_source: 'first-add' | 'manual-refresh',
): Promise<Enqueued> {
  const from = enrichment_status ?? null
  if (from !== 'pending') {
    const unmoved = where.and(where.eq('id', id), where.eq('enrichment_status', from))
    const moved = moveState(enrichmentStatus, from, 'pending', {
      now: ctx.now(),
      with: { enrichment_source },
    })
    await ctx.rows(EnrichedLocation).updateWhere(unmoved, moved)
  }
  return ctx.enqueue('enrich-location', { workspace_id, key: id, payload: { location_id: id } })
}
