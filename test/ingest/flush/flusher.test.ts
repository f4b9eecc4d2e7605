import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFile, link, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CountedHit, hitsTable, touchedTable } from '../../../core/contracts/traffic'
import { openColumns } from '../../../core/stores/columns/client'
import { connectClickhouse } from '../../../ingest/flush/clickhouse'
import { flushSegment } from '../../../ingest/flush/flush-segment'
import { createFlusher, type Flushed, type Flusher } from '../../../ingest/flush/flusher'
import { openJournal } from '../../../ingest/journal/journal'
import { chdbFolder, freshColumns, freshColumnsTarget } from '../../support/chdb'
import { startClickhouseFront } from '../../support/clickhouse-front'
import { countedHit } from '../../support/counted-hit'
import { quietLog } from '../../support/quiet-log'
import { soonMs, turns, waitFor } from '../../support/wait-for'

const now = () => new Date()
const columns = await freshColumns()
const folders: string[] = []
beforeAll(() => columns.ensure([hitsTable, touchedTable]))
afterAll(async () => {
  await columns.close()
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
})

const freshFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'renown-flusher-'))
  folders.push(folder)
  await Promise.all(['segments', 'done'].map((name) => mkdir(join(folder, name))))
  return folder
}

async function journalled(folder: string, hits: readonly CountedHit[]) {
  const journal = await openJournal({ directory: folder, now, log: quietLog })
  await journal.append({ hits })
  await journal.stop()
}

const counted = (site: string, store = columns) =>
  store.query<Record<string, unknown>>(
    `SELECT toString(date) AS date, kind, agent, path, sum(hits) AS hits, sum(verified) AS verified, sum(spoofed) AS spoofed
     FROM traffic_hits WHERE site_id = {site:String} GROUP BY date, kind, agent, path ORDER BY date, kind, agent, path`,
    { site },
  )
const total = async (site: string, store = columns) =>
  (await counted(site, store)).reduce((sum, row) => sum + Number(row.hits), 0)

/** Lets ClickHouse forget which blocks it has, as it does after ten thousand others. */
async function forgetTokens() {
  for (const blocks of [0, 10_000])
    await columns.text(
      `ALTER TABLE ${hitsTable.name} MODIFY SETTING non_replicated_deduplication_window = ${blocks}`,
    )
}

async function withFlusher<T>(folder: string, work: (flusher: Flusher) => Promise<T>, over = {}): Promise<T> {
  const flusher = createFlusher({ directory: folder, target: columns.target, now, log: quietLog, ...over })
  try {
    return await work(flusher)
  } finally {
    await flusher.stop()
  }
}

const until = (condition: () => boolean | Promise<boolean>) =>
  waitFor(condition, { what: 'the flusher', timeoutMs: 20_000, everyMs: 20 })

describe('the flusher', () => {
  test('brings every hit of a segment into ClickHouse, with the days it touched and one receipt a month', async () => {
    const folder = await freshFolder()
    const path = `/a\tb\n'c'\\d é 😀`
    await journalled(folder, [
      countedHit({ site_id: 'sit_a', path }),
      countedHit({ site_id: 'sit_a', path, verdict: 'verified' }),
      countedHit({ site_id: 'sit_a', path, verdict: 'spoofed' }),
      countedHit({ site_id: 'sit_a', date: '2026-10-31', ts: 5 }),
      countedHit({ site_id: 'sit_a', kind: 'visit', agent: 'chatgpt.com', category: '', operator: '' }),
    ])
    let flushed = 0
    await withFlusher(folder, (flusher) => flusher.drain(), {
      onFlushed: ({ hits }: { hits: number }) => (flushed += hits),
    })
    expect(flushed).toBe(5)
    expect(await counted('sit_a')).toEqual([
      { date: '2026-10-31', kind: 'crawl', agent: 'GPTBot', path: '/', hits: 1, verified: 0, spoofed: 0 },
      { date: '2026-11-20', kind: 'crawl', agent: 'GPTBot', path, hits: 3, verified: 1, spoofed: 1 },
      {
        date: '2026-11-20',
        kind: 'visit',
        agent: 'chatgpt.com',
        path: '/',
        hits: 1,
        verified: 0,
        spoofed: 0,
      },
    ])
    const [segment = ''] = await readdir(join(folder, 'done'))
    expect(await readdir(join(folder, 'segments'))).toEqual([])
    expect(await counted('~')).toEqual(
      ['2026-10-01', '2026-11-01'].map((date) => ({
        date,
        kind: 'receipt',
        agent: '',
        path: segment.replace('.seg', ''),
        hits: 1,
        verified: 0,
        spoofed: 0,
      })),
    )
    const touched = await columns.query(
      `SELECT toString(date) AS date, source, toUnixTimestamp64Milli(last_hit_at) AS at, touched_at > now64(3) - 60 AS fresh
       FROM traffic_touched WHERE site_id = 'sit_a' ORDER BY date, source`,
    )
    const at = Date.parse('2026-11-20T10:00:00.123Z')
    expect(touched).toEqual([
      { date: '2026-10-31', source: 'log', at: 5, fresh: 1 },
      { date: '2026-11-20', source: 'beacon', at, fresh: 1 },
      { date: '2026-11-20', source: 'log', at, fresh: 1 },
    ])
  })

  test('a segment is one part, however large, so that its receipt cannot be parted from its rows', async () => {
    const target = freshColumnsTarget()
    const store = await openColumns(target, { log: quietLog })
    await store.ensure([hitsTable, touchedTable])
    const hits = Array.from({ length: 250_000 }, (_, n) => countedHit({ path: `/${n}${'x'.repeat(60)}` }))
    const clickhouse = await connectClickhouse(target)
    await flushSegment(
      clickhouse,
      'big',
      { frames: [{ hits, batchIds: [], ends: [] }], validBytes: 0, torn: false, damaged: false },
      false,
    )
    await clickhouse.close()
    const parts = await store.query(
      "SELECT rows FROM system.parts WHERE database = currentDatabase() AND table = 'traffic_hits' AND active",
    )
    expect(parts).toEqual([{ rows: 250_001 }])
    await store.close()
  }, 90_000)

  test('a segment that stands already is not counted again, without any deduplication of ClickHouse', async () => {
    const target = freshColumnsTarget()
    const store = await openColumns(target, { log: quietLog })
    const { settings: _, ...plain } = hitsTable
    await store.ensure([plain, touchedTable])
    const clickhouse = await connectClickhouse(target)
    const segment = {
      frames: [
        {
          hits: [countedHit({ site_id: 'sit_r' }), countedHit({ site_id: 'sit_r', date: '2026-10-01' })],
          batchIds: [],
          ends: [],
        },
      ],
      validBytes: 0,
      torn: false,
      damaged: false,
    }
    await flushSegment(clickhouse, 'twice', segment, false)
    await flushSegment(clickhouse, 'twice', segment, true)
    await flushSegment(clickhouse, 'other', segment, true)
    await clickhouse.close()
    expect(await total('sit_r', { ...columns, ...store })).toBe(4)
    await store.close()
  })

  test('one month that stands does not keep the other out', async () => {
    const target = freshColumnsTarget()
    const store = await openColumns(target, { log: quietLog })
    await store.ensure([hitsTable, touchedTable])
    const clickhouse = await connectClickhouse(target)
    const both = [countedHit({ site_id: 'sit_m' }), countedHit({ site_id: 'sit_m', date: '2026-10-01' })]
    const segment = (hits: CountedHit[]) => ({
      frames: [{ hits, batchIds: [], ends: [] }],
      validBytes: 0,
      torn: false,
      damaged: false,
    })
    await flushSegment(clickhouse, 'half', segment(both.slice(0, 1)), false)
    await flushSegment(clickhouse, 'half', segment(both), true)
    await clickhouse.close()
    expect(await total('sit_m', { ...columns, ...store })).toBe(2)
    await store.close()
  })

  test('a damaged segment is counted as far as it can be read, and kept', async () => {
    const folder = await freshFolder()
    await journalled(folder, [countedHit({ site_id: 'sit_torn' })])
    const [name = ''] = await readdir(join(folder, 'segments'))
    const file = join(folder, 'segments', name)
    const bytes = await Bun.file(file).bytes()
    await writeFile(file, Buffer.concat([bytes, bytes.subarray(0, bytes.length - 3)]))
    const said: string[] = []
    const log = { ...quietLog, error: (message: string) => said.push(message) }
    await withFlusher(folder, (flusher) => flusher.drain(), { log })
    expect(await total('sit_torn')).toBe(1)
    expect(await readdir(join(folder, 'poison'))).toEqual([name.replace('.seg', '.damaged')])
    expect(await readdir(join(folder, 'done'))).toEqual([name])
    expect(said).toEqual([expect.stringContaining('damaged')])
  })

  test.each([
    ['as another name of the file in done/, as earlier versions kept it', 'link'],
    ['as a copy', 'copy'],
  ] as const)(
    'a damaged segment that is put back while the flusher runs is counted once: %s',
    async (_, how) => {
      const folder = await freshFolder()
      const site = `sit_back_${how}`
      await journalled(folder, [countedHit({ site_id: site })])
      const [name = ''] = await readdir(join(folder, 'segments'))
      const file = join(folder, 'segments', name)
      await writeFile(file, Buffer.concat([await Bun.file(file).bytes(), Buffer.from('damage')]))
      const said: string[] = []
      const tell = (message: string) => said.push(message)
      await withFlusher(
        folder,
        async (flusher) => {
          await flusher.drain()
          // ClickHouse remembers the tokens of blocks only for some time, so the receipts have to show what is stored.
          await forgetTokens()
          for (let round = 0; round < 3; round++) {
            await (how === 'link' ? link : copyFile)(join(folder, 'done', name), file)
            await flusher.drain()
            expect(await readdir(join(folder, 'segments'))).toEqual([])
          }
          await rename(
            join(folder, 'poison', name.replace('.seg', '.damaged')),
            file.replace('.seg', '.damaged'),
          )
          await flusher.drain()
        },
        { log: { ...quietLog, error: tell, warn: tell } },
      )
      expect(await total(site)).toBe(1)
      expect(await readdir(join(folder, 'segments'))).toEqual([])
      expect(await readdir(join(folder, 'poison'))).toEqual([name.replace('.seg', '.damaged')])
      expect(said).toEqual([
        expect.stringContaining('is damaged'),
        expect.stringContaining('counted already'),
      ])
    },
  )

  test('segments of done/ that are put back are counted once, also when ClickHouse forgot their tokens', async () => {
    const folder = await freshFolder()
    await journalled(folder, [countedHit({ site_id: 'sit_again' })])
    const [name = ''] = await readdir(join(folder, 'segments'))
    await withFlusher(folder, async (flusher) => {
      await flusher.drain()
      await forgetTokens()
      await rename(join(folder, 'done', name), join(folder, 'segments', name))
      await flusher.drain()
    })
    expect(await total('sit_again')).toBe(1)
    expect(await readdir(join(folder, 'done'))).toEqual([name])
  })

  test('a segment whose rows ClickHouse refuses is set aside, and the others go on', async () => {
    const folder = await freshFolder()
    await journalled(folder, [countedHit({ site_id: 'sit_bad', date: 'no-such-day' })])
    await journalled(folder, [countedHit({ site_id: 'sit_good' })])
    const said: string[] = []
    const log = { ...quietLog, error: (message: string) => said.push(message) }
    await withFlusher(folder, (flusher) => flusher.drain(), { log })
    expect([await total('sit_bad'), await total('sit_good')]).toEqual([0, 1])
    expect(await readdir(join(folder, 'poison'))).toHaveLength(1)
    expect(said).toEqual([expect.stringContaining('refuses the rows')])
  })

  test('nothing is lost while ClickHouse is down, and it is not asked in a rush', async () => {
    const port = startClickhouseFront({ folder: chdbFolder() })
    await port.stop()
    const folder = await freshFolder()
    await journalled(folder, [countedHit({ site_id: 'sit_down' })])
    const target = { url: `${port.url}/${columns.target.database}` }
    const warnings: string[] = []
    const log = { ...quietLog, warn: (message: string) => warnings.push(message) }
    await withFlusher(
      folder,
      async (flusher) => {
        await until(() => flusher.trouble() !== null)
        expect(flusher.trouble()).toMatchObject({
          of: 'clickhouse',
          reason: expect.stringMatching(/^ClickHouse accepts no hits \(.+\)$/s),
        })
        for (let pokes = 0; pokes < 200; pokes++) flusher.look()
        const drained = flusher.drain()
        await turns(50)
        expect(await readdir(join(folder, 'segments'))).toHaveLength(1)
        const back = startClickhouseFront({ folder: chdbFolder(), port: port.port })
        await drained
        await back.stop()
        expect(flusher.trouble()).toBeNull()
      },
      { target, log },
    )
    expect(await total('sit_down')).toBe(1)
    expect(warnings).toEqual(['ClickHouse accepts no hits; hits wait in the journal'])
  })

  test('where several processes count, a batch that another has is left out, and all waits while nobody can say', async () => {
    const folder = await freshFolder()
    const journal = await openJournal({ directory: folder, now, log: quietLog })
    for (const id of ['ours', 'theirs']) {
      const batch = { id, accepted: 2, ignored: 0, rejected: 0, duplicate: 0, at: 5 }
      const hits = ['/1', '/2'].map((path) => countedHit({ site_id: `sit_${id}`, path }))
      await journal.append({ hits, batch })
    }
    await journal.append({ hits: [countedHit({ site_id: 'sit_theirs', date: '2026-09-01', id: 5 })] })
    await journal.append({ hits: [countedHit({ site_id: 'sit_ours', kind: 'visit', agent: 'chatgpt.com' })] })
    await journal.stop()
    let isAway = true
    const flushed: Flushed[] = []
    const claim = async (_: string, ids: readonly string[]) => {
      if (isAway) throw Object.assign(new Error(), { code: 'status 503' })
      return ids.filter((id) => id !== 'ours')
    }
    await withFlusher(
      folder,
      async (flusher) => {
        await until(() => flusher.trouble() !== null)
        expect(flusher.trouble()).toMatchObject({
          of: 'gateway',
          reason: expect.stringContaining('status 503'),
        })
        expect(await total('sit_ours')).toBe(0)
        isAway = false
        await flusher.drain()
        expect(flusher.trouble()).toBeNull()
      },
      { claim, onFlushed: (one: Flushed) => flushed.push(one) },
    )
    expect([await total('sit_ours'), await total('sit_theirs')]).toEqual([3, 0])
    expect(flushed).toMatchObject([{ hits: 3, elsewhere: 3 }])
    const theirs = await columns.query("SELECT site_id FROM traffic_touched WHERE site_id = 'sit_theirs'")
    expect(theirs).toEqual([])
  })

  test('a question that nobody answers does not keep the flusher from stopping', async () => {
    const folder = await freshFolder()
    await journalled(folder, [countedHit({ site_id: 'sit_asked', id: 6 })])
    const asked = Promise.withResolvers<void>()
    const claim = () => {
      asked.resolve()
      return new Promise<string[]>(() => {})
    }
    await withFlusher(folder, () => asked.promise, { claim })
    expect(await total('sit_asked')).toBe(0)
    await withFlusher(folder, (flusher) => flusher.drain(), { claim: async () => [] })
    expect(await total('sit_asked')).toBe(1)
  })

  test('it waits for tables that the core has not made yet', async () => {
    const target = freshColumnsTarget()
    const folder = await freshFolder()
    await journalled(folder, [countedHit({ site_id: 'sit_early' })])
    await withFlusher(
      folder,
      async (flusher) => {
        await until(() => flusher.trouble() !== null)
        const store = await openColumns(target, { log: quietLog })
        await store.ensure([hitsTable, touchedTable])
        await flusher.drain()
        expect(await total('sit_early', { ...columns, ...store })).toBe(1)
        await store.close()
      },
      { target },
    )
  })

  test('it stops at once, and what is left is taken by the next one', async () => {
    const folder = await freshFolder()
    for (let n = 0; n < 6; n++) await journalled(folder, [countedHit({ site_id: 'sit_stop', path: `/${n}` })])
    const started = performance.now()
    await withFlusher(folder, async () => undefined)
    expect(performance.now() - started).toBeLessThan(soonMs)
    await withFlusher(folder, (flusher) => flusher.drain())
    expect(await total('sit_stop')).toBe(6)
  })

  test('done segments are kept for a day', async () => {
    const folder = await freshFolder()
    const name = (ageMs: number) => `${String(Date.now() - ageMs).padStart(14, '0')}-abc.seg`
    const old = name(25 * 3_600_000)
    const young = name(23 * 3_600_000)
    await writeFile(join(folder, 'done', old), 'x')
    await writeFile(join(folder, 'done', young), 'x')
    await withFlusher(folder, () => until(async () => (await readdir(join(folder, 'done'))).length === 1))
    expect(await readdir(join(folder, 'done'))).toEqual([young])
  })
})
