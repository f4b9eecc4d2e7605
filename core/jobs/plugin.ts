import { definePlugin } from '../index'
import { ServiceDay } from '../outbound/ServiceDay'
import { jobsCancel, jobsList, jobsRetry } from './commands'
import { Job } from './Job'

/** The durable queues: what waits in them, and the owner's commands on it. */
export const jobs = definePlugin({
  name: 'jobs',
  summary: 'Durable work, and the daily allowances of the services it asks',
  renown: '^1.0.0',
  entities: [Job, ServiceDay],
  commands: [jobsList, jobsRetry, jobsCancel],
})
