// Core's own records and what changes them: agencies, workspaces, business locations, their ids on platforms, profiles.

export type * from '../contracts/enrichment'
export { effectiveProfile, profileFields } from '../contracts/enrichment'
export type * from '../contracts/person-erasure'
export { personErasure } from '../contracts/person-erasure'
export type * from '../contracts/platform-id'
export { platformId, platformIdFields } from '../contracts/platform-id'
export { cleanName, typedName } from '../contracts/typed-name'
export { connectionReady } from '../events/core-events'
export { enrichmentStatus } from '../kit/enrichment-status'
export type * from '../kit/online-only'
export { inferOnlineOnlyOf } from '../kit/online-only'
export type * from '../kit/platform-ids'
export {
  fieldOfId,
  idKeyIn,
  idKeysOf,
  isConnectedLocation,
  platformIdsOf,
  shownIds,
  typedIds,
} from '../kit/platform-ids'
export { Agency } from '../tenancy/Agency'
export { BusinessLocation } from '../tenancy/BusinessLocation'
export { changeStatus } from '../tenancy/locations/change-status'
export { createLocation } from '../tenancy/locations/create-location'
export type * from '../tenancy/locations/find-location'
export { agencyIdOf, ownLocation, withAgencyLock } from '../tenancy/locations/find-location'
export type * from '../tenancy/locations/location-capacity'
export { locationCapacity } from '../tenancy/locations/location-capacity'
export { activateLocation, deactivateLocation, signLocation } from '../tenancy/locations/location-commands'
export { recountLocations } from '../tenancy/locations/location-counts'
export { businessNameMax, profileLineMax } from '../tenancy/locations/location-input'
export { publishStatus } from '../tenancy/locations/publish-location'
export { updateLocation } from '../tenancy/locations/update-location'
export { agencyOf } from '../tenancy/named-agency'
export { SyncStatus } from '../tenancy/news/SyncStatus'
export { recordAudit as auditLocation } from '../tenancy/record-audit'
export { trialState } from '../tenancy/states'
export { Workspace } from '../tenancy/Workspace'
