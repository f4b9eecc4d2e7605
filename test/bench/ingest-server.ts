import { readSettings } from '../../core/contracts/settings'
import { openListener } from '../../core/process/listeners'
import { createIngest } from '../../ingest'
import { site } from '../ingest/support/ingest'
import { silentLog } from '../ingest/support/journal'

/** `bun ingest-server.ts bare|ingest <folder>`: a server to be measured; prints its port. */
const [kind, directory = ''] = process.argv.slice(2)

async function bare(request: Request): Promise<Response> {
  if (request.url.endsWith('/single')) {
    await request.json()
    return new Response(null, { status: 204 })
  }
  const text = await request.text()
  let lines = 0
  for (let from = 0; from < text.length; lines++) {
    const end = text.indexOf('\n', from)
    JSON.parse(text.slice(from, end < 0 ? text.length : end))
    from = end < 0 ? text.length : end + 1
  }
  return Response.json({ lines })
}

/** What `ingest/main.ts` runs behind the same door, without a flusher. */
async function counting(): Promise<number> {
  const door = openListener('INGEST_PORT', '127.0.0.1', 0)
  const ingest = await createIngest({
    settings: readSettings({ INGEST_LINES_PER_SECOND: process.env.LINES_PER_SECOND ?? '100000000' }),
    columns: { path: directory },
    directory,
    sites: { sites: [site] },
    now: () => new Date(),
    log: silentLog,
    flusher: () => ({ look() {}, drain: async () => {}, trouble: () => null, stop: async () => {} }),
    fetch: (async () => new Response(null, { status: 503 })) as unknown as typeof fetch,
  })
  door.open(ingest.fetch)
  return door.port
}

console.log(
  kind === 'bare' ? Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: bare }).port : await counting(),
)
