import { describe, expect, test } from 'bun:test'
import { browser, gptBot, insideAddress, record, site, withIngest } from '../support/ingest'
import { readJournal } from '../support/journal'

/** Envoy's JSON access log, with its time in a field of any name. */
const envoy = (time: Record<string, unknown>) =>
  JSON.stringify({
    ...time,
    method: 'GET',
    path: '/pricing',
    authority: 'example.com',
    response_code: 200,
    user_agent: gptBot,
    downstream_remote_address: `${insideAddress}:41234`,
  })
const september = '2026-09-03T10:11:12.000Z'

describe('a line whose time is not read', () => {
  const strange: readonly [string, Record<string, unknown>][] = [
    ['an RFC 3339 time in an unknown field', { observed: september }],
    ['a time of the common log format', { logged: '03/Sep/2026:10:11:12 +0000' }],
    ['a time of a form that is not read', { request_time_of_day: 'Sep 3, 2026 10:11:12 AM' }],
    ['seconds since 1970 under a name that says time', { event_time: 1_788_430_272 }],
    ['an object of parts', { eventTime: { year: 2026, month: 9, day: 3 } }],
    ['a field that ends in _at', { logged_at: september }],
  ]
  for (const path of ['/v1/hits', '/v1/logs']) {
    test.each(strange)(`is rejected at ${path}: %s`, (_, time) =>
      withIngest(async ({ ingest, directory, send }) => {
        const own = JSON.stringify({ ...record({ ts: undefined }), ...time })
        const { body } = await send(path, `${envoy(time)}\n${own}`)
        expect([body.accepted, body.rejected]).toEqual([0, 2])
        const { reason } = (body.reasons as { reason: string }[])[0] ?? { reason: '' }
        expect(reason).toContain('send it as ts')
        await ingest.flush()
        expect((await readJournal(directory)).hits).toEqual([])
      }),
    )
  }

  test('is rejected from a log and an import where it has none at all, and is of now at /v1/hits', () =>
    withIngest(async ({ ingest, send }) => {
      const line = JSON.stringify(record({ ts: undefined, size: 150_000_000, request_time: 0.25 }))
      const log = await send('/v1/logs', line)
      expect(log.body).toMatchObject({
        rejected: 1,
        reasons: [
          { line: 1, reason: 'The line has no time: add one as ts (RFC 3339 or seconds since 1970)' },
        ],
      })
      const imported = await ingest.importBatch(site.site_id, 'b1', new TextEncoder().encode(line))
      expect(imported).toMatchObject({ accepted: 0, rejected: 1 })
      const hit = await send('/v1/hits', line)
      expect(hit.body).toMatchObject({
        accepted: 1,
        by_reason: [
          { outcome: 'dated', reason: 'the line has no time, so its arrival counts as its time', lines: 1 },
        ],
      })
    }))

  test('is rejected where #Fields names a time without a date', () =>
    withIngest(async ({ send }) => {
      const text = `#Fields: time c-ip cs-method cs-uri-stem cs(User-Agent)\n10:11:12 ${insideAddress} GET /a ${gptBot.replaceAll(' ', '+')}`
      expect((await send('/v1/logs', text)).body).toMatchObject({ accepted: 0, rejected: 1 })
    }))
})

test("Envoy's own log is read: its day, its host without a doubt, and its address without the port", () =>
  withIngest(async ({ ingest, directory, send }) => {
    const sent = await send('/v1/logs', envoy({ start_time: '2026-11-19T10:11:12.123Z' }))
    expect(sent.body).toMatchObject({ accepted: 1, rejected: 0 })
    await ingest.flush()
    expect((await readJournal(directory)).hits).toMatchObject([{ date: '2026-11-19', verdict: 'verified' }])
    const other = envoy({ start_time: '2026-11-19T10:11:12.123Z' }).replace('example.com', 'elsewhere.org')
    expect((await send('/v1/logs', other)).body).toMatchObject({ accepted: 0, ignored: 1 })
  }))

test('every line that does not count as it should is counted by reason, and none is repeated in words', () =>
  withIngest(async ({ send }) => {
    const lines = [
      record(),
      record({ ip: undefined }),
      record({ ip: 'unknown, 203.0.113.7' }),
      record({ ua: browser }),
      record({ ua: browser, path: '/b' }),
      record({ method: 'POST' }),
      record({ host: 'elsewhere.org' }),
      record({ ua: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }),
      record({ ts: 'yesterday at noon' }),
    ]
    const { body } = await send('/v1/logs', lines.map((line) => JSON.stringify(line)).join('\n'))
    expect(body).toMatchObject({ accepted: 3, ignored: 5, rejected: 1 })
    expect(body.by_reason).toEqual([
      { outcome: 'ignored', reason: 'no known AI agent', lines: 2 },
      { outcome: 'ignored', reason: 'the method is not GET or HEAD', lines: 1 },
      { outcome: 'ignored', reason: "the host is not of the site's domain", lines: 1 },
      { outcome: 'ignored', reason: 'a search engine, which this site does not count', lines: 1 },
      { outcome: 'rejected', reason: 'The time cannot be read', lines: 1 },
      { outcome: 'unchecked', reason: 'the line has no client address', lines: 1 },
      { outcome: 'unchecked', reason: 'the client address cannot be read', lines: 1 },
    ])
    expect(JSON.stringify(body)).not.toContain('203.0.113.7')
    const sums = Map.groupBy(body.by_reason as { outcome: string; lines: number }[], (one) => one.outcome)
    const total = (outcome: string) => (sums.get(outcome) ?? []).reduce((sum, { lines: n }) => sum + n, 0)
    expect([total('ignored'), total('rejected')]).toEqual([5, 1])
  }))

test('hits that a list in doubt cannot judge are unchecked for that reason, and others for their own', () =>
  withIngest(
    async ({ send }) => {
      const lines = [record(), record({ ip: undefined, path: '/b' }), record({ path: '/c' })]
      const { body } = await send('/v1/logs', lines.map((line) => JSON.stringify(line)).join('\n'))
      expect(body.by_reason).toEqual([
        { outcome: 'unchecked', reason: expect.stringContaining('so the list is in doubt'), lines: 2 },
        { outcome: 'unchecked', reason: 'the line has no client address', lines: 1 },
      ])
    },
    {
      ranges: {
        start: async () => {},
        stop() {},
        use() {},
        status: () => [],
        refresh: async () => [],
        verdict: () => 'unchecked',
        isInDoubt: (operator) => operator === 'OpenAI',
      },
    },
  ))
