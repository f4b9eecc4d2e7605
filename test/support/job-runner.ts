import { appendFileSync } from 'node:fs'
import * as v from 'valibot'
import type { OwnerContext } from '../../core/contracts/plugin'
import { Job } from '../../core/jobs/Job'
import { startWorker } from '../../core/jobs/worker'
import { openMongo } from '../../core/stores/documents/mongo'
import { openSqlite } from '../../core/stores/documents/sqlite'
import { quietLog } from './quiet-log'
import { passTime, waitFor } from './wait-for'

/** A process that runs jobs until somebody kills it, and writes down each begin and end. Arguments: store, journal. */
const [, , store = '', journal = ''] = process.argv
const now = () => new Date()
const documents = store.startsWith('mongodb:')
  ? await openMongo({ uri: store, now, log: quietLog })
  : await openSqlite({ path: store, now, log: quietLog })
await documents.ensure([Job])

const note = (what: string, id: string, attempt: number) =>
  appendFileSync(journal, `${process.pid} ${what} ${id} ${attempt}\n`)
const count = {
  summary: 'for the test',
  payload: v.strictObject({ n: v.number() }),
  atOnce: 3,
  attemptsMax: 1_000,
  run: async (_: OwnerContext, __: unknown, task: { id: string; attempt: number; hold(): Promise<void> }) => {
    note('begin', task.id, task.attempt)
    await passTime(5)
    await task.hold()
    note('end', task.id, task.attempt)
  },
}
startWorker({
  queues: new Map([['count', count]]),
  documents,
  owner: {} as OwnerContext,
  clock: { now },
  log: quietLog,
  times: { leaseMs: 400, beatMs: 100 },
  pollEveryMs: 20,
})
process.stdout.write('ready\n')
const left = { op: 'eq', field: 'is_active', value: true } as const
await waitFor(async () => (await documents.collection(Job).count(left)) === 0, {
  what: 'all jobs to be done',
  timeoutMs: 3_600_000,
  everyMs: 50,
})
appendFileSync(journal, `${process.pid} idle\n`)
