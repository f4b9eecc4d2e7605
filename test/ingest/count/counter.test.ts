import { describe, expect, test } from 'bun:test'
import { assetPath, type ClaimBatches, otherPath } from 'renown/contracts'
import {
  browser,
  gptBot,
  insideAddress,
  outsideAddress,
  record,
  site,
  startedAt,
  type TestIngest,
  withIngest,
} from '../support/ingest'
import { inTemporaryFolder, readJournal } from '../support/journal'

const combined = (path: string, ua = gptBot, ip = insideAddress) =>
  `${ip} - - [20/Nov/2026:12:00:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${ua}"`
const answer = (more: Record<string, unknown>) => ({
  accepted: 0,
  ignored: 0,
  rejected: 0,
  duplicate: 0,
  reasons: [],
  ...more,
})

const ofPeople = [{ outcome: 'ignored', reason: 'no known AI agent', lines: 1 }]

test('a batch is counted in turns of a bounded time, however much its lines take', () =>
  withIngest(async ({ send }) => {
    const realNow = performance.now
    let turns = 0
    const others = setInterval(() => turns++, 0)
    // By this clock each look at it finds that the turn is over.
    let ms = 0
    performance.now = () => (ms += 20)
    try {
      const line = JSON.stringify(record())
      for (const body of [`${line}\n`.repeat(12_800), `[${`${line},`.repeat(12_799)}${line}]`]) {
        const before = ms
        expect((await send('/v1/hits', body)).status).toBe(200)
        // The clock is looked at every 64 lines, and twice in a turn.
        expect((ms - before) / 20).toBeGreaterThan(190)
      }
      const wide = JSON.stringify({ ...record(), more: 'x'.repeat(2 ** 16) })
      const before = ms
      await send('/v1/hits', `${wide}\n`.repeat(64))
      expect((ms - before) / 20).toBeGreaterThan(60)
    } finally {
      performance.now = realNow
      clearInterval(others)
    }
    expect(turns).toBeGreaterThan(0)
  }))

test('a batch may have as many lines as are allowed, and no more of a longer one are read', () =>
  withIngest(
    async ({ send }) => {
      const realNow = performance.now
      const lines = (count: number) => `${JSON.stringify(record())}\n`.repeat(count)
      expect((await send('/v1/hits', lines(10))).body).toMatchObject({ accepted: 10 })
      let looks = 0
      performance.now = () => ++looks
      try {
        expect((await send('/v1/hits', lines(11))).status).toBe(413)
        const few = looks
        looks = 0
        expect((await send('/v1/hits', lines(20_000))).status).toBe(413)
        // The clock is looked at every 64 lines: 313 times if all were read. Timers look at it too.
        expect(looks).toBeLessThan(few + 150)
      } finally {
        performance.now = realNow
      }
    },
    { env: { INGEST_LINES_MAX: '10' } },
  ))

describe('a batch', () => {
  test('is counted by agent, path, day of the site and verdict', () =>
    withIngest(async ({ ingest, directory, send }) => {
      const lines = [
        record(),
        record({ ip: outsideAddress, path: '/a?b#c', method: 'HEAD', status: 404 }),
        record({ ip: '10.0.0.1', ts: '2026-11-20T04:59:59Z' }),
        record({ path: '/style.css' }),
      ]
      const sent = await send('/v1/hits', lines.map((line) => JSON.stringify(line)).join('\n'))
      expect(sent).toMatchObject({ status: 200, body: answer({ accepted: 4 }) })
      await ingest.flush()
      const { hits } = await readJournal(directory)
      expect(hits.map(({ path, date, verdict }) => [path, date, verdict])).toEqual([
        ['/pricing', '2026-11-20', 'verified'],
        ['/a', '2026-11-20', 'spoofed'],
        ['/pricing', '2026-11-19', 'unchecked'],
        [assetPath, '2026-11-20', 'verified'],
      ])
      expect(hits[0]).toEqual({
        kind: 'crawl',
        site_id: 'site_1',
        agent: 'GPTBot',
        category: 'training',
        operator: 'OpenAI',
        date: '2026-11-20',
        path: '/pricing',
        verdict: 'verified',
        status: 200,
        ts: startedAt,
      })
    }))

  test('says what became of every line: people and other methods are ignored, nonsense is rejected', () =>
    withIngest(async ({ send }) => {
      const body = [
        combined('/one'),
        combined('/two', browser),
        'not a log line with 203.0.113.7 in it',
        '',
        `${combined('/three').replace('GET', 'POST')}`,
      ].join('\n')
      const { status, body: told } = await send('/v1/logs', body)
      expect([status, told.accepted, told.ignored, told.rejected]).toEqual([200, 1, 2, 1])
      expect(told.reasons).toEqual([{ line: 3, reason: expect.any(String) }])
      expect(JSON.stringify(told)).not.toContain('203.0.113.7')
    }))

  test('gives the first 20 reasons', () =>
    withIngest(async ({ send }) => {
      const { body } = await send('/v1/hits', '{"x":1}\n'.repeat(50))
      expect([body.rejected, (body.reasons as unknown[]).length]).toEqual([50, 20])
    }))

  test('reaches back 7 days and ahead 10 minutes; records without a time are of now', () =>
    withIngest(async ({ ingest, directory, send }) => {
      const at = (offset: number) => record({ ts: startedAt + offset })
      const day = 86_400_000
      const body = [at(-7 * day), at(-7 * day - 1), at(600_000), at(600_001), record({ ts: undefined })]
      const sent = await send('/v1/hits', JSON.stringify(body))
      expect(sent.body).toMatchObject({ accepted: 3, rejected: 2 })
      await ingest.flush()
      expect((await readJournal(directory)).hits.at(-1)?.ts).toBe(startedAt)
    }))

  test('counts search engines only for a site that asks', () =>
    withIngest(async ({ ingest, send }) => {
      const body = JSON.stringify(record({ ua: 'Mozilla/5.0 (compatible; Googlebot/2.1)' }))
      expect((await send('/v1/hits', body)).body).toMatchObject({ accepted: 0, ignored: 1 })
      ingest.setSites({ sites: [{ ...site, count_search_engines: true }] })
      expect((await send('/v1/hits', body)).body).toMatchObject({ accepted: 1 })
    }))

  test("leaves out hosts that are not the site's, and takes those that say nothing", () =>
    withIngest(async ({ send }) => {
      const hosts = [
        'example.com',
        'www.example.com:443',
        '127.0.0.1:80',
        'backend',
        'other.org',
        'evilexample.com',
      ]
      const { body } = await send('/v1/hits', JSON.stringify(hosts.map((host) => record({ host }))))
      expect(body).toMatchObject({ accepted: 4, ignored: 2 })
    }))

  test('counts nothing for a site that is switched off', () =>
    withIngest(async ({ ingest, send }) => {
      ingest.setSites({ sites: [{ ...site, is_active: false }] })
      expect((await send('/v1/hits', JSON.stringify(record()))).body).toEqual(
        answer({
          ignored: 1,
          by_reason: [{ outcome: 'ignored', reason: 'the site is switched off', lines: 1 }],
        }),
      )
    }))

  test('past its distinct paths is counted under other', () =>
    withIngest(
      async ({ ingest, directory, send }) => {
        await send('/v1/hits', JSON.stringify([1, 2, 3, 4].map((n) => record({ path: `/${n}` }))))
        await ingest.flush()
        const { hits } = await readJournal(directory)
        expect(hits.map(({ path }) => path)).toEqual(['/1', '/2', otherPath, otherPath])
      },
      { env: { PATHS_PER_DAY_MAX: '2' } },
    ))
})

describe('a batch that is sent again', () => {
  const body = JSON.stringify([record(), record({ path: '/b', ua: browser })])

  test('bears one id at whichever process it is sent to, also where its records have ids of their own', async () => {
    const dated = JSON.stringify([record(), record({ path: '/c' })])
    const known = JSON.stringify([record({ id: 'r1' }), record({ id: 'r2', ts: undefined })])
    const alone = JSON.stringify(record({ id: 'r3' }))
    const kept = async (claim?: ClaimBatches) => {
      const found: unknown[] = []
      const work = async ({ ingest, directory, send }: TestIngest) => {
        for (const each of [dated, known, alone]) await send('/v1/hits', each)
        expect((await send('/v1/hits', known)).body).toMatchObject({ accepted: 0, duplicate: 2 })
        await ingest.flush()
        const { batches, hits } = await readJournal(directory)
        found.push(...batches.map(({ id, accepted }) => `${id} ${accepted}`), ...hits.map(({ id }) => id))
      }
      await withIngest(work, claim ? { claim } : {})
      return found
    }
    const one = await kept(async () => [])
    const two = await kept(async () => [])
    const single = await kept()
    expect(one).toEqual(two)
    expect(one.filter((each) => String(each).includes(' '))).toHaveLength(2)
    expect(single.filter((each) => String(each).includes(' '))).toHaveLength(1)
    expect(single.slice(-5)).toEqual(one.slice(-5))
  })

  test('is not counted again by its body, when every record has a time', () =>
    withIngest(async ({ ingest, directory, send }) => {
      expect((await send('/v1/hits', body)).body).toEqual(
        answer({ accepted: 1, ignored: 1, by_reason: ofPeople }),
      )
      expect((await send('/v1/hits', body)).body).toEqual(
        answer({ duplicate: 1, ignored: 1, by_reason: ofPeople }),
      )
      await ingest.flush()
      expect((await readJournal(directory)).hits).toHaveLength(1)
    }))

  test('is not counted again by its body, where only some records have ids of their own', () =>
    withIngest(async ({ send }) => {
      const mixed = JSON.stringify([record({ id: 'r1' }), record({ path: '/b' })])
      expect((await send('/v1/hits', mixed)).body).toMatchObject({ accepted: 2 })
      expect((await send('/v1/hits', mixed)).body).toMatchObject({ accepted: 0, duplicate: 2 })
    }))

  test('without times in all of it is counted again, unless it bears an id', () =>
    withIngest(async ({ send }) => {
      const undated = JSON.stringify([record(), record({ ts: undefined })])
      expect((await send('/v1/hits', undated)).body).toMatchObject({ accepted: 2 })
      expect((await send('/v1/hits', undated)).body).toMatchObject({ accepted: 2 })
      const id = { 'idempotency-key': 'batch-1' }
      expect((await send('/v1/hits', undated, id)).body).toMatchObject({ accepted: 2 })
      expect((await send('/v1/hits', undated, id)).body).toMatchObject({ accepted: 0, duplicate: 2 })
      expect((await send('/v1/hits', body, { 'idempotency-key': 'batch-2' })).body).toMatchObject({
        accepted: 1,
      })
    }))

  test('at the same time is counted once', () =>
    withIngest(async ({ ingest, directory, send }) => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => send('/v1/hits', body)))
      expect(answers.filter((each) => each.body.accepted === 1)).toHaveLength(1)
      expect(answers.filter((each) => each.body.duplicate === 1)).toHaveLength(9)
      await ingest.flush()
      expect((await readJournal(directory)).hits).toHaveLength(1)
    }))

  test("in other portions counts each hit once by its sender's own id", () =>
    withIngest(async ({ send }) => {
      const hit = (id: string) => record({ id, path: `/${id}` })
      expect((await send('/v1/hits', JSON.stringify([hit('a'), hit('b'), hit('a')]))).body).toMatchObject({
        accepted: 2,
        duplicate: 1,
      })
      expect((await send('/v1/hits', JSON.stringify([hit('b'), hit('c')]))).body).toMatchObject({
        accepted: 1,
        duplicate: 1,
      })
    }))

  test('after a restart is known', () =>
    inTemporaryFolder(async (directory) => {
      await withIngest(async ({ send }) => void (await send('/v1/hits', body)), { directory })
      await withIngest(
        async ({ send }) => {
          expect((await send('/v1/hits', body)).body).toEqual(
            answer({ duplicate: 1, ignored: 1, by_reason: ofPeople }),
          )
        },
        { directory },
      )
    }))
})

describe('an import', () => {
  test('takes old logs, and each chunk once', () =>
    withIngest(async ({ ingest, directory }) => {
      const old = new TextEncoder().encode(combined('/old').replace('20/Nov/2026', '01/Mar/2019'))
      const send = (chunk: string) => ingest.importBatch('site_1', chunk, old)
      expect<unknown>(await send('chunk-1')).toEqual(answer({ accepted: 1, agents: { GPTBot: 1 } }))
      expect<unknown>(await send('chunk-1')).toEqual(answer({ duplicate: 1, agents: { GPTBot: 1 } }))
      expect<unknown>(await send('chunk-2')).toEqual(answer({ accepted: 1, agents: { GPTBot: 1 } }))
      await ingest.flush()
      const { hits } = await readJournal(directory)
      expect(hits.map(({ date, verdict }) => [date, verdict])).toEqual(
        Array(2).fill(['2019-03-01', 'verified']),
      )
      expect(ingest.importBatch('site_9', 'chunk-1', old)).rejects.toMatchObject({ code: 'not_found' })
    }))
})

test('what is older than hits are kept is not imported, since its day would be made anew from what is left', () =>
  withIngest(
    async ({ ingest }) => {
      const lineOf = (days: number) =>
        JSON.stringify(record({ ts: new Date(startedAt - days * 86_400_000).toISOString() }))
      const body = new TextEncoder().encode([lineOf(20), lineOf(26), lineOf(28), lineOf(90)].join('\n'))
      const { accepted, rejected, reasons } = await ingest.importBatch('site_1', 'chunk', body)
      expect([accepted, rejected]).toEqual([2, 2])
      expect(reasons[0]).toEqual({ line: 3, reason: 'The time is older than HITS_KEPT_DAYS allows' })
    },
    { env: { HITS_KEPT_DAYS: '30' } },
  ))
