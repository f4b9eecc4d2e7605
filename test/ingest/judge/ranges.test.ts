import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Agent, classify } from '../../../ingest/judge/classify'
import { createRanges, type RangesOptions, roundPauseMs } from '../../../ingest/judge/ranges'
import { passTime, waitFor } from '../../support/wait-for'

const hour = 3_600_000
const day = 24 * hour
const url = 'https://openai.com/gptbot.json'
const file = 'openai.com_gptbot.json'
const gptbot = classify('GPTBot') as Agent
const inside = '192.0.2.1'
const outside = '203.0.113.1'

const google = (...prefixes: string[]) =>
  JSON.stringify({
    creationTime: '2026-11-20T00:00:00',
    prefixes: prefixes.map((text) => (text.includes(':') ? { ipv6Prefix: text } : { ipv4Prefix: text })),
  })
const list = google('192.0.2.0/28', '192.0.2.16/28', '2001:db8:7::/48', '198.51.100.9')

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

type Answer = (request: Request) => Response | Promise<Response>
/** A keeper of one list beside a stand-in for its publisher, with a clock of its own. */
function setUp(first: Answer, more: Partial<RangesOptions> = {}) {
  const directory = join(mkdtempSync(join(tmpdir(), 'ranges-')), 'cache')
  const seen: { path: string; since: string | null }[] = []
  const world = { at: 1_800_000_000_000, answer: first }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      seen.push({ path: new URL(request.url).pathname, since: request.headers.get('if-modified-since') })
      return world.answer(request)
    },
  })
  const warnings: string[] = []
  const log = { debug() {}, info() {}, error() {}, warn: (message: string) => void warnings.push(message) }
  const options: RangesOptions = {
    directory,
    mirror: `http://127.0.0.1:${server.port}/mirror/`,
    fetch,
    now: () => new Date(world.at),
    log,
    lists: [{ operator: 'OpenAI', url, format: 'json' }],
    documented: {},
    isPublic: () => true,
    timeoutMs: 20_000,
    ...more,
  }
  const open = () => {
    const ranges = createRanges(options)
    cleanups.push(() => ranges.stop())
    return ranges
  }
  cleanups.push(
    () => rmSync(join(directory, '..'), { recursive: true, force: true }),
    () => server.stop(true),
  )
  const ranges = open()
  const status = async () => (await ranges.refresh())[0]
  return { directory, seen, world, ranges, open, status, warnings, server }
}
const answering =
  (body: string, headers: Record<string, string> = {}) =>
  () =>
    new Response(body, { headers })

describe('a clock that is set back', () => {
  test('makes nobody spoofed by lists that seem to come from the future, until they are fetched again', async () => {
    const { ranges, open, world } = setUp(answering(list))
    await ranges.start()
    expect(ranges.verdict(gptbot, outside, world.at)).toBe('spoofed')
    world.at -= 30 * day
    world.answer = () => new Response('', { status: 503 })
    expect(ranges.verdict(gptbot, outside, world.at)).toBe('unchecked')
    expect(ranges.verdict(gptbot, inside, world.at)).toBe('verified')
    expect(ranges.status()[0]?.status).toBe('stale')
    const restarted = open()
    await restarted.start()
    expect(restarted.verdict(gptbot, outside, world.at)).toBe('unchecked')
    world.answer = answering(list)
    await restarted.refresh()
    expect(restarted.verdict(gptbot, outside, world.at)).toBe('spoofed')
  })
})

describe('a good list', () => {
  test('is fetched from the mirror, judges, and is shown with age, size and digest', async () => {
    const { ranges, seen, world } = setUp(answering(list))
    expect(ranges.status()[0]).toMatchObject({
      url,
      operator: 'OpenAI',
      status: 'never_fetched',
      prefixes: 0,
    })
    expect(ranges.verdict(gptbot, inside, world.at)).toBe('unchecked')
    await ranges.start()
    expect(seen[0]?.path).toBe('/mirror/openai.com/gptbot.json')
    expect(ranges.status()[0]).toMatchObject({
      status: 'fresh',
      prefixes: 4,
      age_seconds: 0,
      last_error: null,
    })
    expect(ranges.status()[0]?.sha256).toMatch(/^[0-9a-f]{64}$/)
    for (const ip of [inside, '192.0.2.31', '2001:db8:7::1', '198.51.100.9'])
      expect(ranges.verdict(gptbot, ip, world.at)).toBe('verified')
    expect(ranges.verdict(gptbot, outside, world.at)).toBe('spoofed')
  })

  test('is asked for conditionally, and 304 keeps it fresh', async () => {
    const { ranges, world, seen } = setUp((request) =>
      request.headers.get('if-none-match') === '"v1"'
        ? new Response(null, { status: 304 })
        : new Response(list, { headers: { etag: '"v1"', 'last-modified': 'Fri, 20 Nov 2026 00:00:00 GMT' } }),
    )
    await ranges.start()
    world.at += 80 * hour
    expect(ranges.status()[0]?.status).toBe('stale')
    await ranges.refresh()
    expect(seen[1]?.since).toBe('Fri, 20 Nov 2026 00:00:00 GMT')
    expect(ranges.status()[0]).toMatchObject({ status: 'fresh', age_seconds: 0, prefixes: 4 })
    expect(ranges.verdict(gptbot, outside, world.at)).toBe('spoofed')
  })

  test('is asked for by whichever of tag and date it came with', async () => {
    const both: Record<string, string>[] = [
      { etag: '"v1"' },
      { 'last-modified': 'Fri, 20 Nov 2026 00:00:00 GMT' },
    ]
    for (const headers of both) {
      const { ranges, world, status } = setUp(answering(list, headers))
      await ranges.start()
      world.answer = () => new Response(null, { status: 304 })
      expect(await status()).toMatchObject({ last_error: null, prefixes: 4 })
    }
  })

  test('calls during one round share it', async () => {
    const { ranges, seen } = setUp(answering(list))
    await Promise.all([ranges.start(), ranges.refresh(), ranges.refresh()])
    expect(seen.length).toBe(1)
  })

  test('may carry zero-width spaces, host bits, single addresses and other spellings of its keys', async () => {
    const odd = JSON.stringify({
      prefixes: [{ ipv4Prefix: '\u200b192.0.2.7/28\u200b' }, { ip_prefix: '192.0.2.16/28', region: 'x' }],
      ipv6_prefixes: [{ ipv6_prefix: '2001:db8::/32' }],
      ranges: ['198.51.100.1', { cidr: '198.51.100.2/32' }, { ip_address: '198.51.100.3' }],
      note: 'not a network',
    })
    const { ranges, status, world } = setUp(answering(odd))
    expect(await status()).toMatchObject({ prefixes: 6, last_error: null })
    for (const ip of ['192.0.2.1', '2001:db8::9', '198.51.100.1', '198.51.100.3'])
      expect(ranges.verdict(gptbot, ip, world.at)).toBe('verified')
  })

  test('may be a bare array, and other arrays of text are no networks', async () => {
    const { status } = setUp(answering('["192.0.2.0/28","198.51.100.1",{"cidr":"203.0.113.0/24"}]'))
    expect(await status()).toMatchObject({ prefixes: 3, last_error: null })
    const tagged = JSON.stringify({
      regions: ['eu', 'us'],
      prefixes: [{ ipv4Prefix: '192.0.2.0/28', tags: ['a'] }],
    })
    const other = setUp(answering(tagged))
    expect(await other.status()).toMatchObject({ prefixes: 1, last_error: null })
  })

  test('may hold networks as wide as a /12 and a v6 /24', async () => {
    const { status } = setUp(answering(google('192.0.0.0/12', '2001:d00::/24')))
    expect(await status()).toMatchObject({ prefixes: 2, last_error: null })
  })

  test('may be a geofeed', async () => {
    const csv = '# prefix,country\n192.0.2.0/28,US,US-CA,Menlo Park,\r\n2001:db8::/32,IE,,,\n\n'
    const { status } = setUp(answering(csv), { lists: [{ operator: 'OpenAI', url, format: 'csv' }] })
    expect(await status()).toMatchObject({ prefixes: 2, last_error: null })
  })
})

describe('what is no list is refused and the last good one stays', () => {
  const faults: [string, Answer, RegExp][] = [
    ['nothing', answering(''), /empty/],
    ['zero bytes of networks', answering(google()), /no networks/],
    ['a web page', answering('\n<!DOCTYPE html><html></html>'), /web page/],
    ['no JSON', answering('{"prefixes":'), /not JSON/],
    ['JSON of another shape', answering('{"error":"slow down"}'), /no networks/],
    ['an entry that is no network', answering(google('192.0.2.0/28', '192.0.2.0/99')), /not a network/],
    ['the whole internet', answering(google('0.0.0.0/0')), /too wide/],
    ['a /11', answering(google('192.0.0.0/11')), /too wide/],
    ['a v6 /23', answering(google('2001::/23')), /too wide/],
    ['an error', () => new Response('no', { status: 500 }), /500/],
    ['a refusal', () => new Response('no', { status: 403 }), /403/],
    ['304 out of the blue', () => new Response(null, { status: 304 }), /304/],
    ['too much', answering(' '.repeat(2 * 2 ** 20 + 1)), /bytes/],
    ['half of it', answering(google('192.0.2.0/28')), /shrank from 4 to 1/],
  ]
  for (const [name, answer, reason] of faults)
    test(name, async () => {
      const { ranges, world, status, warnings } = setUp(answering(list))
      await ranges.start()
      expect(warnings).toEqual([])
      world.at += hour
      world.answer = answer
      const after = await status()
      expect(after?.last_error).toMatch(reason)
      expect(after).toMatchObject({ prefixes: 4, age_seconds: 3600, status: 'fresh' })
      expect(warnings.length).toBe(1)
      expect(ranges.verdict(gptbot, inside, world.at)).toBe('verified')
    })

  test('private space', async () => {
    const { status } = setUp(answering(google('10.0.0.0/16')), { isPublic: undefined })
    expect((await status())?.last_error).toMatch(/private/)
  })

  test('a publisher that never ends', async () => {
    const slow = () =>
      new Response(async function* () {
        for (;;) {
          yield ' '
          await passTime(10)
        }
      } as unknown as ReadableStream)
    const { status } = setUp(slow, { timeoutMs: 80 })
    expect((await status())?.last_error).toMatch(/timed out|abort/i)
  })

  test('nobody there', async () => {
    const { status, server } = setUp(answering(list))
    await server.stop(true)
    expect(await status()).toMatchObject({ status: 'never_fetched' })
  })

  test('a redirect from https to http', async () => {
    const plain = Object.defineProperty(new Response(list), 'url', { value: 'http://openai.com/gptbot.json' })
    const { status } = setUp(answering(list), {
      mirror: '',
      fetch: (async () => plain) as unknown as typeof fetch,
    })
    expect((await status())?.last_error).toMatch(/https/)
  })
})

describe('a shrunken list', () => {
  const small = google('192.0.2.0/28')
  test('is believed when it came three times alike over twelve hours', async () => {
    const { ranges, world, status } = setUp(answering(list))
    await ranges.start()
    world.answer = answering(small)
    expect(await status()).toMatchObject({ prefixes: 4 })
    world.at += 6 * hour
    expect(await status()).toMatchObject({ prefixes: 4 })
    world.at += 6 * hour
    expect(await status()).toMatchObject({ prefixes: 1, last_error: null, status: 'fresh' })
  })
  test('of half the size is taken at once', async () => {
    const { ranges, world, status } = setUp(answering(list))
    await ranges.start()
    world.answer = answering(google('192.0.2.0/28', '192.0.2.16/28'))
    expect(await status()).toMatchObject({ prefixes: 2, last_error: null })
  })
  test('that came twice counts anew after the list came in its full size', async () => {
    const { ranges, world, status } = setUp(answering(list))
    await ranges.start()
    for (const answer of [small, small, list, small, small]) {
      world.answer = answering(answer)
      expect(await status()).toMatchObject({ prefixes: 4 })
      world.at += 7 * hour
    }
  })
  test('is not believed when it came only twice, however far apart', async () => {
    const { ranges, world, status } = setUp(answering(list))
    await ranges.start()
    world.answer = answering(small)
    await status()
    world.at += 40 * hour
    expect(await status()).toMatchObject({ prefixes: 4 })
    expect(await status()).toMatchObject({ prefixes: 1 })
  })
  test('is not believed faster by asking more often, nor when it changes', async () => {
    const { ranges, world, status } = setUp(answering(list))
    await ranges.start()
    world.answer = answering(small)
    for (let n = 0; n < 5; n++) expect(await status()).toMatchObject({ prefixes: 4 })
    world.at += 13 * hour
    world.answer = answering(google('198.51.100.0/28'))
    expect(await status()).toMatchObject({ prefixes: 4 })
  })
  test('must come in a row: the full list between them starts it anew', async () => {
    const { ranges, world, status } = setUp(answering(list))
    await ranges.start()
    for (const body of [small, small, list, small]) {
      world.at += 6 * hour
      world.answer = answering(body)
      await status()
    }
    expect(ranges.status()[0]?.prefixes).toBe(4)
  })
})

describe('time', () => {
  test('withdrawn networks verify for another 14 days', async () => {
    const { ranges, world } = setUp(answering(list))
    await ranges.start()
    world.answer = answering(google('192.0.2.0/28', '2001:db8:7::/48', '198.51.100.9'))
    await ranges.refresh()
    world.at += 14 * day - hour
    await ranges.refresh()
    expect(ranges.verdict(gptbot, '192.0.2.17', world.at)).toBe('verified')
    world.at += 2 * hour
    await ranges.refresh()
    expect(ranges.verdict(gptbot, '192.0.2.17', world.at)).toBe('spoofed')
  })

  test('the grace of a network that came back begins anew when it goes again', async () => {
    const { ranges, world } = setUp(answering(list))
    const without = google('192.0.2.0/28', '2001:db8:7::/48', '198.51.100.9')
    await ranges.start()
    for (const body of [without, list, without]) {
      world.at += 10 * day
      world.answer = answering(body)
      await ranges.refresh()
    }
    world.at += 13 * day
    await ranges.refresh()
    expect(ranges.verdict(gptbot, '192.0.2.17', world.at)).toBe('verified')
    world.at += 2 * day
    await ranges.refresh()
    expect(ranges.verdict(gptbot, '192.0.2.17', world.at)).toBe('spoofed')
  })

  test('rounds are six hours apart, failed ones fifteen minutes and then twice as long each time', () => {
    const minutes = (failures: number) => roundPauseMs(failures, 0.5) / 60_000
    expect([0, 1, 2, 3, 9].map(minutes)).toEqual([360, 15, 30, 60, 360])
    expect([0, 1].map((random) => Math.round(roundPauseMs(0, random) / 60_000))).toEqual([324, 396])
  })

  test('after 72 h nobody is spoofed, after 30 days nobody is verified, without another fetch', async () => {
    const { ranges, world } = setUp(answering(list))
    await ranges.start()
    world.at += 72 * hour
    expect(ranges.verdict(gptbot, outside, world.at)).toBe('spoofed')
    world.at += 1
    expect(ranges.verdict(gptbot, outside, world.at)).toBe('unchecked')
    expect(ranges.verdict(gptbot, inside, world.at)).toBe('verified')
    world.at += 27 * day
    expect(ranges.status()[0]?.status).toBe('unused')
    expect(ranges.verdict(gptbot, inside, world.at)).toBe('unchecked')
  })

  test('a list changes its status at the millisecond, forward and back', async () => {
    const { ranges, world } = setUp(answering(list))
    await ranges.start()
    const began = world.at
    const table = [
      [0, 'fresh', 0],
      [-10 * 60_000, 'fresh', 0],
      [999, 'fresh', 0],
      [1_000, 'fresh', 1],
      [72 * hour, 'fresh', 259_200],
      [72 * hour + 1, 'stale', 259_200],
      [30 * day, 'stale', 2_592_000],
      [30 * day + 1, 'unused', 2_592_000],
      [-10 * 60_000 - 1, 'stale', 0],
    ] as const
    for (const [ms, status, age_seconds] of table) {
      world.at = began + ms
      expect([ms, ranges.status()[0]]).toMatchObject([ms, { status, age_seconds }])
      expect([ms, ranges.verdict(gptbot, outside, world.at)]).toEqual([
        ms,
        status === 'fresh' ? 'spoofed' : 'unchecked',
      ])
      expect([ms, ranges.verdict(gptbot, inside, world.at)]).toEqual([
        ms,
        ms >= 30 * day ? 'unchecked' : 'verified',
      ])
    }
  })

  test('a round without a fault warns of nothing, and one after it starts anew', async () => {
    const { ranges, world, warnings, seen } = setUp(answering(list))
    await ranges.start()
    expect(warnings).toEqual([])
    ranges.stop()
    const before = seen.length
    await ranges.start()
    expect(seen.length).toBe(before + 1)
    world.answer = () => new Response('', { status: 503 })
    await ranges.refresh()
    expect(warnings).toHaveLength(1)
    expect(ranges.status()[0]).toMatchObject({ status: 'fresh', last_error: 'answered 503' })
  })

  test('one stale list of an operator is enough to call nobody spoofed', async () => {
    const other = 'https://openai.com/searchbot.json'
    const { ranges, world } = setUp(
      (request) =>
        request.url.endsWith('gptbot.json') ? new Response(list) : new Response('', { status: 500 }),
      {
        lists: [
          { operator: 'OpenAI', url, format: 'json' },
          { operator: 'OpenAI', url: other, format: 'json' },
        ],
      },
    )
    await ranges.start()
    expect(ranges.verdict(gptbot, inside, world.at)).toBe('verified')
    expect(ranges.verdict(gptbot, outside, world.at)).toBe('unchecked')
  })

  test('a list that does not exist delays no verdict on others, and its own agents are never spoofed', async () => {
    const other = 'https://openai.com/searchbot.json'
    const searchbot = classify('OAI-SearchBot') as Agent
    const { ranges, world } = setUp(
      (request) =>
        request.url.endsWith('gptbot.json') ? new Response(list) : new Response('', { status: 404 }),
      {
        lists: [
          { operator: 'OpenAI', url, format: 'json' },
          { operator: 'OpenAI', url: other, format: 'json' },
        ],
      },
    )
    expect(ranges.verdict(gptbot, outside, world.at)).toBe('unchecked')
    await ranges.start()
    expect(ranges.verdict(gptbot, outside, world.at)).toBe('spoofed')
    expect(ranges.verdict(searchbot, outside, world.at)).toBe('unchecked')
    expect(ranges.verdict(searchbot, inside, world.at)).toBe('verified')
  })

  test('documented ranges verify without any list', () => {
    const { ranges, world } = setUp(answering(list), { documented: { OpenAI: ['192.0.2.0/24'] } })
    expect(ranges.verdict(gptbot, inside, world.at)).toBe('verified')
    expect(ranges.verdict(gptbot, outside, world.at)).toBe('unchecked')
  })
})

describe('a restart without network', () => {
  test('keeps verdicts, and their age', async () => {
    const { ranges, open, world, server, directory } = setUp(answering(list, { etag: '"v1"' }))
    await ranges.start()
    ranges.stop()
    await server.stop(true)
    expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600)
    expect(readdirSync(directory)).toEqual([file])
    world.at += hour
    const again = open()
    const first = again.start()
    expect(again.verdict(gptbot, inside, world.at)).toBe('verified')
    expect(again.verdict(gptbot, outside, world.at)).toBe('spoofed')
    expect(again.status()[0]).toMatchObject({ age_seconds: 3600, prefixes: 4 })
    await first
    world.at += 80 * hour
    expect(again.verdict(gptbot, outside, world.at)).toBe('unchecked')
  })

  test('does not believe a cache that is torn or not ours', async () => {
    for (const text of ['{"url":', '[]', JSON.stringify({ url, prefixes: ['what'] }), '']) {
      const { ranges, directory, open, server } = setUp(answering(list))
      await ranges.start()
      ranges.stop()
      writeFileSync(join(directory, file), text)
      await server.stop(true)
      const again = open()
      await again.start()
      expect(again.status()[0]).toMatchObject({ status: 'never_fetched', prefixes: 0 })
    }
  })
})

test('stopping during a round ends it and writes nothing', async () => {
  const { ranges, directory, seen } = setUp(() => new Promise(() => {}))
  const first = ranges.start()
  await waitFor(() => seen.length > 0, { what: 'the first request', everyMs: 1 })
  ranges.stop()
  await first
  expect(existsSync(directory)).toBe(false)
})

test('a round that fails is one warning, however many lists it could not renew', async () => {
  const lists = ['gptbot', 'searchbot', 'user', 'other'].map(
    (name) =>
      ({
        operator: name === 'other' ? 'Apple' : 'OpenAI',
        url: `https://x.example/${name}.json`,
        format: 'json',
      }) as const,
  )
  const answer: Answer = ({ url }) =>
    url.endsWith('gptbot.json')
      ? new Response(list)
      : new Response('', { status: url.endsWith('searchbot.json') ? 404 : 503 })
  const logged: unknown[][] = []
  const note = (...words: unknown[]) => void logged.push(words)
  const log = { debug() {}, info() {}, error: note, warn: note }
  const { ranges } = setUp(answer, { lists, log })
  await ranges.refresh()
  expect(logged).toEqual([
    [
      '3 of 4 address lists could not be renewed',
      { operators: ['Apple', 'OpenAI'], reason: expect.stringContaining('503') },
    ],
  ])
})

describe('when most hits of an operator suddenly come from other addresses', () => {
  test('its list is fetched again and doubted, and nobody is called spoofed by it until it changes', async () => {
    const { ranges, open, world, seen, warnings } = setUp(answering(list))
    await ranges.start()
    for (let n = 0; n < 50; n++) expect(ranges.verdict(gptbot, inside, world.at)).toBe('verified')
    const rounds = seen.length
    const verdicts = Array.from({ length: 20 }, () => ranges.verdict(gptbot, outside, world.at))
    expect(verdicts.filter((one) => one === 'spoofed')).toHaveLength(5)
    expect(verdicts.slice(5)).toEqual(Array.from({ length: 15 }, () => 'unchecked'))
    expect(ranges.status()[0]?.in_doubt?.why).toContain('came from addresses outside its list')
    expect(warnings.join()).toContain('outside its list')
    await waitFor(() => seen.length > rounds, { what: 'the list to be fetched again' })
    // Its own addresses stay verified, and old lines say nothing about it.
    expect(ranges.verdict(gptbot, inside, world.at)).toBe('verified')
    await ranges.refresh()
    expect(ranges.isInDoubt('OpenAI')).toBe(true)
    ranges.stop()
    const again = open()
    await again.start()
    expect(again.verdict(gptbot, outside, world.at)).toBe('unchecked')
    world.answer = answering(google('192.0.2.0/28', '203.0.113.0/28'))
    await again.refresh()
    expect(again.isInDoubt('OpenAI')).toBe(false)
    expect(again.verdict(gptbot, outside, world.at)).toBe('verified')
    expect(again.verdict(gptbot, '198.51.100.77', world.at)).toBe('spoofed')
    expect(again.status()[0]).not.toHaveProperty('in_doubt')
  })

  test('lines of earlier days cast no doubt', async () => {
    const { ranges, world } = setUp(answering(list))
    await ranges.start()
    for (let n = 0; n < 50; n++) ranges.verdict(gptbot, inside, world.at)
    for (let n = 0; n < 50; n++) expect(ranges.verdict(gptbot, outside, world.at - day)).toBe('spoofed')
    expect(ranges.isInDoubt('OpenAI')).toBe(false)
  })
})
