import { expect, test } from 'bun:test'
import { createSignals } from '../../../ingest/sites/signals'
import { site, startedAt, type TestIngest, withIngest } from '../support/ingest'
import { readJournal } from '../support/journal'

const script = ({ ingest }: TestIngest, referer: string | null) =>
  ingest.fetch(
    new Request('http://localhost/s/key1.js', { headers: referer === null ? {} : { referer } }),
    () => null,
  )
const check = ({ send }: TestIngest, nonce: string, origin = 'https://example.com') =>
  send('/s/key1', `${nonce},,/pricing?x=1`, { authorization: '', origin })
const at = (ms: number) => new Date(ms).toISOString()

test('a script that a page of the site fetched was found, others’ pages and bare requests say nothing', () =>
  withIngest(async (tested) => {
    const { ingest, clock } = tested
    expect(await ingest.signals(site.site_id)).toEqual({
      script_found_at: null,
      test_visits: [],
      lines: { accepted: 0, ignored: 0, rejected: 0, duplicate: 0, by_reason: [] },
    })
    for (const referer of [
      null,
      '',
      'https://evil.example/',
      'https://example.com.evil.example/',
      'no address',
    ])
      expect((await script(tested, referer)).status).toBe(200)
    expect((await ingest.signals(site.site_id)).script_found_at).toBeNull()
    for (const referer of ['https://example.com/', 'https://www.example.com/pricing']) {
      clock.now += 1_000
      await script(tested, referer)
      expect((await ingest.signals(site.site_id)).script_found_at).toBe(at(clock.now))
    }
  }))

test('test visits are kept, the newest first and ten at most, and never counted', () =>
  withIngest(async (tested) => {
    const { ingest, directory } = tested
    await check(tested, 'from-elsewhere', 'https://evil.example')
    for (let n = 0; n < 12; n++) await check(tested, `nonce-${n}`)
    await script(tested, 'https://example.com/')
    await check(tested, 'nonce-12')
    const { script_found_at, test_visits } = await ingest.signals(site.site_id)
    expect(script_found_at).toBe(at(startedAt))
    expect(test_visits.map(({ nonce }) => nonce)).toEqual(
      Array.from({ length: 10 }, (_, n) => `nonce-${12 - n}`),
    )
    expect(test_visits[0]).toEqual({ nonce: 'nonce-12', path: '/pricing', at: at(startedAt) })
    await ingest.flush()
    expect((await readJournal(directory)).hits).toEqual([])
  }))

test('a refused body of a known reason counts also when no further reason is kept', () => {
  const signals = createSignals(() => new Date(startedAt))
  for (let n = 0; n < 25; n++) signals.bodyRefused('site_1', `reason ${n}`)
  for (let n = 0; n < 3; n++) signals.bodyRefused('site_1', 'reason 7')
  const { refused_bodies = [] } = signals.of('site_1')
  expect(refused_bodies).toHaveLength(20)
  expect(refused_bodies.slice(0, 2)).toEqual([
    { reason: 'reason 7', bodies: 4 },
    { reason: 'reason 0', bodies: 1 },
  ])
  expect(signals.of('site_2').refused_bodies).toBeUndefined()
})
