import { auditLocation, type LocationCapacity } from 'renown/records'
import { trialChanges } from './begin'
import { capacityOf, hasRoom, overCapacity } from './capacity'
import { cancelTrial, startTrial } from './commands'
import { followTrial } from './end'

/** Admits a location as a paid one, free of charge, or on its only trial. */
export const paidLocations: LocationCapacity = {
  name: 'paid-locations',
  async admit(ctx, { agencyId, location, wantsTrial }) {
    if (location.billing_exempt === true) return {}
    const capacity = await capacityOf(ctx, agencyId, location.id)
    if (hasRoom(capacity)) return {}
    if (!wantsTrial) throw overCapacity(capacity, location.business_name)
    return trialChanges(ctx, capacity, location)
  },
  async admitCounted(ctx, agencyId, location) {
    if (!location.is_active || location.trial_state === 'trialing') return
    const capacity = await capacityOf(ctx, agencyId, location.id)
    if (!hasRoom(capacity)) throw overCapacity(capacity, location.business_name, false)
  },
  async activated(ctx, agencyId, before, after) {
    if (before?.trial_state === after.trial_state) return
    await followTrial(ctx, agencyId, after)
    await auditLocation(ctx, agencyId, 'location.trial_start', after.business_name)
  },
  usage: capacityOf,
  startTrial,
  cancelTrial,
}
