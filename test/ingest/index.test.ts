import { expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { hitsTable, touchedTable } from 'renown/contracts'
import { createFlusher } from '../../ingest/flush/flusher'
import { freshColumns } from '../support/chdb'
import { turns } from '../support/wait-for'
import { gptBot, record, withIngest } from './support/ingest'
import { readJournal } from './support/journal'

test('what was accepted stands in ClickHouse after a flush, once, with the days it touched', async () => {
  await using columns = await freshColumns()
  await columns.ensure([hitsTable, touchedTable])
  let flushed = 0
  await withIngest(
    async ({ ingest, send }) => {
      const body = JSON.stringify([record(), record({ path: '/b', ip: null }), record()])
      expect((await send('/v1/hits', body)).body).toMatchObject({ accepted: 3 })
      expect((await send('/v1/hits', body)).body).toMatchObject({ duplicate: 3 })
      await send('/s/key1', ',https://claude.ai/,/b', { origin: 'https://example.com' })
      await ingest.flush()
      expect(
        await columns.query(
          `SELECT kind, agent, path, toUInt32(sum(hits)) AS hits, toUInt32(sum(verified)) AS verified
           FROM traffic_hits WHERE kind IN ('crawl', 'visit') GROUP BY kind, agent, path ORDER BY kind, path`,
        ),
      ).toEqual([
        { kind: 'crawl', agent: 'GPTBot', path: '/b', hits: 1, verified: 0 },
        { kind: 'crawl', agent: 'GPTBot', path: '/pricing', hits: 2, verified: 2 },
        { kind: 'visit', agent: 'claude.ai', path: '/b', hits: 1, verified: 0 },
      ])
      const touched = await columns.query(
        'SELECT DISTINCT site_id, toString(date) AS date FROM traffic_touched',
      )
      expect(touched).toEqual([{ site_id: 'site_1', date: '2026-11-20' }])
      expect(flushed).toBeGreaterThan(0)
      expect(await ingest.health()).toEqual({ ok: true, dedupShortened: null })
    },
    { columns: columns.target, flusher: createFlusher, onFlushed: () => void flushed++ },
  )
})

test('no address, user agent or token of a batch stands in any file', () =>
  withIngest(async ({ ingest, directory, send }) => {
    const address = (n: number) => `198.51.${(n >> 8) & 255}.${n & 255}`
    const bodies = [...Array(40).keys()].map((batch) =>
      [...Array(100).keys()]
        .map((n) =>
          JSON.stringify(
            record({ ip: address(batch * 100 + n), ua: `${gptBot} canary-agent`, id: `${batch}-${n}` }),
          ),
        )
        .join('\n'),
    )
    await Promise.all(
      bodies.map((body, n) => send('/v1/hits', body, { 'idempotency-key': `canary-key-${n}` })),
    )
    await send(
      '/v1/logs',
      `2001:db8::77 - - [20/Nov/2026:12:00:00 +0000] "GET /x HTTP/1.1" 200 5 "-" "canary-agent ClaudeBot/1.0"`,
    )
    await send('/v1/logs', `${'x'.repeat(50)} 198.51.100.9 canary-agent`)
    await ingest.flush()
    let searched = 0
    for (const file of new Bun.Glob('**/*').scanSync({ cwd: directory, dot: true })) {
      const content = await readFile(`${directory}/${file}`, 'latin1')
      searched += content.length
      expect(content).not.toMatch(/198\.51\.|2001:db8|canary|rnw_fwd_|Mozilla/)
    }
    expect(searched).toBeGreaterThan(50_000)
    expect((await readJournal(directory)).hits).toHaveLength(4_001)
  }))

test('a start waits for the first address lists', async () => {
  const lists = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const start = () => {
    asked.resolve()
    return lists.promise
  }
  let isStarted = false
  const running = withIngest(
    async () => {
      isStarted = true
    },
    {
      ranges: {
        start,
        stop() {},
        use() {},
        status: () => [],
        refresh: async () => [],
        verdict: () => 'unchecked' as const,
        isInDoubt: () => false,
      },
    },
  )
  await asked.promise
  await turns(20)
  expect(isStarted).toBe(false)
  lists.resolve()
  await running
  expect(isStarted).toBe(true)
})

/** Runs work with a clock that notes how long each timer waits. */
async function timersOf(work: () => Promise<void>): Promise<number[]> {
  const real = globalThis.setTimeout
  const waits: number[] = []
  globalThis.setTimeout = ((run: () => void, ms: number) => {
    waits.push(ms)
    return real(run, ms)
  }) as never
  try {
    await work()
  } finally {
    globalThis.setTimeout = real
  }
  return waits
}

const rangesThat = (start: () => Promise<void>, states: readonly string[]) => ({
  start,
  stop() {},
  use() {},
  refresh: async () => [],
  status: () => states.map((status) => ({ status })) as never,
  verdict: () => 'unchecked' as const,
  isInDoubt: () => false,
})

test('a start waits at most three seconds for address lists, and not at all if it has a fresh one', async () => {
  const quick = rangesThat(async () => {}, ['absent', 'stale'])
  const waits = await timersOf(() => withIngest(async () => {}, { ranges: quick }))
  expect(waits.filter((ms) => ms === 3_000)).toHaveLength(1)
  const never = new Promise<void>(() => {})
  const known = rangesThat(() => never, ['absent', 'fresh'])
  expect(await timersOf(() => withIngest(async () => {}, { ranges: known }))).not.toContain(3_000)
})

test('a stop waits at most 2.5 s for ClickHouse and 1.5 s for the flusher', async () => {
  const waits = await timersOf(() => withIngest(async () => {}))
  expect(waits.slice(-2)).toEqual([2_500, 1_500])
})
