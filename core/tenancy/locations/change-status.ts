import { type OwnerContext, Refusal, where } from '../../kit'
import { BusinessLocation } from '../BusinessLocation'
import { recordAudit } from '../record-audit'
import { agencyIdOf, type LocationRow, ownLocation, withAgencyLock } from './find-location'
import { activation, followActivation } from './location-capacity'
import { recountLocations } from './location-counts'
import { publishReady, publishStatus } from './publish-location'

/** Activates a location if its agency may have one more. A prospect that signs becomes a client. */
export const activateOrSign = (
  ctx: OwnerContext,
  locationId: string,
  way: 'activate' | 'sign',
  wantsTrial = false,
) =>
  changeStatus(ctx, locationId, async (location, agencyId) => {
    if (way === 'sign' && !location.is_prospect) {
      throw new Refusal('conflict', `${location.business_name} is not a prospect.`)
    }
    return location.is_active ? null : activation(ctx, { agencyId, location, wantsTrial })
  })

/**
 * Changes whether a location is active, under the lock of its agency, and notifies plugins. `changesOf` returns the
 * changes, or null for none.
 */
export async function changeStatus(
  ctx: OwnerContext,
  locationId: string,
  changesOf: (location: LocationRow, agencyId: string) => Promise<Partial<LocationRow> | null>,
) {
  const known = await ownLocation(ctx, locationId)
  const agencyId = await agencyIdOf(ctx, known.workspace_id)
  const { before, after } = await withAgencyLock(ctx, agencyId, async () => {
    const before = await ownLocation(ctx, locationId)
    const changes = await changesOf(before, agencyId)
    if (changes === null) return { before, after: before }
    await publishStatus(ctx, before, { ...before, ...changes })
    const after = await changed(ctx, before, changes)
    await recountLocations(ctx, before.workspace_id)
    return { before, after }
  })
  await follow(ctx, agencyId, before, after)
  if (!before.is_active && after.is_active) await publishReady(ctx, after)
  const { is_active, is_prospect, trial_state, trial_end } = after
  return {
    location_id: locationId,
    is_active,
    is_prospect,
    ...(trial_state === undefined ? {} : { trial_state, trial_end }),
  }
}

/** Changes a location. Throws if somebody else changed its status in the meantime. */
export async function changed(
  ctx: OwnerContext,
  { id, is_active, trial_state, billing_exempt }: LocationRow,
  changes: Partial<LocationRow>,
): Promise<LocationRow> {
  const unmoved = where.and(
    where.eq('id', id),
    where.eq('is_active', is_active),
    where.eq('trial_state', trial_state ?? null),
    where.eq('billing_exempt', billing_exempt ?? null),
  )
  const after = await ctx.rows(BusinessLocation).updateWhere(unmoved, changes)
  if (after) return after
  throw new Refusal(
    'conflict',
    'Somebody else changed the location at the same time. Check it and try again.',
  )
}

async function follow(
  ctx: OwnerContext,
  agencyId: string,
  before: LocationRow,
  after: LocationRow,
): Promise<void> {
  const { business_name } = after
  if (before.is_prospect && !after.is_prospect) {
    await recordAudit(ctx, agencyId, 'location.sign', business_name)
  } else if (!before.is_active && after.is_active) {
    await recordAudit(ctx, agencyId, 'location.activate', business_name)
  }
  await followActivation(ctx, agencyId, before, after)
}
