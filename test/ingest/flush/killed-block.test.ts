import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hitsTable, touchedTable } from '../../../core/contracts/traffic'
import { openJournal } from '../../../ingest/journal/journal'
import { chdbFolder, freshColumns } from '../../support/chdb'
import { startClickhouseFront } from '../../support/clickhouse-front'
import { countedHit } from '../../support/counted-hit'
import { testWith } from '../../support/needs'
import { quietLog } from '../../support/quiet-log'
import { inTemporaryFolder } from '../support/journal'

const child = join(import.meta.dir, '../support/block-child.ts')
const together = 4

/** Where a flushing process is killed: before a call of a file, or at a request. */
type Kill =
  | { readonly step: number }
  /** `late`: what it had sent is stored only when the next process sends its first rows. */
  | { readonly request: number; readonly applied: 'not' | 'before' | 'late' }

let columns: Awaited<ReturnType<typeof freshColumns>>
let front: ReturnType<typeof startClickhouseFront>
beforeAll(async () => {
  columns = await freshColumns()
  await columns.ensure([hitsTable, touchedTable])
  front = startClickhouseFront({ folder: chdbFolder() })
})
afterAll(async () => {
  await front?.stop()
  await columns?.[Symbol.asyncDispose]()
}, 60_000)

/** ClickHouse and the gateway for a process that is killed at one of its requests, and for the next one. */
function outside(kill: Kill, forgets: boolean) {
  const claimed = new Map<string, string>()
  let requests = 0
  let victim: ReturnType<typeof Bun.spawn> | null = null
  let late: (() => Promise<unknown>) | null = null
  const claim = async (request: Request) => {
    const { segment, ids } = (await request.json()) as { segment: string; ids: string[] }
    for (const id of ids) if (!claimed.has(id)) claimed.set(id, segment)
    return Response.json(ids.filter((id) => claimed.get(id) !== segment))
  }
  const applyTo = async (request: Request) => {
    const { pathname, search } = new URL(request.url)
    if (pathname === '/claims') return claim(request)
    const text = await request.text()
    const body = forgets ? withoutTokens(text) : text
    const address = `${front.url}/${forgets ? withoutTokens(search) : search}`
    const headers = Object.fromEntries([...request.headers].filter(([name]) => !hopHeaders.has(name)))
    const init: BunFetchRequestInit = { method: request.method, headers, decompress: false }
    return fetch(address, body === '' ? init : { ...init, body })
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const isVictims = victim !== null && victim.exitCode === null && victim.signalCode === null
      const isHere = isVictims && 'request' in kill && ++requests === kill.request
      if (!isHere) {
        if (!isVictims && late && new URL(request.url).search.includes('INSERT')) {
          await late()
          late = null
        }
        return applyTo(request)
      }
      if (kill.applied === 'before') await applyTo(request)
      if (kill.applied === 'late') {
        const kept = new Request(request.url, {
          method: request.method,
          headers: request.headers,
          body: await request.text(),
        })
        late = () => applyTo(kept)
      }
      victim?.kill('SIGKILL')
      return new Promise<Response>(() => {})
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests: () => requests,
    aimAt(process: ReturnType<typeof Bun.spawn>) {
      victim = process
    },
    stop: () => server.stop(true),
  }
}

const hopHeaders: ReadonlySet<string> = new Set(['host', 'connection', 'content-length', 'transfer-encoding'])
const withoutTokens = (text: string) =>
  text.replace(
    /(insert_deduplication_token(?: |\+|%20)*(?:=|%3D)(?: |\+|%20)*(?:'|%27))/,
    `$1${crypto.randomUUID()}`,
  )

/** Adds segments whose paths begin with a word. Each has a batch, and hits of two months. */
async function addSegments(directory: string, word: string, count: number) {
  const journal = await openJournal({ directory, now: () => new Date(), log: quietLog })
  for (let segment = 0; segment < count; segment++) {
    const path = `/${word}-${segment}`
    const hits = ['2026-11-20', '2026-10-31'].map((date) => countedHit({ site_id: word, path, date }))
    const batch = { id: path, accepted: 2, ignored: 0, rejected: 0, duplicate: 0, at: 1 }
    await journal.append({ hits, batch })
    await journal.rotate()
  }
  await journal.stop()
}

interface Outcome {
  readonly wasKilled: boolean
  readonly steps: number
  readonly requests: number
}

/** Kills a flush, lets the next process finish it and what came meanwhile, and compares what was counted. */
async function killAndFinish(kill: Kill, forgets = false): Promise<Outcome> {
  const word = `w${crypto.randomUUID().slice(0, 8)}`
  return inTemporaryFolder(async (directory) => {
    await addSegments(directory, word, together)
    const way = outside(kill, forgets)
    const run = (step: number) =>
      Bun.spawn(
        ['bun', child, directory, `${way.url}/${columns.target.database}`, `${way.url}/claims`, String(step)],
        { stdout: 'pipe', stderr: 'inherit' },
      )
    try {
      const first = run('step' in kill ? kill.step : 0)
      way.aimAt(first)
      const said = await first.stdout.text()
      await first.exited
      // They would go into one block with those that were left.
      await addSegments(directory, `${word}-after`, 2)
      const next = run(0)
      await next.exited
      expect([next.exitCode, await readdir(join(directory, 'segments'))]).toEqual([0, []])
      const rows = await columns.query<{ path: string; n: number }>(
        `SELECT path, date, toUInt32(sum(hits)) AS n FROM traffic_hits WHERE startsWith(site_id, '${word}') AND kind = 'crawl' GROUP BY path, date`,
      )
      expect(rows.filter(({ n }) => n !== 1)).toEqual([])
      expect(rows).toHaveLength((together + 2) * 2)
      const names = (await readdir(join(directory, 'done'))).map((file) => `'${file.replace('.seg', '')}'`)
      const receipts = await columns.query<{ n: number }>(
        `SELECT toUInt32(sum(hits)) AS n FROM traffic_hits WHERE kind = 'receipt' AND path IN (${names.join(', ')}) GROUP BY path, date`,
      )
      expect(receipts.map(({ n }) => n)).toEqual(Array.from({ length: (together + 2) * 2 }, () => 1))
      return {
        wasKilled: first.signalCode === 'SIGKILL',
        steps: Number(/steps (\d+)/.exec(said)?.[1] ?? 0),
        requests: way.requests(),
      }
    } finally {
      await way.stop()
    }
  })
}

/** A claim for each segment, the receipts, a block for each month, the touched days. */
const requestsOfBlock = together + 1 + 2 + 1

test('a block that a killed process had sent is not counted again when it is stored later', async () => {
  // The first rows are sent after the claims and the receipts.
  const kill: Kill = { request: together + 2, applied: 'late' }
  expect(await killAndFinish(kill)).toMatchObject({ wasKilled: true, requests: together + 2 })
}, 60_000)

testWith('a long run')(
  'killed before every call of a file, a block is counted once',
  async () => {
    const { steps, requests } = await killAndFinish({ request: 1_000, applied: 'not' })
    expect(requests).toBe(requestsOfBlock)
    expect(steps).toBeGreaterThan(together * 3)
    for (let step = 1; step <= steps; step++)
      expect([step, (await killAndFinish({ step })).wasKilled]).toEqual([step, true])
  },
  600_000,
)

testWith('a long run')(
  'killed at every request, a block is counted once, also where ClickHouse remembers no token',
  async () => {
    for (let request = 1; request <= requestsOfBlock; request++) {
      for (const applied of ['not', 'before', 'late'] as const) {
        const { wasKilled } = await killAndFinish({ request, applied })
        expect([request, applied, wasKilled]).toEqual([request, applied, true])
        // What is stored late is known by its token alone.
        if (applied !== 'late') await killAndFinish({ request, applied }, true)
      }
    }
  },
  900_000,
)
