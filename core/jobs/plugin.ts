import { definePlugin } from '../index'
import { jobsCancel, jobsList, jobsRetry } from './commands'
import { Job } from './Job'

/** The durable queues: what waits in them, and the owner's commands on it. */
export const jobs = definePlugin({
  name: 'jobs',
  summary: 'Durable work: what waits, runs and has ended',
  renown: '^1.0.0',
  entities: [Job],
  commands: [jobsList, jobsRetry, jobsCancel],
})
