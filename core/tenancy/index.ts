import { domainCheck } from '../auth/domains/check'
import { domainAdd, domainList, domainRemove, domainVerify } from '../auth/domains/commands'
import { domainState } from '../auth/domains/states'
import { WhiteLabelDomain } from '../auth/domains/WhiteLabelDomain'
import { definePlugin } from '../kit'
import { Agency } from './Agency'
import { agencyCapacity } from './agency-capacity'
import { BusinessLocation } from './BusinessLocation'
import { createAgency, createWorkspace } from './commands'
import { createLocation } from './create-location'
import { tenancyDemo } from './demo'
import { getActiveSyncs } from './getActiveSyncs'
import { listLocations, showLocation } from './list-locations'
import { activateLocation, deactivateLocation, exemptLocation, signLocation } from './location-commands'
import { locationCounts } from './location-counts'
import { markNotificationsRead } from './markNotificationsRead'
import { Notification } from './Notification'
import { redactWorkspace } from './redact'
import { SyncStatus } from './SyncStatus'
import { enrichmentStatus, trialState } from './states'
import { trialCancel, trialStart } from './trials/commands'
import { dueTrials } from './trials/dueTrials'
import { PastTrial } from './trials/PastTrial'
import { User } from './User'
import { updateLocation } from './update-location'
import { Workspace } from './Workspace'
import { whoami } from './whoami'

export { Agency, BusinessLocation, User, Workspace }

/** Core's own plugin, declared like any other: whose rows they are. */
export const tenancy = definePlugin({
  name: 'tenancy',
  summary: 'Agencies with their white-label domains, workspaces, business locations and people',
  renown: '^1.0.0',
  entities: [
    Agency,
    Workspace,
    BusinessLocation,
    User,
    Notification,
    SyncStatus,
    WhiteLabelDomain,
    PastTrial,
  ],
  operations: [whoami, getActiveSyncs, markNotificationsRead],
  states: [trialState, enrichmentStatus, domainState],
  commands: [
    createAgency,
    createWorkspace,
    redactWorkspace,
    agencyCapacity,
    createLocation,
    listLocations,
    showLocation,
    updateLocation,
    activateLocation,
    deactivateLocation,
    signLocation,
    exemptLocation,
    trialStart,
    trialCancel,
    domainAdd,
    domainList,
    domainVerify,
    domainRemove,
  ],
  jobs: { domainCheck, dueTrials, locationCounts },
  demo: tenancyDemo,
})
