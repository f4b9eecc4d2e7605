import { type IngestSite, readSettings } from 'renown/contracts'
import { createIngest, type IngestDeps, type LocalIngest } from '../../../ingest'
import { createVerifier } from '../../../ingest/judge/verify'
import { parsePrefix } from '../../../ingest/parse/address'
import { sha256 } from '../../../ingest/sites/sites'
import { inTemporaryFolder, silentLog } from './journal'

export const startedAt = Date.parse('2026-11-20T12:00:00Z')
export const token = 'rnw_fwd_of-the-first-site'
export const site: IngestSite = {
  site_id: 'site_1',
  site_key: 'key1',
  forwarder_token_hash: sha256(token),
  domain: 'example.com',
  timezone: 'America/New_York',
  is_active: true,
  count_search_engines: false,
  respect_dnt: true,
}
/** Inside the range that these tests call OpenAI's. */
export const insideAddress = '20.42.10.176'
export const outsideAddress = '8.8.8.8'
export const gptBot =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'
export const browser =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

export const record = (more: Record<string, unknown> = {}) => ({
  ts: new Date(startedAt).toISOString(),
  ip: insideAddress,
  method: 'GET',
  path: '/pricing',
  status: 200,
  ua: gptBot,
  ...more,
})

const verifier = createVerifier([
  {
    operator: 'OpenAI',
    prefixes: [parsePrefix('20.42.10.0/24')].filter((prefix) => prefix !== null),
    freshUntil: Number.POSITIVE_INFINITY,
  },
])

export interface TestIngest {
  readonly ingest: LocalIngest
  readonly directory: string
  /** The ingest's clock, in milliseconds. */
  clock: { now: number }
  /** Sends to a door and reads the answer; `authorization` is the first site's unless told otherwise. */
  send(
    path: string,
    body: string | Uint8Array,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }>
}

/** An ingest over a folder of its own, with a flusher that leaves all segments where they are. */
export function withIngest(
  work: (tested: TestIngest) => Promise<void>,
  more: Partial<Omit<IngestDeps, 'settings'>> & { env?: Record<string, string> } = {},
): Promise<void> {
  return inTemporaryFolder(async (directory) => {
    const clock = { now: startedAt }
    const { env = {}, ...deps } = more
    const ingest = await createIngest({
      settings: readSettings(env),
      columns: { path: directory },
      directory,
      sites: { sites: [site] },
      now: () => new Date(clock.now),
      log: silentLog,
      flusher: () => ({ look() {}, drain: async () => {}, trouble: () => null, stop: async () => {} }),
      ranges: {
        start: async () => {},
        stop() {},
        use() {},
        status: () => [],
        refresh: async () => [],
        verdict: (agent, ip, ts) => verifier.verdict(agent, ip, ts, clock.now),
        isInDoubt: () => false,
      },
      ...deps,
    })
    const send: TestIngest['send'] = async (path, body, headers = {}) => {
      const response = await ingest.fetch(
        new Request(`http://localhost${path}`, {
          method: 'POST',
          body,
          headers: { authorization: `Bearer ${token}`, ...headers },
        }),
        () => '127.0.0.1',
      )
      const text = await response.text()
      return { status: response.status, body: text ? JSON.parse(text) : {}, headers: response.headers }
    }
    try {
      await work({ ingest, directory, clock, send })
    } finally {
      await ingest.stop()
    }
  })
}
