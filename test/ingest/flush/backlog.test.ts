import { expect, spyOn, test } from 'bun:test'
import { copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createFlushLoop } from '../../../ingest/flush/flush-loop'
import type { FromWorker } from '../../../ingest/flush/flusher-messages'
import { systemFiles } from '../../../ingest/journal/files'
import { openJournal } from '../../../ingest/journal/journal'
import { countedHit } from '../../support/counted-hit'
import { quietLog } from '../../support/quiet-log'
import { passTime, waitFor } from '../../support/wait-for'
import { inTemporaryFolder } from '../support/journal'

/** Adds segments, with one hit each unless `hits` says more, of some sites by turns. */
async function addSegments(directory: string, count: number, hits = 1) {
  const journal = await openJournal({ directory, now: () => new Date(), log: quietLog })
  for (let segment = 0; segment < count; segment++) {
    const of = (hit: number) =>
      countedHit({ path: `/${segment}-${hit}`, site_id: `sit_${(segment + hit) % 20}`, date: '2026-11-20' })
    await journal.append({ hits: Array.from({ length: hits }, (_, hit) => of(hit)) })
    await journal.rotate()
  }
  await journal.stop()
}

interface Told {
  readonly sql: string
  readonly body: string
}

/** A ClickHouse that needs a moment for each request, and a loop before it. `answer` may refuse. */
async function withBacklog(
  directory: string,
  answer: (told: Told) => Response | null,
  work: (of: { said: FromWorker[]; told: Told[]; drained(id?: number): Promise<void> }) => Promise<void>,
) {
  const told: Told[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    maxRequestBodySize: 2 ** 30,
    async fetch(request) {
      const body = await request.text()
      const one = { sql: new URL(request.url).searchParams.get('query') ?? body, body }
      told.push(one)
      await passTime(2)
      return answer(one) ?? new Response('')
    },
  })
  const said: FromWorker[] = []
  const loop = createFlushLoop({
    directory,
    target: { url: `http://127.0.0.1:${server.port}/any` },
    pollMs: 20,
    say: (message) => void said.push(message),
    desk: null,
    longestPauseMs: 100,
  })
  try {
    await work({
      said,
      told,
      drained: (id = 1) => {
        loop.drain(id)
        return waitFor(() => said.some((one) => one.say === 'drained' && one.id === id), {
          what: 'the backlog to be gone',
          timeoutMs: 60_000,
        }).then(() => undefined)
      },
    })
  } finally {
    await loop.stop()
    await server.stop(true)
  }
}

const rowsOf = (told: readonly Told[], table: string) =>
  told.filter(({ sql }) => sql.includes(`INTO ${table} `)).map(({ body }) => body)
const badRows = () =>
  new Response('Code: 27. DB::Exception: Cannot parse. (CANNOT_PARSE_INPUT_ASSERTION_FAILED)', {
    status: 400,
    headers: { 'x-clickhouse-exception-code': '27' },
  })

test('segments of a minute that wait cost three requests, not three each', () =>
  inTemporaryFolder(async (directory) => {
    await addSegments(directory, 60)
    await withBacklog(
      directory,
      () => null,
      async ({ said, told, drained }) => {
        await drained()
        expect(told).toHaveLength(3)
        const [block = ''] = rowsOf(told, 'traffic_hits')
        expect(block.match(/^receipt\t/gm)).toHaveLength(60)
        expect(block.match(/^crawl\t/gm)).toHaveLength(60)
        const flushed = said.flatMap((one) => (one.say === 'flushed' ? [one] : []))
        expect(new Set(flushed.map(({ segment }) => segment)).size).toBe(60)
        expect(flushed.map(({ hits }) => hits)).toEqual(Array.from({ length: 60 }, () => 1))
        expect(await readdir(join(directory, 'done'))).toHaveLength(60)
      },
    )
  }))

test(
  'a backlog of hours goes in blocks that are no larger than a full segment',
  () =>
    inTemporaryFolder(async (directory) => {
      // As many as a site with little traffic has after twenty minutes, and some large ones. Their files are copies, to save time.
      await addSegments(directory, 1, 20_000)
      const folder = join(directory, 'segments')
      const [large = ''] = await readdir(folder)
      for (let copy = 1; copy < 40; copy++)
        await copyFile(join(folder, large), join(folder, large.replace(/-.*/, `-copy${copy}.seg`)))
      const size = await systemFiles.size(join(folder, large))
      await addSegments(directory, 1)
      const small = (await readdir(folder)).sort().at(-1) ?? ''
      for (let copy = 1; copy < 1_200; copy++)
        await copyFile(join(folder, small), join(folder, small.replace(/-.*/, `-copy${copy}.seg`)))
      await withBacklog(
        directory,
        () => null,
        async ({ told, drained }) => {
          await drained()
          const receipts = rowsOf(told, 'traffic_hits').map((rows) => rows.match(/^receipt\t/gm)?.length ?? 0)
          expect(receipts.reduce((sum, count) => sum + count, 0)).toBe(1_240)
          const perBlock = Math.floor((4 * 2 ** 20) / size)
          expect(Math.max(...receipts)).toBe(500)
          expect(receipts[0]).toBe(perBlock)
          expect(receipts.length).toBeLessThanOrEqual(Math.ceil(40 / perBlock) + 3)
          expect(told.length).toBeLessThanOrEqual(receipts.length * 3)
        },
      )
    }),
  60_000,
)

test('what came after a failure waits for the block that may be stored', () =>
  inTemporaryFolder(async (directory) => {
    await addSegments(directory, 3)
    let isAway = true
    const away = ({ sql }: Told) =>
      isAway && sql.startsWith('INSERT') ? new Response('Code: 999. away', { status: 500 }) : null
    await withBacklog(directory, away, async ({ said, told, drained }) => {
      await waitFor(() => said.some(({ say }) => say === 'trouble'), { what: 'the trouble' })
      await addSegments(directory, 2)
      isAway = false
      await drained()
      const tokens = told.flatMap(({ sql }) => /token = '([^']+)'/.exec(sql)?.slice(1) ?? [])
      expect(tokens.length).toBeGreaterThanOrEqual(3)
      expect(new Set(tokens.slice(0, -1)).size).toBe(1)
      expect(tokens.at(-1)).not.toBe(tokens[0])
      const receipts = rowsOf(told, 'traffic_hits').map((rows) => rows.match(/^receipt\t/gm)?.length)
      expect([receipts[0], receipts.at(-1)]).toEqual([3, 2])
    })
  }))

test('one segment with rows that are refused is found by halving, and the others are stored', () =>
  inTemporaryFolder(async (directory) => {
    await addSegments(directory, 64)
    const refuses = ({ sql, body }: Told) =>
      sql.includes('INTO traffic_hits') && /\t\/37-0\t/.test(body) ? badRows() : null
    await withBacklog(directory, refuses, async ({ told, drained }) => {
      await drained()
      expect(await readdir(join(directory, 'poison'))).toHaveLength(1)
      expect(await readdir(join(directory, 'done'))).toHaveLength(63)
      expect(told.length).toBeLessThan(64)
    })
  }))

test('a stored segment that a person puts back is known by its receipt', () =>
  inTemporaryFolder(async (directory) => {
    await addSegments(directory, 1)
    await withBacklog(
      directory,
      () => null,
      async ({ told, drained }) => {
        await drained(1)
        const [name = ''] = await readdir(join(directory, 'done'))
        await passTime(3)
        await addSegments(directory, 1)
        await drained(2)
        const before = told.length
        const from = join(directory, 'done', name)
        await systemFiles.rename(from, join(directory, 'segments', name))
        await drained(3)
        expect(told.slice(before).filter(({ sql }) => sql.includes('receipt'))).toHaveLength(1)
      },
    )
  }))

test('a full disk does not stop what empties it', () =>
  inTemporaryFolder(async (directory) => {
    await addSegments(directory, 3)
    const create = spyOn(systemFiles, 'create').mockImplementation(() =>
      Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
    )
    try {
      await withBacklog(
        directory,
        () => null,
        async ({ told, drained }) => {
          await drained()
          const tokens = told.flatMap(({ sql }) => /token = '([^']+)'/.exec(sql)?.slice(1) ?? [])
          const names = (await readdir(join(directory, 'done'))).sort()
          expect(tokens).toEqual(names.map((name) => `${name.replace('.seg', '')}:202611`))
        },
      )
    } finally {
      create.mockRestore()
    }
  }))
