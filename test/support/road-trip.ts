import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type RunningProduct, startProduct } from './product'
import { freePort } from './programs'
import { openRoad, pathOfLine, type Road } from './roads'
import { columnsFolder, dump } from './stored'
import { passTime, waitFor } from './wait-for'

interface TripOptions {
  readonly folder: string
  readonly pages: readonly string[]
  /** Lines that each road will carry. */
  readonly lines: number
  /** Prints how far each road is after every stage. */
  readonly tells: boolean
}

/** Set-up pages followed side by side into one product, whose ingest keeps its port over restarts. */
export type RoadTrip = Awaited<ReturnType<typeof startTrip>>

const quietMs = 20_000

/** Starts the product with a site and a road for each page. The forwarders are not started. */
export async function startTrip({ folder, pages, lines, tells }: TripOptions) {
  const dataDir = join(folder, 'data')
  const ingestPort = await freePort()
  const ingestUrl = `http://127.0.0.1:${ingestPort}`
  const env = {
    RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9',
    LOG_LEVEL: 'error',
    LIMIT_READS_PER_MINUTE: '100000',
    INGEST_PORT: String(ingestPort),
  }
  const start = () => startProduct({ env, dataDir })
  let product = await start()
  const { agent_key } = product.facts
  const sites = new Map<string, string>()
  const roads: Road[] = []
  const began = performance.now()

  for (const page of pages) {
    const domain = `${page}.test`
    const { site_id, forwarder_token } = await createSite(product, domain)
    sites.set(page, site_id)
    mkdirSync(join(folder, page))
    const place = { page, domain, folder: join(folder, page), token: forwarder_token, lines }
    roads.push(await openRoad({ ...place, ingestUrl }))
  }

  const all = (work: (road: Road) => Promise<unknown>) => Promise.all(roads.map(work))
  const counted = async () => {
    const hits = await hitsBySite(product.facts.api_url, agent_key)
    return roads.map(({ page, written }) => ({
      page,
      written: written(),
      counted: hits.get(sites.get(page) ?? '') ?? 0,
    }))
  }

  return {
    roads,
    all,
    /** Waits until every line is counted, or until nothing has moved for long. */
    async caughtUp(stage: string): Promise<void> {
      let last = { sum: -1, at: performance.now() }
      for (;;) {
        const now = await counted()
        const sum = now.reduce((so, road) => so + road.counted, 0)
        if (sum !== last.sum) last = { sum, at: performance.now() }
        const isOver = now.every((road) => road.counted >= road.written)
        if (isOver || performance.now() - last.at > quietMs) {
          const seconds = ((performance.now() - began) / 1_000).toFixed(1)
          if (tells || !isOver) console.log(`${seconds} s, ${stage}: ${JSON.stringify(now)}`)
          return
        }
        await passTime(200)
      }
    },
    /** Writes so many lines on every road in as many bursts as named, and does something in the midst of each. */
    async underLoad(portion: number, bursts: number, work: (road: Road) => Promise<unknown>): Promise<void> {
      for (let left = bursts, rest = portion; left > 0; left--) {
        const lines = Math.ceil(rest / left)
        rest -= lines
        const taken = await hitsTaken(ingestUrl)
        const writing = all((road) => road.write(lines))
        // Where the ingest is away there is nothing to wait for.
        if (taken !== null)
          await waitFor(async () => (await hitsTaken(ingestUrl)) !== taken, { what: 'the load', everyMs: 5 })
        await all(work)
        await writing
      }
    },
    async stopProduct(): Promise<void> {
      await product.stop()
    },
    async startProduct(): Promise<void> {
      product = await start()
    },
    async killProduct(): Promise<void> {
      process.kill(product.pid, 'SIGKILL')
      await product.stop()
    },
    /** What ClickHouse holds of each road against what was written. The product must be stopped. */
    async outcome() {
      const stored = hitsByPath(await dump('chdb', columnsFolder(dataDir)))
      return roads.map(({ page, written }) => ({
        page,
        ...against(stored.get(sites.get(page) ?? '') ?? new Map(), written()),
      }))
    },
    async close(): Promise<void> {
      await all((road) => road.close())
      await product[Symbol.asyncDispose]()
    },
  }
}

async function createSite(product: RunningProduct, domain: string) {
  const { code, stdout, stderr } = await product.renown('site', 'create', domain, '--json')
  if (code !== 0) throw new Error(`site create ${domain}: ${stderr}`)
  return JSON.parse(stdout) as { site_id: string; forwarder_token: string }
}

/** Hits that the ingest has answered since it was started, or null where nobody answers. */
async function hitsTaken(ingestUrl: string): Promise<number | null> {
  const text = await fetch(`${ingestUrl}/metrics`).then(
    (answer) => answer.text(),
    () => null,
  )
  return text === null ? null : Number(/_hits_total\{kind="crawl"\} (\d+)/.exec(text)?.[1] ?? Number.NaN)
}

async function hitsBySite(apiUrl: string, agentKey: string): Promise<Map<string, number>> {
  const answer = await fetch(`${apiUrl}/api/entities/AiTrafficDaily?limit=1000`, {
    headers: { authorization: `Bearer ${agentKey}` },
  })
  if (!answer.ok) throw new Error(`AiTrafficDaily: ${answer.status} ${await answer.text()}`)
  const rows = (await answer.json()) as { site_id: string; crawler_hits: number }[]
  const hits = new Map<string, number>()
  for (const row of rows) hits.set(row.site_id, (hits.get(row.site_id) ?? 0) + row.crawler_hits)
  return hits
}

/** Hits by site and path, from the rows of the table of hits in a dump of chDB. */
function hitsByPath(stored: string): Map<string, Map<string, number>> {
  const sites = new Map<string, Map<string, number>>()
  for (const line of stored.split('\n')) {
    const json = line.slice(line.indexOf('{'))
    if (!json.includes('"site_id"') || !json.includes('"path"')) continue
    const { kind, site_id, path, hits } = JSON.parse(json)
    // Rows of other kinds count the same crawls by status and by signature.
    if (kind !== 'crawl') continue
    const paths = sites.get(site_id) ?? new Map<string, number>()
    sites.set(site_id, paths.set(path, (paths.get(path) ?? 0) + Number(hits)))
  }
  return sites
}

function against(hitsOf: ReadonlyMap<string, number>, written: number) {
  const linesOf = new Map<string, number>()
  for (let line = 0; line < written; line++) {
    linesOf.set(pathOfLine(line), (linesOf.get(pathOfLine(line)) ?? 0) + 1)
  }
  let hits = 0
  let lost = 0
  let twice = 0
  for (const [path, lines] of linesOf) {
    const found = hitsOf.get(path) ?? 0
    hits += found
    lost += Math.max(0, lines - found)
    twice += Math.max(0, found - lines)
  }
  return { hits, lost, twice }
}
