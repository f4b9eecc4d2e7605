import { field, foreignEntity, isServiceFault, type OwnerContext, type ServiceFault, where } from 'renown'
import type { EnrichedRow } from '../EnrichedLocation'

/** The fields of SyncStatus that are needed to find interrupted syncs. */
export const Reading = foreignEntity('SyncStatus', {
  location_id: field.text('Location of the sync'),
  kind: field.oneOf(['reviews', 'mentions', 'visibility', 'enrichment', 'ranges'], 'What is synced'),
  source: field.text('The source'),
  status: field.oneOf(['idle', 'running', 'succeeded', 'failed', 'partial'], 'How far it is'),
})

/**
 * Reads a source and shows it as a sync. Returns a ServiceFault instead of throwing it. An interrupted sync stays
 * running.
 */
export async function tracked<T>(
  ctx: OwnerContext,
  { id, workspace_id }: EnrichedRow,
  source: string,
  signal: AbortSignal,
  read: () => Promise<T>,
): Promise<T | ServiceFault> {
  const target = { workspace_id, location_id: id, kind: 'enrichment', source } as const
  await ctx.syncs.began(target)
  try {
    const found = await read()
    await ctx.syncs.ended(target, { status: 'succeeded', items_seen: 0, items_changed: 0, complete: true })
    return found
  } catch (error) {
    signal.throwIfAborted()
    await ctx.syncs.failed(target, error)
    if (isServiceFault(error)) return error
    throw error
  }
}

/** Ends the syncs of a location that a crashed process left running. */
export async function endRunning(
  ctx: OwnerContext,
  { id, workspace_id }: EnrichedRow,
  why: string,
): Promise<void> {
  const own = where.and(
    where.eq('location_id', id),
    where.eq('kind', 'enrichment'),
    where.eq('status', 'running'),
  )
  for (const { source } of await ctx.rows(Reading).list({ where: own, limit: 10 })) {
    const target = { workspace_id, location_id: id, kind: 'enrichment', source } as const
    await ctx.syncs.failed(target, new Error(why))
  }
}
