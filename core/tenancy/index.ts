import { domainCheck } from '../auth/domains/check'
import { domainAdd, domainList, domainRemove, domainVerify } from '../auth/domains/commands'
import { domainState } from '../auth/domains/states'
import { WhiteLabelDomain } from '../auth/domains/WhiteLabelDomain'
import { definePlugin } from '../index'
import { Agency } from './Agency'
import { BusinessLocation } from './BusinessLocation'
import { createAgency, createWorkspace } from './commands'
import { createLocation } from './create-location'
import { tenancyDemo } from './demo'
import { getActiveSyncs } from './getActiveSyncs'
import { markNotificationsRead } from './markNotificationsRead'
import { Notification } from './Notification'
import { ProspectAudit } from './ProspectAudit'
import { redactWorkspace } from './redact'
import { SyncStatus } from './SyncStatus'
import { auditStatus, enrichmentStatus, trialState } from './states'
import { User } from './User'
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
    ProspectAudit,
    WhiteLabelDomain,
  ],
  operations: [whoami, getActiveSyncs, markNotificationsRead],
  states: [trialState, enrichmentStatus, auditStatus, domainState],
  commands: [
    createAgency,
    createWorkspace,
    redactWorkspace,
    createLocation,
    domainAdd,
    domainList,
    domainVerify,
    domainRemove,
  ],
  jobs: { domainCheck },
  demo: tenancyDemo,
})
