import { describe, expect, test } from 'bun:test'
import { type IngestSite, otherPath, type Refusal } from 'renown/contracts'
import type { FlusherOptions } from '../../ingest/flush/flusher'
import { part } from '../support/part'
import { record, site, startedAt, withIngest } from './support/ingest'
import { readJournal, silentLog } from './support/journal'

const bytesOf = (...records: object[]) =>
  new TextEncoder().encode(records.map((each) => JSON.stringify(each)).join('\n'))
const day = 86_400_000

/** A flusher that notes its calls, and what it was created with. */
function notedFlusher(fails = false) {
  const seen: { calls: string[]; options?: FlusherOptions } = { calls: [] }
  const flusher = (options: FlusherOptions) => {
    seen.options = options
    return {
      look() {},
      async drain() {
        seen.calls.push('drain')
        if (fails) throw new Error('ClickHouse is down')
      },
      trouble: () => null,
      async stop() {
        seen.calls.push('stop')
      },
    }
  }
  return { seen, flusher }
}

describe('an import', () => {
  test('counts old hits of a known site, and each chunk once', () =>
    withIngest(async ({ ingest }) => {
      const old = new Date(startedAt - 30 * day).toISOString()
      const chunk = bytesOf(record({ ts: old }), record({ ts: old, path: '/b' }), { bad: 1 })
      expect(await ingest.importBatch('site_1', 'c1', chunk)).toMatchObject({
        accepted: 2,
        duplicate: 0,
        rejected: 1,
        agents: { GPTBot: 2 },
      })
      expect(await ingest.importBatch('site_1', 'c1', chunk)).toMatchObject({ accepted: 0, duplicate: 2 })
      expect(await ingest.importBatch('site_1', 'c2', chunk)).toMatchObject({ accepted: 2 })
    }))

  test('is refused for an unknown site, and while hits cannot be accepted', () =>
    withIngest(
      async ({ ingest, send }) => {
        const refusalOf = (siteId: string) =>
          ingest.importBatch(siteId, 'c1', bytesOf(record())).then(
            () => null,
            ({ code, message, details }: Refusal) => ({ code, message, details }),
          )
        expect(await refusalOf('site_2')).toEqual({
          code: 'not_found',
          message: 'The ingest has no site with this id.',
          details: {},
        })
        expect((await send('/v1/hits', JSON.stringify(record()))).status).toBe(200)
        await ingest.flush()
        expect(await refusalOf('site_1')).toEqual({
          code: 'unavailable',
          message: expect.stringMatching(/^Hits cannot be accepted now: .*[^.]\.$/),
          details: { retryAfterSeconds: 5 },
        })
        expect(await ingest.health()).toEqual({
          ok: false,
          reason: expect.any(String),
          dedupShortened: null,
        })
      },
      { env: { JOURNAL_BYTES_MAX: '10' } },
    ))
})

describe('the explanation of an error', () => {
  test.each([
    [{ apiUrl: 'https://api.example', env: { RENOWN_URL: 'https://renown.example' } }, 'https://api.example'],
    [{ env: { RENOWN_URL: 'https://renown.example' } }, 'https://renown.example'],
    [{ env: { PORT: '4001' } }, 'http://localhost:4001'],
  ])('is at the gateway of %j', (given, origin) =>
    withIngest(async ({ send }) => {
      const { body } = await send('/v1/hits', '{}', { authorization: 'Bearer other' })
      expect(body).toMatchObject({ type: `${origin}/docs#unauthenticated` })
    }, given),
  )

  test('does not need a gateway where Renown itself failed', () =>
    withIngest(
      async ({ send }) => {
        const { status, body } = await send('/v1/hits', JSON.stringify(record()))
        expect([status, body]).toMatchObject([
          500,
          {
            type: '/docs#internal',
            instance: '/',
            request_id: expect.stringMatching(/^req_/),
            detail: 'Something failed in Renown.',
          },
        ])
      },
      {
        ranges: {
          start: async () => {},
          stop() {},
          use() {},
          status: () => [],
          refresh: async () => [],
          isInDoubt: () => false,
          verdict() {
            throw 'a text'
          },
        },
      },
    ))
})

test('an error of no known kind is logged without its text', async () => {
  const said: unknown[] = []
  const log = { ...silentLog, error: (message: string, fields?: object) => void said.push([message, fields]) }
  await withIngest(
    async ({ ingest, send }) => {
      await send('/v1/hits', JSON.stringify(record()))
      // Not a request: the router fails before it can answer with a promise.
      const failed = await ingest.fetch(null as never, () => null)
      expect(failed.status).toBe(500)
    },
    {
      log,
      ranges: {
        start: async () => {},
        stop() {},
        use() {},
        status: () => [],
        refresh: async () => [],
        isInDoubt: () => false,
        verdict() {
          throw 'a text'
        },
      },
    },
  )
  const message = 'The ingest failed to answer a request'
  expect(said).toEqual([
    [message, { error: 'unknown' }],
    [message, { error: 'TypeError' }],
  ])
})

describe('metrics', () => {
  test('count answers and what was stored, and name sites, lists and the stalls', async () => {
    const { seen, flusher } = notedFlusher()
    let flushed = 0
    const lists = ['fresh', 'stale'].map((status) => ({ url: 'u', operator: 'o', status })) as never
    await withIngest(
      async ({ ingest, send }) => {
        await send('/v1/hits', JSON.stringify(record()))
        await send('/v1/hits', '', { authorization: '' })
        seen.options?.onFlushed?.(part({ hits: 3, elsewhere: 2, segment: '2026-11-20T11-59-00', ms: 5 }))
        const text = await (await ingest.fetch(new Request('http://x/metrics'), () => null)).text()
        for (const line of [
          'renown_ingest_sites 1',
          'renown_ingest_dedup_shortened 0',
          'renown_ingest_flushed_hits_total 3',
          /renown_ingest_(responses|answers|requests)_total\{[^}]*"(200|2xx)"\} 1/,
          /renown_ingest_(responses|answers|requests)_total\{[^}]*"(401|4xx)"\} 1/,
          /stall/,
        ])
          expect(text).toMatch(line)
        expect(flushed).toBe(1)
      },
      {
        flusher,
        onFlushed: () => void flushed++,
        ranges: {
          start: async () => {},
          stop() {},
          use() {},
          status: () => lists,
          refresh: async () => [],
          verdict: () => 'unchecked' as const,
          isInDoubt: () => false,
        },
      },
    )
  })
})

describe('the parts of an ingest', () => {
  test('are stopped in their order, with what failed logged', async () => {
    const { seen, flusher } = notedFlusher(true)
    const stopped: string[] = []
    const warned: string[] = []
    await withIngest(
      async ({ ingest }) => {
        await expect(ingest.flush()).rejects.toThrow('ClickHouse is down')
        expect<unknown>(await ingest.ranges.refresh()).toEqual([{ url: 'renewed' }])
        expect<unknown>(await ingest.ranges.status()).toEqual([{ url: 'known' }])
        seen.calls.length = 0
      },
      {
        flusher,
        claim: async () => new Set() as never,
        log: { ...silentLog, warn: (message: string) => void warned.push(message) },
        ranges: {
          start: async () => {},
          stop: () => void stopped.push('ranges'),
          use() {},
          status: () => part([{ url: 'known' }]),
          refresh: async () => part([{ url: 'renewed' }]),
          verdict: () => 'unchecked' as const,
          isInDoubt: () => false,
        },
      },
    )
    expect([seen.calls, stopped, warned]).toEqual([['drain', 'stop'], ['ranges'], []])
    expect(Object.keys(seen.options ?? {}).sort()).toEqual([
      'claim',
      'directory',
      'log',
      'now',
      'onFlushed',
      'target',
    ])
    expect(seen.options?.claim).toBeFunction()
  })

  test('take other sites, and tell of the signals of each', () =>
    withIngest(async ({ ingest }) => {
      const other: IngestSite = { ...site, site_id: 'site_2', site_key: 'key2', domain: 'other.example' }
      const isKnown = () =>
        ingest.importBatch('site_2', 'c', bytesOf(record())).then(
          () => true,
          () => false,
        )
      expect(await isKnown()).toBe(false)
      await ingest.setSites({ sites: [site, other] })
      expect(await isKnown()).toBe(true)
      expect(await ingest.signals('site_1')).toMatchObject({ script_found_at: null })
    }))

  test('limit the distinct paths of a day as the setting says', () =>
    withIngest(
      async ({ ingest, directory }) => {
        const paths = ['/a', '/b', '/c'].map((path) => record({ path }))
        expect(await ingest.importBatch('site_1', 'c', bytesOf(...paths))).toMatchObject({ accepted: 3 })
        await ingest.flush()
        const { hits } = await readJournal(directory)
        expect(hits.map(({ path }) => path)).toEqual(['/a', '/b', otherPath])
      },
      { env: { PATHS_PER_DAY_MAX: '2' } },
    ))
})
