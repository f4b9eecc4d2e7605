import { readSettings } from '../../../core/contracts/settings'
import { openListener } from '../../../core/process/listeners'
import { createIngest } from '../../../ingest'
import { sha256 } from '../../../ingest/sites/sites'
import { watchStretches } from '../../support/longest-stretch'
import { site } from './ingest'
import { silentLog } from './journal'

/**
 * `bun held-ingest.ts <folder> <settings as JSON>`: an ingest in a process of its own, which says how long its loop was held. It
 * prints its port. `GET /_held` answers the longest stretch since the last such request, in milliseconds of processor time.
 */
const [directory = '', settings = '{}'] = process.argv.slice(2)
const neighbour = {
  ...site,
  site_id: 'site_2',
  site_key: 'key2',
  forwarder_token_hash: sha256('rnw_fwd_of-the-neighbour'),
}
const ingest = await createIngest({
  settings: readSettings(JSON.parse(settings)),
  columns: { path: directory },
  directory,
  sites: { sites: [site, neighbour] },
  now: () => new Date(),
  log: silentLog,
  flusher: () => ({ look() {}, drain: async () => {}, trouble: () => null, stop: async () => {} }),
  fetch: (async () => new Response(null, { status: 503 })) as unknown as typeof fetch,
})
const listener = openListener('INGEST_PORT', '127.0.0.1', 0)
const watch = watchStretches()
listener.open((request, peer) =>
  new URL(request.url).pathname === '/_held' ? Response.json(watch.take()) : ingest.fetch(request, peer),
)
console.log(listener.port)
