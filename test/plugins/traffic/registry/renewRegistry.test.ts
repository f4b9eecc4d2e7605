import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { AgentRegistry } from '../../../../core/contracts/agent-registry'
import { registryBytesMax, releaseRegistryVersion } from '../../../../core/contracts/agent-registry'
import { createRegistryKey, signRegistry } from '../../../../core/kit'
import { createSafeFetch } from '../../../../core/outbound/fetch/safe-fetch'
import { tenancy } from '../../../../core/product/tenancy-plugin'
import traffic from '../../../../plugins/traffic'
import { registryCheck } from '../../../../plugins/traffic/registry/check'
import { currentOperators } from '../../../../plugins/traffic/registry/registry-in-use'
import { renewRegistry } from '../../../../plugins/traffic/registry/renewRegistry'
import { sitesFeed } from '../../../../plugins/traffic/sites/sitesFeed'
import { quietLog } from '../../../support/quiet-log'
import { sampleAgent, sampleRegistry } from '../../../support/sample-registry'
import { type Workbench, workbench } from '../../../support/workbench'

const address = 'https://mirror.example.com/agents.registry'
const ours = createRegistryKey()
const stranger = createRegistryKey()
const fileOf = (more: Partial<AgentRegistry> = {}, key = ours) =>
  signRegistry(JSON.stringify(sampleRegistry(more)), key.private_key)

let answer: (request: Request) => Response | Promise<Response>
let asked: string[]
let bench: Workbench
let server: Bun.Server<undefined>
const warned: unknown[] = []

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      asked.push(new URL(request.url).pathname)
      return answer(request)
    },
  })
})
afterAll(() => server.stop(true))

const settings = { RENOWN_REGISTRY_URL: address, RENOWN_REGISTRY_KEYS: ours.public_key }
const dns = { addresses: async () => ['127.0.0.1'] }
const here = createSafeFetch({ dns, log: quietLog, allowLoopback: true })

async function benchWith(env: Record<string, string> = settings) {
  const made = await workbench(
    [tenancy, traffic],
    {
      safeFetch: (url, options) =>
        here(url.replace('https://mirror.example.com', server.url.origin), options),
    },
    {
      settings: env,
      log: { ...quietLog, warn: (_, fields) => void warned.push(fields) },
    },
  )
  made.now = new Date('2026-11-23T12:00:00.000Z')
  return made
}

beforeEach(async () => {
  asked = []
  warned.length = 0
  answer = () => new Response(fileOf())
  bench = await benchWith()
})

const renew = () => renewRegistry.run(bench.owner, new AbortController().signal)
const status = () => bench.command('registry show', {}) as Promise<Record<string, unknown>>
const inFeed = async () =>
  ((await sitesFeed.run(bench.owner, undefined, 'own')) as { agents?: AgentRegistry }).agents

describe('a newer registry of the mirror', () => {
  test('is used by the ingest and by the words of pages, without a restart', async () => {
    expect(await inFeed()).toBeUndefined()
    expect(currentOperators(bench.owner).operatorOf('chat.novel.example')).toBeNull()
    await renew()
    expect(await inFeed()).toEqual(sampleRegistry())
    expect(bench.changed).toContain('sites')
    expect(currentOperators(bench.owner).operatorOf('chat.novel.example')).toBe('Novel Labs')
    // Stored days keep hosts that the newer registry does not have.
    expect(currentOperators(bench.owner).operatorOf('labs.perplexity.ai')).toBe('Perplexity')
    expect(await status()).toMatchObject({
      source: 'mirror',
      version: 2027010101,
      agents: 2,
      assistants: 1,
      last_error: null,
      mirror: 'mirror.example.com',
      is_expired: false,
    })
  })
  test('is still used when it is asked for again, and is replaced by a newer one', async () => {
    await renew()
    bench.changed.length = 0
    await renew()
    expect([bench.changed, (await status()).last_error]).toEqual([[], null])
    answer = () => new Response(fileOf({ version: 2027010102, agents: [sampleAgent({ name: 'LaterBot' })] }))
    await renew()
    expect((await inFeed())?.agents.map(({ name }) => name)).toEqual(['LaterBot'])
  })
  test('is told as expired when its time is over, and still used', async () => {
    await renew()
    bench.now = new Date('2027-03-02T00:00:00.000Z')
    expect(await status()).toMatchObject({ source: 'mirror', is_expired: true })
  })
  test('is not used without the setting, or when its key is no longer trusted', async () => {
    await renew()
    const other = await benchWith({ ...settings, RENOWN_REGISTRY_KEYS: '' })
    answer = () => new Response(fileOf())
    await renewRegistry.run(other.owner, new AbortController().signal)
    expect(await other.command('registry show', {})).toMatchObject({
      source: 'release',
      last_error: 'No key is trusted: set RENOWN_REGISTRY_KEYS to the public key of the mirror.',
    })
    const off = await benchWith({})
    asked = []
    await renewRegistry.run(off.owner, new AbortController().signal)
    expect([asked, await off.command('registry show', {})]).toMatchObject([
      [],
      { source: 'release', mirror: null, last_error: null },
    ])
    await other.stop()
    await off.stop()
  })
})

const lies: [string, () => Response | Promise<Response>, string][] = [
  ['signs with a key of its own', () => new Response(fileOf({}, stranger)), 'no valid signature'],
  ['changes a letter', () => new Response(fileOf().replace('NovelBot', 'EvilBot1')), 'no valid signature'],
  [
    'sends an old version',
    () => new Response(fileOf({ version: 2027010100 })),
    'not newer than version 2027010101',
  ],
  [
    'sends the version in use with other contents',
    () => new Response(fileOf({ agents: [sampleAgent()] })),
    'not newer than version 2027010101',
  ],
  [
    'sends the release’s own version',
    () => new Response(fileOf({ version: releaseRegistryVersion })),
    'not newer',
  ],
  [
    'sends an expired file',
    () => new Response(fileOf({ version: 2027010109, expires_at: '2026-01-01T00:00:00.000Z' })),
    'expired on 2026-01-01',
  ],
  [
    'sends a file of the future',
    () => new Response(fileOf({ version: 2027010109, issued_at: '2026-12-31T00:00:00.000Z' })),
    'issued in the future',
  ],
  [
    'sends a file that is valid for ever',
    () => new Response(fileOf({ version: 2027010109, expires_at: '2099-01-01T00:00:00.000Z' })),
    'valid for more than 400 days',
  ],
  ['sends too much', () => new Response('x'.repeat(registryBytesMax + 1)), 'larger than'],
  [
    'sends a bomb',
    () =>
      new Response(Bun.gzipSync(new Uint8Array(64 * registryBytesMax)), {
        headers: { 'content-encoding': 'gzip' },
      }),
    'larger than',
  ],
  ['cuts its file', () => new Response(fileOf().slice(0, -40)), 'no valid signature'],
  ['sends a web page', () => new Response('<html>blocked</html>'), 'not a signed registry'],
  ['sends nothing', () => new Response(''), 'not a signed registry'],
  ['redirects', () => Response.redirect(`${server.url.origin}/other`, 302), 'redirects'],
  ['redirects into the machine', () => Response.redirect('http://169.254.169.254/latest', 301), 'redirects'],
  ['is missing', () => new Response('no', { status: 404 }), 'answered 404'],
  ['fails', () => new Response('no', { status: 503 }), 'answered 503'],
  [
    'sends tokens of browsers',
    () => new Response(fileOf({ version: 2027010109, agents: [sampleAgent({ name: 'Mozilla' })] })),
    'which browsers send',
  ],
  [
    'sends markup as a name',
    () => new Response(fileOf({ version: 2027010109, agents: [sampleAgent({ name: '<img src=x>' })] })),
    'expected a token',
  ],
  [
    'sends a list inside the network',
    () =>
      new Response(
        fileOf({
          version: 2027010109,
          lists: [{ operator: 'OpenAI', url: 'https://10.0.0.1/l', format: 'json' }],
        }),
      ),
    'expected an https address',
  ],
]

test.each(lies)('a mirror that %s changes nothing, and that is told', async (_, lie, reason) => {
  await renew()
  const before = await inFeed()
  bench.changed.length = 0
  asked = []
  answer = lie
  await renew()
  expect(await inFeed()).toEqual(before as AgentRegistry)
  const told = await status()
  expect(told).toMatchObject({ source: 'mirror', version: 2027010101 })
  expect(String(told.last_error)).toMatch(new RegExp(reason))
  expect(String(told.last_error)).not.toMatch(/<|10\.0\.0\.1|169\.254/)
  expect([bench.changed, warned.length, asked]).toEqual([[], 1, ['/agents.registry']])
  answer = () => new Response(fileOf())
  await renew()
  expect((await status()).last_error).toBeNull()
})

test('addresses inside the network are refused as settings and when they are fetched', async () => {
  for (const url of [
    'http://mirror.example.com/a',
    'https://127.0.0.1/a',
    'https://mirror.internal/a',
    'mirror',
  ])
    await expect(benchWith({ RENOWN_REGISTRY_URL: url })).rejects.toThrow('RENOWN_REGISTRY_URL')
  await expect(benchWith({ RENOWN_REGISTRY_KEYS: 'x' })).rejects.toThrow('RENOWN_REGISTRY_KEYS')
  const inside = createSafeFetch({ dns: { addresses: async () => ['10.0.0.7'] }, log: quietLog })
  const rebound = await workbench([tenancy, traffic], { safeFetch: inside }, { settings })
  await renewRegistry.run(rebound.owner, new AbortController().signal)
  expect(await rebound.command('registry show', {})).toMatchObject({
    source: 'release',
    last_error: 'The host is not on the public internet.',
  })
  await rebound.stop()
})

test('doctor says which registry is used, and warns about its mirror', async () => {
  const check = async () => (await registryCheck.run(bench.owner, new AbortController().signal))[0]
  expect(await check()).toMatchObject({
    status: 'ok',
    found: `version ${releaseRegistryVersion} of the release`,
  })
  await renew()
  expect(await check()).toMatchObject({ status: 'ok', found: 'version 2027010101 of the mirror' })
  bench.now = new Date('2027-03-02T00:00:00.000Z')
  expect(await check()).toMatchObject({
    status: 'warn',
    found: expect.stringContaining('it expired on 2027-03-01'),
  })
  answer = () => new Response('', { status: 500 })
  await renew()
  expect(await check()).toMatchObject({
    status: 'warn',
    found: expect.stringContaining('The mirror answered 500.'),
  })
})
