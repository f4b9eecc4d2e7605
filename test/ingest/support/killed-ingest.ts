import { readSettings } from 'renown/contracts'
import { createIngest } from '../../../ingest'
import { site } from './ingest'
import { silentLog } from './journal'

/** An ingest in a process of its own, to be killed: `bun killed-ingest.ts <folder>` prints its port. */
const directory = process.argv[2] ?? ''
// Every hit has a path of its own, by which it is known again.
const settings = readSettings({ PATHS_PER_DAY_MAX: '100000000' })
const ingest = await createIngest({
  settings,
  columns: { path: directory },
  directory,
  sites: { sites: [site] },
  now: () => new Date(),
  log: silentLog,
  flusher: () => ({ look() {}, drain: async () => {}, trouble: () => null, stop: async () => {} }),
  ranges: {
    start: async () => {},
    stop() {},
    use() {},
    status: () => [],
    refresh: async () => [],
    verdict: () => 'unchecked',
    isInDoubt: () => false,
  },
})
const server = Bun.serve({ port: 0, fetch: (request) => ingest.fetch(request, () => null) })
process.on('SIGTERM', async () => {
  await server.stop(true)
  await ingest.stop()
  process.exit(0)
})
console.log(server.port)
