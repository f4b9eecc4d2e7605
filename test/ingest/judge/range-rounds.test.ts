import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Agent, classify } from '../../../ingest/judge/classify'
import { unknownList } from '../../../ingest/judge/range-state'
import { createRanges, type RangesOptions } from '../../../ingest/judge/ranges'
import { waitFor } from '../../support/wait-for'

const hour = 3_600_000
const day = 24 * hour
const minute = 60_000
const url = 'https://openai.com/gptbot.json'
const other = 'https://openai.com/searchbot.json'
const gptbot = classify('GPTBot') as Agent
const inside = '192.0.2.1'
const outside = '203.0.113.1'
const both = [
  { operator: 'OpenAI', url, format: 'json' },
  { operator: 'OpenAI', url: other, format: 'json' },
] as const

interface Timer {
  readonly run: () => void
  readonly ms: number
  isUnref: boolean
  isCleared: boolean
}
const real = { setTimeout, clearTimeout, timeout: AbortSignal.timeout }
const folders: string[] = []
afterEach(() => {
  Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout })
  AbortSignal.timeout = real.timeout
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** Replaces timers of a minute or more, which a test runs by hand. */
function heldTimers(): Timer[] {
  const timers: Timer[] = []
  globalThis.setTimeout = ((run: () => void, ms: number, ...given: unknown[]) => {
    if (!(ms >= minute)) return real.setTimeout(run, ms, ...given)
    const timer = { run, ms, isUnref: false, isCleared: false }
    timers.push(timer)
    const unref = () => {
      timer.isUnref = true
    }
    return Object.assign(timer, { unref })
  }) as never
  globalThis.clearTimeout = ((timer: Timer) => {
    if (timers.includes(timer)) timer.isCleared = true
    else real.clearTimeout(timer as never)
  }) as never
  return timers
}

type Answer = (url: string, init: RequestInit) => Response | Promise<Response>
const listOf = (...prefixes: string[]) => new Response(JSON.stringify(prefixes))

function setUp(answer: Answer, more: Partial<RangesOptions> = {}) {
  const directory = join(mkdtempSync(join(tmpdir(), 'rounds-')), 'cache')
  folders.push(join(directory, '..'))
  const world = { at: 1_800_000_000_000, answer, asked: [] as string[] }
  const logged: [string, string, unknown][] = []
  const note = (level: string) => (message: string, fields?: unknown) =>
    void logged.push([level, message, fields])
  const options: RangesOptions = {
    directory,
    fetch: (async (asked: string, init: RequestInit) => {
      world.asked.push(asked)
      return world.answer(asked, init)
    }) as never,
    now: () => new Date(world.at),
    log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
    lists: [both[0]],
    documented: {},
    isPublic: () => true,
    random: () => 0.5,
    ...more,
  }
  return { directory, world, logged, options, ranges: createRanges(options) }
}
const good: Answer = () => listOf('192.0.2.0/24')
const bad: Answer = () => new Response('', { status: 503 })

describe('rounds', () => {
  test('repeat after six hours, sooner after a failure, and keep no process alive', async () => {
    const timers = heldTimers()
    const { ranges, world } = setUp(bad)
    await ranges.start()
    for (const answer of [bad, bad, good, good, bad]) {
      world.answer = answer
      timers.at(-1)?.run()
      const count = timers.length
      await waitFor(() => timers.length > count, { what: 'the next timer', everyMs: 1 })
    }
    expect(timers.map(({ ms }) => ms / minute)).toEqual([15, 30, 60, 360, 360, 15])
    expect(timers.every(({ isUnref }) => isUnref)).toBe(true)
    expect(world.asked).toEqual(Array(6).fill(url))
    ranges.stop()
    expect(timers.at(-1)?.isCleared).toBe(true)
  })

  test('go on once after a second start', async () => {
    const timers = heldTimers()
    const { ranges } = setUp(good)
    await ranges.start()
    await ranges.start()
    expect(timers.map(({ isCleared }) => isCleared)).toEqual([true, false])
    ranges.stop()
  })

  test('end with a stop: the requests too, without a word and without another round', async () => {
    const timers = heldTimers()
    const signals: AbortSignal[] = []
    const halted = Promise.withResolvers<Response>()
    const { ranges, directory, logged } = setUp(
      (asked, { signal }) => {
        signals.push(signal as AbortSignal)
        signal?.addEventListener('abort', () => halted.reject(new Error('stopped')))
        return asked === url ? bad(asked, {}) : halted.promise
      },
      { lists: both },
    )
    const started = ranges.start()
    await waitFor(() => logged.length > 0, { what: 'the first failure', everyMs: 1 })
    ranges.stop()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
    await started
    expect(logged.filter(([level]) => level !== 'debug')).toEqual([])
    expect(timers).toEqual([])
    expect(existsSync(directory)).toBe(false)
  })

  test('give each list 15 seconds unless told otherwise', async () => {
    const limits: number[] = []
    AbortSignal.timeout = (ms) => {
      limits.push(ms)
      return AbortSignal.abort(new Error('too slow'))
    }
    const answer: Answer = (_, { signal }) => {
      signal?.throwIfAborted()
      return listOf('192.0.2.0/24')
    }
    expect(await setUp(answer).ranges.refresh()).toMatchObject([{ last_error: 'too slow' }])
    await setUp(answer, { timeoutMs: 70 }).ranges.refresh()
    expect(limits).toEqual([15_000, 70])
  })

  test('ask the publisher, or a mirror with or without a slash at its end', async () => {
    for (const [mirror, asked] of [
      [undefined, url],
      ['', url],
      ['https://mirror.example/a', 'https://mirror.example/a/openai.com/gptbot.json'],
      ['https://mirror.example/a//', 'https://mirror.example/a/openai.com/gptbot.json'],
    ] as const) {
      const { ranges, world } = setUp(good, mirror === undefined ? {} : { mirror })
      await ranges.refresh()
      expect(world.asked).toEqual([asked])
    }
  })
})

describe('what is logged', () => {
  test('is one warning for all lists, with the commonest reason, and each reason for debugging', async () => {
    const lists = ['a', 'b', 'c', 'd'].map((name) => ({
      operator: name === 'a' ? 'Z' : 'OpenAI',
      url: `https://x.example/${name}`,
      format: 'json' as const,
    }))
    const { ranges, logged } = setUp(
      (asked) =>
        asked.endsWith('d')
          ? listOf('192.0.2.0/24')
          : new Response('', { status: asked.endsWith('a') ? 500 : 503 }),
      { lists },
    )
    await ranges.refresh()
    const debug = (name: string, reason: string) => [
      'debug',
      'an address list could not be renewed',
      { url: `https://x.example/${name}`, reason },
    ]
    expect<unknown>(logged).toEqual([
      debug('a', 'answered 500'),
      debug('b', 'answered 503'),
      debug('c', 'answered 503'),
      [
        'warn',
        '3 of 4 address lists could not be renewed',
        { operators: ['OpenAI', 'Z'], reason: 'answered 503' },
      ],
    ])
  })

  test('names a list that cannot be cached, which is used all the same', async () => {
    const { ranges, directory, logged, world } = setUp(good)
    writeFileSync(directory, 'a file where the folder should be')
    expect(await ranges.refresh()).toMatchObject([{ status: 'fresh', last_error: null }])
    expect(logged).toEqual([
      ['warn', 'an address list could not be cached', { url, reason: expect.stringContaining('EEXIST') }],
    ])
    expect(ranges.verdict(gptbot, inside, world.at)).toBe('verified')
  })
})

describe('a cached list', () => {
  test('counts only if it was fetched once', async () => {
    const { directory, options } = setUp(bad)
    mkdirSync(directory)
    const write = (lastOkAt: number | null) =>
      writeFileSync(
        join(directory, 'openai.com_gptbot.json'),
        JSON.stringify({
          ...unknownList(url),
          prefixes: ['192.0.2.0/24'],
          lastOkAt,
          lastError: 'of the cache',
        }),
      )
    for (const lastOkAt of [null, options.now().getTime()]) {
      write(lastOkAt)
      const ranges = createRanges(options)
      const started = ranges.start()
      expect(ranges.status()).toMatchObject([
        lastOkAt === null ? { prefixes: 0, last_error: null } : { prefixes: 1, last_error: 'of the cache' },
      ])
      await started
      ranges.stop()
    }
  })

  test('is not written before it was fetched', async () => {
    const { ranges, directory, world } = setUp(bad)
    await ranges.refresh()
    expect(existsSync(directory)).toBe(false)
    world.answer = good
    await ranges.refresh()
    expect(readdirSync(directory)).toEqual(['openai.com_gptbot.json'])
  })
})

describe('an unchanged list', () => {
  test('forgets the last fault and a shrunken list', async () => {
    const headers = { etag: '"v1"' }
    const whole = () =>
      new Response(JSON.stringify(['192.0.2.0/26', '192.0.2.64/26', '192.0.2.128/26']), { headers })
    const { ranges, world } = setUp(whole)
    const next = async (answer: Answer) => {
      world.answer = answer
      world.at += 12 * hour
      return (await ranges.refresh())[0]
    }
    const small: Answer = () => listOf('192.0.2.0/26')
    const unchanged: Answer = () => new Response(null, { status: 304 })
    await ranges.refresh()
    expect(await next(bad)).toMatchObject({ last_error: 'answered 503', age_seconds: 43_200 })
    expect(await next(unchanged)).toMatchObject({
      last_error: null,
      age_seconds: 0,
      status: 'fresh',
      prefixes: 3,
    })
    for (const answer of [small, small, unchanged, small]) await next(answer)
    expect(ranges.status()).toMatchObject([
      { prefixes: 3, last_error: 'the list shrank from 3 to 1 networks' },
    ])
  })

  test('is shown with the time at which it was fetched', async () => {
    const { ranges, world } = setUp(good)
    expect(ranges.status()).toEqual([
      {
        url,
        operator: 'OpenAI',
        prefixes: 0,
        sha256: null,
        last_ok_at: null,
        age_seconds: null,
        status: 'never_fetched',
        last_error: null,
      },
    ])
    await ranges.refresh()
    world.at += 1_500
    expect(ranges.status()).toMatchObject([
      { last_ok_at: new Date(1_800_000_000_000).toISOString(), age_seconds: 1 },
    ])
  })
})

describe('a verdict', () => {
  test.each([
    ['answered 404', 'spoofed'],
    ['answered 410', 'spoofed'],
    ['answered 403', 'unchecked'],
    ['the proxy answered 404', 'unchecked'],
    ['answered 404 by the proxy', 'unchecked'],
  ])('on other agents after "%s" of one list is %s', async (reason, verdict) => {
    const { ranges, world } = setUp(
      (asked) => (asked === url ? listOf('192.0.2.0/24') : Promise.reject(new Error(reason))),
      { lists: both },
    )
    await ranges.refresh()
    expect<unknown>(ranges.verdict(gptbot, outside, world.at)).toBe(verdict)
  })

  test('uses a list that was removed later until it is too old', async () => {
    const { ranges, world } = setUp(good)
    await ranges.refresh()
    world.at += hour
    world.answer = () => new Response('', { status: 404 })
    await ranges.refresh()
    expect(ranges.verdict(gptbot, outside, world.at)).toBe('spoofed')
    world.at += 72 * hour
    expect(ranges.verdict(gptbot, outside, world.at)).toBe('unchecked')
  })

  test('is never spoofed for an operator without lists, nor without a fetched one on a clock at 1970', () => {
    const documented = { OpenAI: ['192.0.2.0/24'] }
    for (const lists of [[], [both[0]]]) {
      const { ranges, world } = setUp(bad, { documented, lists })
      for (const at of [world.at, 0]) {
        world.at = at
        expect(ranges.verdict(gptbot, outside, at)).toBe('unchecked')
        expect(ranges.verdict(gptbot, inside, at)).toBe('verified')
      }
    }
  })

  test('uses a withdrawn network for 14 days and not a millisecond longer', async () => {
    const { ranges, world } = setUp(() => listOf('192.0.2.0/24', '198.51.100.0/24'))
    await ranges.refresh()
    world.answer = () => listOf('198.51.100.0/24')
    await ranges.refresh()
    world.answer = bad
    for (const [ms, verdict] of [
      [14 * day, 'verified'],
      [1, 'unchecked'],
    ] as const) {
      world.at += ms
      await ranges.refresh()
      expect(ranges.verdict(gptbot, inside, world.at)).toBe(verdict)
    }
  })

  test('prepares the networks again only when a list becomes too old', async () => {
    let prepared = 0
    const { world, options } = setUp(good)
    Object.defineProperty(options, 'documented', {
      get() {
        prepared++
        return {}
      },
    })
    const ranges = createRanges(options)
    await ranges.refresh()
    world.at += 31 * day
    ranges.verdict(gptbot, inside, world.at)
    const before = prepared
    for (let n = 0; n < 50; n++) ranges.verdict(gptbot, inside, world.at)
    expect(before).toBeGreaterThan(2)
    expect(prepared).toBe(before)
  })

  test('needs documented networks that can be read', () => {
    expect(() => setUp(good, { documented: { OpenAI: ['soon'] } })).toThrow('soon is not a network')
  })
})
