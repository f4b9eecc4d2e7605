import { expect, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { hitsTable, touchedTable } from '../../../core/contracts/traffic'
import { createFlushLoop } from '../../../ingest/flush/flush-loop'
import type { FromWorker } from '../../../ingest/flush/flusher-messages'
import { openJournal } from '../../../ingest/journal/journal'
import { chdbFolder, freshColumns } from '../../support/chdb'
import { startClickhouseFront } from '../../support/clickhouse-front'
import { countedHit } from '../../support/counted-hit'
import { quietLog } from '../../support/quiet-log'
import { passTime, waitFor } from '../../support/wait-for'
import { inTemporaryFolder } from '../support/journal'

const isLong = process.env.RENOWN_LONG === '1'
const segments = isLong ? 120 : 12
const timeoutMs = 600

const faults = [
  '500 before it is applied',
  '500 although it is applied',
  'cut before it is applied',
  'cut although it is applied',
  'no answer in time although it is applied',
  // With the token alone: what makes ClickHouse forget one ends its statements too.
  'no answer in time, applied while it is tried again',
] as const

/** A way to ClickHouse on which every fifth request meets a fault, all kinds by turns. `forgets` takes tokens away. */
function faultyWay(upstream: string, forgets: boolean) {
  const met = new Map<string, number>()
  const kinds = forgets ? faults.slice(0, -1) : faults
  let requests = 0
  let turn = 0
  let late: Promise<unknown> = Promise.resolve()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const fault = ++requests % 5 === 0 ? kinds[turn++ % kinds.length] : undefined
    if (fault) met.set(fault, (met.get(fault) ?? 0) + 1)
    const apply = () => forward(upstream, request, Buffer.concat(chunks), forgets)
    if (fault?.startsWith('500 before')) return void response.writeHead(500).end('Code: 999. DB::Exception')
    if (fault?.startsWith('cut before')) return void request.socket.destroy()
    if (fault?.endsWith('tried again')) {
      late = passTime(timeoutMs * 1.5).then(apply)
      return
    }
    const answer = await apply()
    if (fault === undefined) return send(response, answer)
    if (fault.startsWith('500')) response.writeHead(500).end('Code: 999. DB::Exception')
    else if (fault.startsWith('cut')) request.socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  return {
    met,
    settled: () => late,
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function forward(
  upstream: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  forgets: boolean,
) {
  const forgotten = (text: string) =>
    text.replace(
      /insert_deduplication_token = '[^']*'/,
      `insert_deduplication_token = '${crypto.randomUUID()}'`,
    )
  const { host: _, connection: __, ...rest } = headers
  const address = new URL(url ?? '/', upstream)
  const query = address.searchParams.get('query')
  if (forgets && query) address.searchParams.set('query', forgotten(query))
  const response = await fetch(address, {
    method: method ?? 'POST',
    headers: rest as Record<string, string>,
    body: forgets && !query ? forgotten(body.toString('latin1')) : body,
    decompress: false,
  } as RequestInit)
  return { status: response.status, headers: response.headers, bytes: await response.bytes() }
}

function send(response: ServerResponse, { status, headers, bytes }: Awaited<ReturnType<typeof forward>>) {
  response.writeHead(status, Object.fromEntries(headers)).end(bytes)
}

test.each([
  ['', false, 1],
  [', also where ClickHouse remembers no token', true, 1],
  [', also where waiting segments go together', false, 3],
  [', also where they go together and ClickHouse remembers no token', true, 3],
])(
  `whatever becomes of ClickHouse's answers, each hit is counted once%s`,
  (_, forgets, together) =>
    inTemporaryFolder(async (directory) => {
      await using columns = await freshColumns()
      await columns.ensure([hitsTable, touchedTable])
      const front = startClickhouseFront({ folder: chdbFolder() })
      const way = faultyWay(front.url, forgets)
      await mkdir(join(directory, 'done'), { recursive: true })
      const journal = await openJournal({ directory, now: () => new Date(), log: quietLog })
      for (let segment = 0; segment < segments * together; segment++) {
        const dates = ['2026-11-20', '2026-10-31']
        await journal.append({ hits: dates.map((date) => countedHit({ path: `/${segment}`, date })) })
        await journal.rotate()
      }
      await journal.stop()
      const said: FromWorker[] = []
      const loop = createFlushLoop({
        directory,
        target: { url: `${way.url()}/${columns.target.database}` },
        pollMs: 20,
        say: (message) => void said.push(message),
        desk: null,
        timeoutMs,
        longestPauseMs: 500,
        limits: { segments: together, bytes: 2 ** 20 },
      })
      try {
        loop.drain(1)
        await waitFor(() => said.some((message) => message.say === 'drained'), {
          what: 'all segments to stand',
          timeoutMs: isLong ? 800_000 : 60_000,
        })
        await way.settled()
        const rows = await columns.query<{ path: string; date: string; n: number }>(
          `SELECT kind, path, toString(date) AS date, toUInt32(sum(hits)) AS n FROM traffic_hits GROUP BY kind, path, date`,
        )
        // A row for each day of a segment, and as many receipts.
        expect(rows).toHaveLength(segments * together * 4)
        expect(rows.filter(({ n }) => n !== 1)).toEqual([])
        expect(way.met.size).toBe(forgets ? faults.length - 1 : faults.length)
      } finally {
        await loop.stop()
        way.stop()
        await front.stop()
      }
    }),
  isLong ? 900_000 : 90_000,
)
