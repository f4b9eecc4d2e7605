import { type OwnerContext, Refusal, where } from '../../kit'
import { BusinessLocation } from '../BusinessLocation'
import { capacityOf, countOf, hasRoom } from '../capacity'
import { trialChanges } from '../trials/begin'
import { followTrial } from '../trials/end'
import { writeDown } from '../write-down'
import { agencyIdOf, inAgencyTurn, type Location, ownLocation } from './find-location'
import { recountLocations } from './location-counts'
import { placeFor } from './place-for'

/** `activate` and `sign` use a paid location, or a trial if `trial` is set. `trial` uses only a trial. */
export type Way = 'activate' | 'sign' | 'trial'

/** Activates a location within what the agency pays for. A prospect that signs becomes a client. */
export async function putToWork(ctx: OwnerContext, locationId: string, way: Way, trial = false) {
  const known = await ownLocation(ctx, locationId)
  const agencyId = await agencyIdOf(ctx, known.workspace_id)
  const { before, after } = await inAgencyTurn(ctx, agencyId, async () => {
    const before = await ownLocation(ctx, locationId)
    if (way === 'sign' && !before.is_prospect) {
      throw new Refusal('conflict', `${before.business_name} is not a prospect.`)
    }
    if (way !== 'trial' && before.is_active) return { before, after: before }
    const changes =
      way === 'trial' ? await onTrial(ctx, agencyId, before) : await placeFor(ctx, agencyId, before, trial)
    const after = await changed(ctx, before, changes)
    await recountLocations(ctx, before.workspace_id)
    return { before, after }
  })
  await follow(ctx, agencyId, before, after)
  if (!before.is_active && after.is_active) {
    await ctx.happened('locationReady', { workspace_id: after.workspace_id, location_id: locationId })
  }
  const { is_active, is_prospect, trial_state, trial_end } = after
  return {
    location_id: locationId,
    is_active,
    is_prospect,
    ...(trial_state === undefined ? {} : { trial_state, trial_end }),
  }
}

/** A trial is for a location beyond what is paid for, and for a client. */
async function onTrial(ctx: OwnerContext, agencyId: string, location: Location): Promise<Partial<Location>> {
  const { id, business_name, is_prospect, billing_exempt, trial_state, trial_end } = location
  const refused = (why: string, hint?: string) =>
    new Refusal('conflict', `${business_name} ${why}.`, hint === undefined ? {} : { hint })
  if (is_prospect) throw refused('is a prospect', `Sign it first: \`location sign ${id} --trial\`.`)
  if (billing_exempt === true) throw refused('does not count against capacity and needs no trial')
  if (trial_state === 'trialing') throw refused(`is already on trial, until ${trial_end}`)
  const capacity = await capacityOf(ctx, agencyId, id)
  if (hasRoom(capacity)) {
    const { paid, used } = capacity
    const room =
      paid === null
        ? 'the capacity of the agency is not counted'
        : `${used} of ${countOf(paid)} are in use without it`
    throw refused(
      `needs no trial: ${room}`,
      location.is_active ? undefined : `Activate it with \`location activate ${id}\`.`,
    )
  }
  return { is_active: true, ...(await trialChanges(ctx, capacity, location)) }
}

/** Changes a location, if nobody else changed its status meanwhile. */
export async function changed(
  ctx: OwnerContext,
  { id, is_active, trial_state, billing_exempt }: Location,
  changes: Partial<Location>,
): Promise<Location> {
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

async function follow(ctx: OwnerContext, agencyId: string, before: Location, after: Location): Promise<void> {
  const { business_name } = after
  if (before.is_prospect && !after.is_prospect) {
    await writeDown(ctx, agencyId, 'location.sign', business_name)
  } else if (!before.is_active && after.is_active) {
    await writeDown(ctx, agencyId, 'location.activate', business_name)
  }
  if (before.trial_state === after.trial_state) return
  await followTrial(ctx, agencyId, after)
  await writeDown(ctx, agencyId, 'location.trial_start', business_name)
}
