import { domainCheck } from '../auth/domains/check'
import { domainActs, domainList } from '../auth/domains/commands'
import {
  actCommands,
  agentApp,
  clientFigures,
  definePlugin,
  eventDelivery,
  homeCard,
  platformId,
  setupStep,
  workspaceProblems,
} from '../kit'
import { Agency } from '../tenancy/Agency'
import { listAgencies, listWorkspaces } from '../tenancy/agency-lists'
import { BusinessLocation } from '../tenancy/BusinessLocation'
import { createAgency, createWorkspace } from '../tenancy/commands'
import { tenancyDemo } from '../tenancy/demo'
import { WhiteLabelDomain } from '../tenancy/domains/WhiteLabelDomain'
import { HomeVisit } from '../tenancy/home/HomeVisit'
import { listLocations, showLocation } from '../tenancy/locations/list-locations'
import { locationCapacity } from '../tenancy/locations/location-capacity'
import { locationActs } from '../tenancy/locations/location-commands'
import { locationCounts } from '../tenancy/locations/location-counts'
import { getActiveSyncs } from '../tenancy/news/getActiveSyncs'
import { listNotifications } from '../tenancy/news/list-notifications'
import { MailChoice } from '../tenancy/news/mail/MailChoice'
import { MailDelivery } from '../tenancy/news/mail/MailDelivery'
import { mailNotices } from '../tenancy/news/mail/mailNotices'
import { sendMail } from '../tenancy/news/mail/send-mail'
import { markNotificationsRead } from '../tenancy/news/markNotificationsRead'
import { Notification } from '../tenancy/news/Notification'
import { SyncStatus } from '../tenancy/news/SyncStatus'
import { syncProblems } from '../tenancy/news/sync-problems'
import { sumsSweep } from '../tenancy/sums-sweep'
import { User } from '../tenancy/User'
import { Workspace } from '../tenancy/Workspace'
import { whoami } from '../tenancy/whoami'
import { workspaceActs } from '../tenancy/workspace-commands'
import { clientsPage } from '../web/pages/clients/clients-page'
import { activityPage } from '../web/pages/settings/activity'
import { listsPage } from '../web/pages/settings/lists'

export { Agency, BusinessLocation, User, Workspace }

/** Core's own plugin, declared like any other: agencies, workspaces, people and locations. */
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
    MailChoice,
    MailDelivery,
    WhiteLabelDomain,
    HomeVisit,
  ],
  extensionPoints: [
    agentApp,
    homeCard,
    clientFigures,
    eventDelivery,
    locationCapacity,
    platformId,
    setupStep,
    workspaceProblems,
  ],
  provides: [workspaceProblems.with(syncProblems)],
  pages: [clientsPage, activityPage, listsPage],
  operations: [whoami, getActiveSyncs, markNotificationsRead],
  commands: [
    createAgency,
    listAgencies,
    listWorkspaces,
    ...actCommands([createWorkspace, ...workspaceActs, ...locationActs, ...domainActs]),
    listLocations,
    showLocation,
    domainList,
    listNotifications,
  ],
  jobs: { domainCheck, locationCounts, mailNotices, sumsSweep },
  queues: { 'send-mail': sendMail },
  demo: tenancyDemo,
})
