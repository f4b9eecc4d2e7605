import { type JobDeclaration, type OwnerContext, where } from 'renown'
import { inferOnlineOnlyOf } from 'renown/records'
import { EnrichedLocation, type EnrichedRow } from '../EnrichedLocation'
import { listingReader } from '../listing/read-listing'
import { isReadable } from '../website/read-site'
import { requestEnrichment } from './request-enrichment'

/**
 * Queues active locations that were never enriched and have a website or a profile. Queues waiting ones again, in
 * case their job was lost.
 */
export const dueEnrichments: JobDeclaration = {
  summary: 'Queues the locations that were never enriched',
  everyMs: 60_000,
  async run(ctx, signal) {
    const isOpen = where.or(where.eq('enrichment_status', null), where.eq('enrichment_status', 'pending'))
    for await (const location of ctx.rows(EnrichedLocation).each({ where: isOpen, signal }))
      if (await isDue(ctx, location)) await requestEnrichment(ctx, location, 'first-add')
      else await inferAlone(ctx, location)
  },
}

/** Says whether a business without anything to read is online only. Its record says it. A person's word stays. */
async function inferAlone(ctx: OwnerContext, location: EnrichedRow): Promise<void> {
  if (location.is_demo === true || location.is_online_only_overridden === true) return
  const inferred = inferOnlineOnlyOf(location)
  if (inferred === null || inferred === location.is_online_only) return
  const isUntouched = where.and(where.eq('id', location.id), where.ne('is_online_only_overridden', true))
  await ctx.rows(EnrichedLocation).updateWhere(isUntouched, { is_online_only: inferred })
}

/** Queues one location at once, by the same rules. */
export async function enrichAtOnce(
  ctx: OwnerContext,
  { location_id = '' }: { readonly location_id?: string },
): Promise<void> {
  const location = await ctx.rows(EnrichedLocation).get(location_id)
  const isNew = location !== null && (location.enrichment_status ?? null) === null
  if (isNew && (await isDue(ctx, location))) await requestEnrichment(ctx, location, 'first-add')
}

async function isDue(ctx: OwnerContext, location: EnrichedRow): Promise<boolean> {
  if (location.is_demo === true) return false
  if (location.enrichment_status === 'pending') return true
  return location.is_active && (await hasSources(ctx, location))
}

/** Whether a location has anything to read. */
export const hasSources = async (ctx: OwnerContext, location: EnrichedRow): Promise<boolean> =>
  isReadable(location.website) || (await listingReader(ctx, location)) !== null
