import { expect, test } from 'bun:test'
import * as v from 'valibot'
import { agentRegistrySchema, releaseRegistryVersion } from '../../../core/contracts/agent-registry'
import { releaseRegistry } from '../../../ingest/data/release'
import { createAgentsInUse, releaseAgents } from '../../../ingest/judge/agent-index'
import { cachedSites } from '../../../ingest/sites/sites'
import { sampleAgent, sampleRegistry } from '../../support/sample-registry'
import { browser, record, site, withIngest } from '../support/ingest'
import { readJournal } from '../support/journal'

test('the registry of the release is one that a mirror could publish, and knows other robots', () => {
  const read = v.safeParse(agentRegistrySchema, JSON.parse(JSON.stringify(releaseRegistry)))
  expect(read.issues).toBeUndefined()
  expect(read.output).toEqual(releaseRegistry)
  expect(releaseAgents.isOtherRobot('AhrefsBot')).toBe(true)
})

test('a registry is used if it is newer than the release, and gives its lists to the address check', () => {
  const scopes: unknown[] = []
  const agents = createAgentsInUse({ use: (scope) => void scopes.push(scope) })
  agents.use(sampleRegistry({ version: releaseRegistryVersion }))
  expect([agents.current === releaseAgents, scopes]).toEqual([true, []])
  agents.use(sampleRegistry())
  const first = agents.current
  agents.use(sampleRegistry())
  expect(agents.current).toBe(first)
  agents.use(undefined)
  expect(agents.current).toBe(releaseAgents)
  const { lists, documented } = releaseRegistry
  expect(scopes).toEqual([
    { lists: sampleRegistry().lists, documented: {} },
    { lists, documented },
  ])
})

const novel = record({ ua: 'NovelBot/1.0 (+https://novel.example)' })
const feed = { sites: [site], agents: sampleRegistry() }

test('a newer registry counts without a restart, and what was counted before stays as it was', () =>
  withIngest(async ({ ingest, send, directory }) => {
    const visit = () =>
      send('/s/key1', ',https://chat.novel.example/,/b', {
        origin: 'https://example.com',
        'user-agent': browser,
      })
    const script = async () => {
      const request = new Request('http://localhost/s/key1.js')
      return (await ingest.fetch(request, () => null)).text()
    }
    const sendAll = async (path: string) => {
      await send(
        '/v1/hits',
        [{ ...novel, path }, record({ ua: 'ClaudeBot/1.0', path }), record({ path })]
          .map((hit) => JSON.stringify(hit))
          .join('\n'),
      )
      await visit()
    }
    await sendAll('/first')
    const before = (await readJournal(directory, ['.seg', '.open'])).hits
    expect(before.map(({ agent }) => agent)).toEqual(['ClaudeBot', 'GPTBot'])
    expect(await script()).not.toContain('novel')
    await ingest.setSites(feed)
    await sendAll('/second')
    const after = (await readJournal(directory, ['.seg', '.open'])).hits
    // ClaudeBot is not in the newer registry, so it no longer counts. Its earlier hit stays.
    expect(after.slice(0, 2)).toEqual(before)
    expect(after.slice(2).map(({ agent, category, operator }) => [agent, category, operator])).toEqual([
      ['NovelBot', 'ai_answers', 'Novel Labs'],
      ['GPTBot', 'training', 'OpenAI'],
      ['chat.novel.example', '', ''],
    ])
    expect(await script()).toContain('chat\\.novel')
    expect(await ingest.registry()).toEqual(sampleRegistry())
    await ingest.setSites({ sites: [site] })
    expect(await ingest.registry()).toEqual(releaseRegistry)
    expect(await script()).not.toContain('novel')
  }))

test('a restart without a gateway has the newer registry', async () => {
  await withIngest(async ({ ingest, directory }) => {
    await ingest.setSites(feed)
    await ingest.setSites(feed)
    // Sites are saved behind the answer.
    for (;;) {
      const cached = await cachedSites(directory)
      if (cached?.agents === undefined) continue
      expect(cached).toEqual(feed)
      break
    }
    const cached = await cachedSites(directory)
    await withIngest(
      async ({ send }) =>
        expect((await send('/v1/hits', JSON.stringify(novel))).body).toMatchObject({ accepted: 1 }),
      { sites: cached ?? { sites: [] } },
    )
  })
})

test('a registry that cannot be read leaves the sites as they are', () =>
  withIngest(async ({ directory }) => {
    await Bun.write(`${directory}/sites.json`, JSON.stringify({ ...feed, agents: { format: 9 } }))
    expect(await cachedSites(directory)).toEqual({ sites: [site] })
    const evil = sampleRegistry({ agents: [sampleAgent({ name: 'Mozilla' })] })
    await Bun.write(`${directory}/sites.json`, JSON.stringify({ ...feed, agents: evil }))
    expect(await cachedSites(directory)).toEqual({ sites: [site] })
  }))
