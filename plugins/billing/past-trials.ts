import { nullIfConflict, type OwnerContext, where } from 'renown'
import { BusinessLocation, type Candidate } from 'renown/records'
import { hashed, identityOf, isSameBusiness } from './business'
import type { BillingLocation } from './location'
import { PastTrial } from './PastTrial'

const rowsMax = 100_000

/** A trial that a business already had, and its location. */
export interface EarlierTrial {
  readonly location_id: string
  readonly trial_started_at: string
}

/** Returns the agency's earlier trial of the same business, in any row and workspace, or null. */
export async function findEarlierTrial(
  ctx: OwnerContext,
  agencyId: string,
  workspaceIds: readonly string[],
  location: Candidate,
): Promise<EarlierTrial | null> {
  const { id, trial_started_at } = location
  if (trial_started_at !== undefined) return { location_id: id, trial_started_at }
  const known = identityOf(ctx, location)
  const trialed = where.and(where.in('workspace_id', workspaceIds), where.ne('trial_started_at', null))
  for (const other of await ctx.rows(BusinessLocation).list({ where: trialed, limit: rowsMax })) {
    if (other.is_demo !== true && isSameBusiness(known, identityOf(ctx, other))) return hadAt(other)
  }
  const own = where.eq('workspace_id', agencyId)
  const hashes = hashed(known)
  const past = await ctx.rows(PastTrial).list({ where: own, limit: rowsMax })
  const same = past.find((mark) => mark.location_id === id || isSameBusiness(hashes, mark.known_by))
  return same ? { location_id: same.location_id, trial_started_at: same.trial_started_at } : null
}

const hadAt = ({ id, trial_started_at = '' }: BillingLocation): EarlierTrial => ({
  location_id: id,
  trial_started_at,
})

/** Records that a location has used its trial. Idempotent. Outlives the location. */
export async function recordTrial(
  ctx: OwnerContext,
  agencyId: string,
  location: BillingLocation,
): Promise<void> {
  const { id, trial_started_at } = location
  if (trial_started_at === undefined) return
  const known_by = hashed(identityOf(ctx, location)) as Record<string, string>
  const mark = { agency_id: agencyId, location_id: id, known_by, trial_started_at }
  const row = { id: id.replace(/^[a-z]+/, 'ptr'), workspace_id: agencyId, ...mark }
  await ctx.rows(PastTrial).insert(row).catch(nullIfConflict)
}
