import { jobsCancel, jobsList, jobsRetry } from '../jobs/commands'
import { Job } from '../jobs/Job'
import { definePlugin } from '../kit'
import { Connection } from '../outbound/Connection'
import { connectionAdd, connectionList, connectionRemove } from '../outbound/commands'
import { ServiceConsent } from '../outbound/consent/ServiceConsent'
import { connectionImport, connectionLocations } from '../outbound/listing/commands'
import { ServiceDay } from '../outbound/ServiceDay'
import { ServicePace } from '../outbound/ServicePace'

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
