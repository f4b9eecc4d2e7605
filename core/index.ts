/// <reference types="bun-types" />

export { mayCallBack, subscriberFault } from './auth/event-subscriber'
export { connectionReady, locationReady } from './events/core-events'
export { callbackBody } from './events/occurrence'
export * from './kit/index'
export { isMailAddress } from './outbound/mail/mail-address'
export { Agency } from './tenancy/Agency'
export { BusinessLocation } from './tenancy/BusinessLocation'
export { changeStatus } from './tenancy/locations/change-status'
export { createLocation } from './tenancy/locations/create-location'
export {
  agencyIdOf,
  type Candidate,
  inAgencyTurn,
  ownLocation,
  withAgencyLock,
} from './tenancy/locations/find-location'
export {
  type LocationCapacity,
  type LocationUsage,
  locationCapacity,
} from './tenancy/locations/location-capacity'
export { activateLocation, deactivateLocation, signLocation } from './tenancy/locations/location-commands'
export { recountLocations } from './tenancy/locations/location-counts'
export { businessNameMax, profileLineMax } from './tenancy/locations/location-input'
export { publishStatus } from './tenancy/locations/publish-location'
export { updateLocation } from './tenancy/locations/update-location'
export { agencyOf } from './tenancy/named-agency'
export { SyncStatus } from './tenancy/news/SyncStatus'
export { recordAudit as auditLocation } from './tenancy/record-audit'
export { trialState } from './tenancy/states'
export { Workspace } from './tenancy/Workspace'
