import { connectionAdd, connectionList, connectionRemove } from '../connections/commands'
import { ServiceConsent } from '../connections/consent/ServiceConsent'
import { connectionImport, connectionLocations } from '../connections/listing/commands'
import { jobsCancel, jobsList, jobsRetry } from '../jobs/commands'
import { Job } from '../jobs/Job'
import { definePlugin } from '../kit'
import { Connection } from '../outbound/Connection'
import { ServiceDay } from '../outbound/limits/ServiceDay'
import { ServicePace } from '../outbound/limits/ServicePace'

/** The durable queues: what waits in them, and the owner's commands on it. */
export const jobs = definePlugin({
  name: 'jobs',
  summary: 'Durable work, and the services it asks: connections and daily allowances',
  renown: '^1.0.0',
  entities: [Job, ServiceDay, ServicePace, Connection, ServiceConsent],
  commands: [
    ...[jobsList, jobsRetry, jobsCancel],
    ...[connectionAdd, connectionList, connectionRemove, connectionLocations, connectionImport],
  ],
})
