import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Options, prove, type Report } from '../../conformance'
import { createConnection, type Fetch } from '../../conformance/connection'
import { readCommandLine } from '../../conformance/options'
import { connectApp } from '../support/oauth-app'
import { type Mutant, mutants, narrowed, faults as silentInstallations } from './mutants'
import { openTwoAgencies } from './two-agencies'

let world: Awaited<ReturnType<typeof openTwoAgencies>>
beforeAll(async () => {
  world = await openTwoAgencies()
}, 120_000)
afterAll(() => world?.stop())

const run = (fetch: Fetch, more: Partial<Options> = {}): Promise<Report> =>
  prove({
    url: 'http://localhost:3000',
    key: world.key,
    otherKey: world.otherKey,
    readKey: null,
    fetch,
    allowsWrites: false,
    timeoutMs: 30_000,
    totalMs: 120_000,
    now: () => Date.now(),
    sleep: () => Promise.resolve(),
    ...more,
  })

const changed = ({ wrap, foundBy }: Mutant) =>
  wrap(/^(?:marks|limits)/.test(foundBy) ? narrowed(world.fetch) : world.fetch, world)

test('an installation that keeps its promises holds every check', async () => {
  const { outcome, reason, checks } = await run(world.fetch, { allowsWrites: true })
  expect(checks.flatMap(({ id, faults }) => faults.map((fault) => `${id}: ${fault}`))).toEqual([])
  expect([reason, outcome]).toEqual([undefined, 'held'])
  expect(checks.filter(({ status }) => status !== 'held').map(({ id }) => id)).toEqual([])
}, 60_000)

test('an access token without write sees and calls only tools that read, and one with write is found', async () => {
  const app = await connectApp(world.gate)
  const narrow = await app.connect({}, { write: false })
  const wide = await app.connect()
  expect([narrow.scope, wide.scope]).toEqual(['read', expect.stringContaining('write')])
  const only = ['tools.scope']
  const held = await run(world.fetch, { readKey: narrow.access_token, only })
  expect(held.checks).toMatchObject([{ status: 'held', faults: [], unproven: [] }])
  const broken = await run(world.fetch, { readKey: wide.access_token, only })
  expect(broken.checks[0]?.faults).toContain('A token that only reads is shown generatePostDraft')
  expect(JSON.stringify([held, broken])).not.toContain('rnw_at_')
})

test('an installation that does not publish whose words a text is: the kit says so', async () => {
  const silent: Fetch = async (url, init) => {
    const answer = await world.fetch(url, init)
    return url.endsWith('/openapi.json')
      ? new Response((await answer.text()).replaceAll('"x-renown-words"', '"x-renown-other"'), answer)
      : answer
  }
  const { outcome, checks } = await run(narrowed(silent), { only: ['marks.published', 'marks.text'] })
  expect([outcome, ...checks.map(({ status }) => status)]).toEqual(['held', 'unproven', 'held'])
  expect(checks[1]?.unproven.join('\n')).toContain('Who writes')
})

test('reads only, unless writes are allowed', async () => {
  const sent: string[] = []
  const counted: Fetch = (url, init) => {
    sent.push(`${init.method} ${String(init.body)}`)
    return world.fetch(url, init)
  }
  const { checks } = await run(counted, { only: ['tools.scope', 'clamp.arguments', 'errors', 'writes'] })
  expect(checks.find(({ id }) => id === 'writes.draft')?.status).toBe('unproven')
  const writing = /"name":"(?:generate|setup|mark)\w{1,60}"(?!,"arguments":\{\})/
  expect(sent.filter((one) => writing.test(one))).toEqual([])
}, 60_000)

describe('a promise that is broken is found and named', () => {
  test.each(mutants.map((mutant) => [mutant.breaks, mutant] as const))(
    '%s',
    async (_, mutant) => {
      const allowsWrites = mutant.foundBy.startsWith('writes')
      const { outcome, checks } = await run(changed(mutant), { only: [mutant.foundBy], allowsWrites })
      const { status, faults = [] } = checks[0] ?? {}
      expect([outcome, status]).toEqual(['broken', 'broken'])
      expect(faults.join('\n')).toContain(mutant.named)
    },
    30_000,
  )
})

describe('an installation that does not answer is a fault and never passes', () => {
  test.each(silentInstallations.map((mutant) => [mutant.breaks, mutant] as const))(
    '%s',
    async (_, mutant) => {
      const { outcome, reason } = await run(changed(mutant), { timeoutMs: 200 })
      expect(outcome).toBe('cannot run')
      expect(reason).toContain(mutant.named)
    },
  )

  test('one that falls silent in the middle is not asked for ever', async () => {
    const silent: Fetch = (url, init) =>
      String(init.body).includes('"tools/call"') ? new Promise(() => {}) : world.fetch(url, init)
    const { outcome, checks } = await run(silent, {
      only: ['marks', 'tools.answers', 'errors'],
      timeoutMs: 2_000,
    })
    expect(outcome).toBe('cannot run')
    expect(checks.filter(({ status }) => status === 'not run').length).toBeGreaterThan(5)
  }, 30_000)

  test('a rate limit is waited for, and ends the run if no time is left', async () => {
    const waits: number[] = []
    let refusals = 2
    const limited: Fetch = (url, init) =>
      refusals-- > 0
        ? Promise.resolve(new Response('{}', { status: 429, headers: { 'retry-after': '7' } }))
        : world.fetch(url, init)
    const sleep = async (ms: number) => void waits.push(ms)
    expect((await run(limited, { only: ['protocol.faults'], sleep })).outcome).toBe('held')
    expect(waits).toEqual([7_000, 7_000])
    refusals = 99
    const { outcome, reason } = await run(limited, { totalMs: 5_000 })
    expect([outcome, reason]).toEqual(['cannot run', expect.stringContaining('rate limit')])
  })
})

describe('bunx renown-conformance', () => {
  const kit = async (words: readonly string[], env: Readonly<Record<string, string>> = {}, input = '') => {
    const main = join(import.meta.dir, '../../conformance/main.ts')
    const child = Bun.spawn([process.execPath, main, ...words], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdout: 'pipe',
      stderr: 'pipe',
      stdin: new Blob([input]),
    })
    const [out, said, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    return { out, said, code }
  }

  test('prints a table or JSON, ends with 0, 1 or 2, and never prints the key', async () => {
    const { port } = world.gate.listen()
    const url = `http://127.0.0.1:${port}`
    const words = [url, '--only', 'protocol,oauth']
    const [held, asJson, shown, unknown, nobody] = await Promise.all([
      kit(words, { RENOWN_KEY: world.key }),
      kit([url, '-', '--only', 'protocol.faults', '--json'], {}, `${world.key}\n`),
      kit([url, world.key, '--only', 'protocol.faults']),
      kit([url, 'rnw_key_nobody', '--json']),
      kit(['http://127.0.0.1:1'], { RENOWN_KEY: world.key }),
    ])
    // The metadata name the main host, localhost:3000, and every fact about them is compared with it.
    expect([held.code, held.said]).toEqual([0, ''])
    expect(held.out).toMatch(/^holds {6}protocol\.2025 /)
    expect([asJson.code, asJson.said, JSON.parse(asJson.out).outcome]).toEqual([0, '', 'held'])
    expect([shown.code, shown.said]).toEqual([
      0,
      expect.stringContaining('Others on this machine can see a key'),
    ])
    expect([unknown.code, JSON.parse(unknown.out).outcome]).toEqual([2, 'cannot run'])
    expect([nobody.code, nobody.out]).toEqual([2, expect.stringContaining('could not be tested')])
    for (const { out, said } of [held, asJson, shown, unknown, nobody])
      expect(`${out}${said}`).not.toMatch(/rnw_key_/)
  }, 60_000)

  test.each([
    [['--frobnicate', 'http://localhost'], 'There is no option --frobnicate'],
    [['localhost'], 'is not an address'],
    [['http://localhost'], 'Give the key as RENOWN_KEY'],
    [['http://localhost', 'rnw_key_nobody', '--seconds', '0'], 'from 1 to 3600'],
  ])('%j is refused: %s', (words, fault) => {
    expect(readCommandLine(words, {}, () => '')).toContain(fault)
  })
})

test('a key that an installation repeats is never in the report', async () => {
  const repeating: Fetch = async () =>
    new Response(`<p>${world.key}</p>`, { headers: { 'content-type': world.key } })
  expect(JSON.stringify(await run(repeating))).not.toContain(world.key)
})

test('with a rate, requests are spread over the minute, also those sent at once', async () => {
  const waited: number[] = []
  const connection = createConnection({
    url: 'http://localhost:3000',
    key: 'k',
    timeoutMs: 1_000,
    endsAt: 2_500,
    perMinute: 60,
    now: () => 0,
    sleep: async (ms) => void waited.push(ms),
    fetch: async () => new Response('{}'),
  })
  await Promise.all(['/a', '/b', '/c'].map((path) => connection.ask(path)))
  expect(waited).toEqual([1_000, 2_000])
  await expect(connection.ask('/d')).rejects.toThrow('Run it again with --seconds')
  const words = ['http://localhost:3000', '--rate', '60']
  expect(readCommandLine(words, { RENOWN_KEY: 'a-long-key' }, () => '')).toMatchObject({ perMinute: 60 })
})
