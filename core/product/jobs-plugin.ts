import { connectionAdd, connectionList, connectionRemove } from '../connections/commands'
import { connectionProblems } from '../connections/connection-problems'
import { ServiceConsent } from '../connections/consent/ServiceConsent'
import { connectionImport, connectionLocations } from '../connections/listing/commands'
import { jobsCancel, jobsList, jobsRetry } from '../jobs/commands'
import { Job } from '../jobs/Job'
import { actCommands, type ConnectionDeclaration, definePlugin, inboxEntry, workspaceProblems } from '../kit'
import { Connection } from '../outbound/Connection'
import { ServiceDay } from '../outbound/limits/ServiceDay'
import { ServicePace } from '../outbound/limits/ServicePace'
import { connectionEntries, jobEntries } from '../web/pages/inbox/sources'

/** The queues and their commands, and the commands that connect accounts of these services. */
export const jobsPlugin = (connections: readonly ConnectionDeclaration[]) =>
  definePlugin({
    name: 'jobs',
    summary: 'Durable jobs, connections to outside services and daily allowances',
    renown: '^1.0.0',
    entities: [Job, ServiceDay, ServicePace, Connection, ServiceConsent],
    provides: [
      ...[connectionEntries, jobEntries].map((source) => inboxEntry.with(source)),
      workspaceProblems.with(connectionProblems),
    ],
    commands: [
      jobsList,
      jobsRetry,
      jobsCancel,
      ...actCommands([connectionAdd(connections), connectionRemove, connectionImport]),
      connectionList,
      connectionLocations,
    ],
  })
