import { describe, expect, test } from 'bun:test'
import { createFlusher } from '../../../ingest/flush/flusher'
import { waitFor } from '../../support/wait-for'
import { browser, gptBot, insideAddress, record, site, token, withIngest } from '../support/ingest'

const get = async (
  ingest: { fetch(request: Request, peer: () => null): Response | Promise<Response> },
  path: string,
  headers = {},
) => {
  const response = await ingest.fetch(new Request(`http://localhost${path}`, { headers }), () => null)
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}
/** One sample's value by its name and labels. */
const sampleOf = (text: string, sample: string) => {
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `))
  return line === undefined ? undefined : Number(line.slice(sample.length + 1))
}

describe('what is seen from outside', () => {
  test('has a type and a help text before each sample', () =>
    withIngest(async ({ ingest }) => {
      const { text } = await get(ingest, '/metrics')
      const named = (kind: string) =>
        [...text.matchAll(new RegExp(`^# ${kind} (\\S+) \\S`, 'gm'))].map(([, name]) => name ?? '')
      const samples = [...text.matchAll(/^[a-z_]+/gm)].map(([name]) =>
        name.replace(/_(bucket|sum|count)$/, ''),
      )
      expect(named('HELP')).toEqual(named('TYPE'))
      expect(text).not.toMatch(/undefined|null|NaN|\[object/)
      expect(named('TYPE').length).toBe(new Set(named('TYPE')).size)
      for (const name of samples) expect(named('TYPE')).toContain(name)
      expect(named('TYPE')).toContain('renown_ingest_list_age_seconds')
      expect(named('TYPE')).toContain('renown_ingest_stall_seconds')
    }))

  test('begins at zero for every kind of hit, so that a rate can be taken from the first one on', () =>
    withIngest(async ({ ingest }) => {
      const { text } = await get(ingest, '/metrics')
      for (const kind of ['crawl', 'visit'])
        expect([kind, sampleOf(text, `renown_ingest_hits_total{kind="${kind}"}`)]).toEqual([kind, 0])
    }))

  test('is counted by what became of each line, and every line of it is in the format of Prometheus', () =>
    withIngest(async ({ ingest, send }) => {
      const hits = [
        record({ id: 'a' }),
        record({ id: 'b' }),
        record({ ua: browser }),
        record({ ts: 'never' }),
      ]
      const body = hits.map((hit) => JSON.stringify(hit)).join('\n')
      await send('/v1/hits', body)
      await send('/v1/hits', body)
      await send('/v1/logs', '# a comment\nnonsense', { 'idempotency-key': 'x' })
      await send('/s/key1', ',https://claude.ai/,/b', { origin: 'https://example.com' })
      await send('/v1/hits', body, { authorization: 'Bearer wrong' })
      const { status, type, text } = await get(ingest, '/metrics')
      expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
      const values = {
        'renown_ingest_hits_total{kind="crawl"}': 2,
        'renown_ingest_hits_total{kind="visit"}': 1,
        renown_ingest_duplicates_total: 2,
        'renown_ingest_ignored_total{reason="no known AI agent"}': 2,
        'renown_ingest_ignored_total{reason="A comment"}': 1,
        'renown_ingest_rejected_total{reason="The time cannot be read"}': 2,
        'renown_ingest_rejected_total{reason="No known log format"}': 1,
        'renown_ingest_answers_total{status="200"}': 3,
        'renown_ingest_answers_total{status="401"}': 1,
        renown_ingest_accepting: 1,
        renown_ingest_clickhouse_up: 1,
        renown_ingest_sites: 1,
        renown_ingest_flush_seconds_count: 0,
      }
      for (const [sample, value] of Object.entries(values))
        expect([sample, sampleOf(text, sample)]).toEqual([sample, value])
      const line = /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z]+="([^"\\\n]|\\[\\"n])*",?)+\})? [\d.e+-]+)$/
      expect(
        text
          .trimEnd()
          .split('\n')
          .filter((one) => !line.test(one)),
      ).toEqual([])
    }))

  test('shows what waits for ClickHouse, and no address, user agent, token, site or path', () =>
    withIngest(async ({ ingest, send, clock }) => {
      await send('/v1/hits', JSON.stringify(record({ path: '/canary', id: 'canary' })))
      await ingest.flush()
      clock.now += 90_000
      const { text } = await get(ingest, '/metrics')
      expect(sampleOf(text, 'renown_ingest_waiting_segments')).toBe(1)
      expect(sampleOf(text, 'renown_ingest_waiting_bytes')).toBeGreaterThan(50)
      expect(sampleOf(text, 'renown_ingest_oldest_waiting_seconds')).toBe(90)
      const ready = await get(ingest, '/readyz')
      expect([ready.status, JSON.parse(ready.text)]).toEqual([
        200,
        {
          accepting: true,
          reason: null,
          clickhouse: null,
          gateway: null,
          set_aside_segments: 0,
          damaged_segments: 0,
          stalls: expect.objectContaining({ count: expect.any(Number) }),
          waiting_segments: 1,
          waiting_bytes: expect.any(Number),
          oldest_waiting_seconds: 90,
        },
      ])
      for (const secret of [
        insideAddress,
        gptBot,
        token,
        site.site_id,
        site.site_key,
        'example.com',
        'canary',
      ]) {
        expect(text + ready.text).not.toContain(secret)
      }
    }))

  test('times inserts up to ten seconds, and the age of hits up to a day', () =>
    withIngest(async ({ ingest }) => {
      const { text } = await get(ingest, '/metrics')
      const bounds = new Map<string, string[]>()
      for (const [, name = '', le = ''] of text.matchAll(/^(\w+)_bucket\{le="([^"]+)"\}/gm))
        bounds.set(name, [...(bounds.get(name) ?? []), le])
      const lists = [...bounds.values()].map((list) => list.join(' '))
      expect(lists).toContain('0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf')
      expect(lists).toContain('0.5 1 2 5 10 30 60 300 3600 86400 +Inf')
    }))

  test('asks for its token where one is set', () =>
    withIngest(
      async ({ ingest }) => {
        expect((await get(ingest, '/metrics')).status).toBe(401)
        expect((await get(ingest, '/metrics', { authorization: `Bearer ${token}` })).status).toBe(401)
        expect((await get(ingest, '/metrics', { authorization: 'Bearer watcher' })).status).toBe(200)
        expect((await get(ingest, '/readyz')).status).toBe(200)
      },
      { env: { METRICS_TOKEN: 'watcher' } },
    ))

  test('says that hits are refused, and since when ClickHouse takes none', () =>
    withIngest(
      async ({ ingest, clock }) => {
        const { status, text } = await get(ingest, '/readyz')
        expect([status, JSON.parse(text)]).toMatchObject([
          503,
          { accepting: false, reason: 'the disk is nearly full' },
        ])
        expect((await ingest.state()).clickhouse).toEqual({
          reason: 'ClickHouse accepts no hits (ECONNREFUSED)',
          since: new Date(clock.now).toISOString(),
        })
      },
      {
        env: { DISK_FREE_BYTES_MIN: String(2 ** 52) },
        flusher: ({ now }) => {
          const since = now()
          const reason = 'ClickHouse accepts no hits (ECONNREFUSED)'
          const trouble = () => ({ of: 'clickhouse' as const, reason, since })
          return { look() {}, drain: async () => {}, trouble, stop: async () => {} }
        },
      },
    ))

  test('knows of a server that is not there, from the first failure on', () =>
    withIngest(
      async ({ ingest, send, clock }) => {
        await send('/v1/hits', JSON.stringify(record()))
        void ingest.flush().catch(() => {})
        const { clickhouse } = await waitFor(
          async () => {
            const state = await ingest.state()
            return state.clickhouse && state
          },
          { what: 'the failure to be known' },
        )
        expect(clickhouse?.since).toBe(new Date(clock.now).toISOString())
        expect(clickhouse?.reason).toContain('ClickHouse accepts no hits')
      },
      { columns: { url: 'http://127.0.0.1:9/renown' }, flusher: createFlusher },
    ))
})
