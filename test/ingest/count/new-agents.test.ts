import { describe, expect, test } from 'bun:test'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createNewAgents } from '../../../ingest/count/new-agents'
import { countersPerSite } from '../../../ingest/count/sketch'
import { sampleAgent, sampleRegistry } from '../../support/sample-registry'
import { browser, record, site, startedAt, type TestIngest, withIngest } from '../support/ingest'
import { inTemporaryFolder, silentLog } from '../support/journal'
import { ofPersons } from '../support/user-agents'

const owl = 'Mozilla/5.0 (compatible; OwlBot/1.2; +https://owl.example/bot)'
const lines = (ua: string, count: number, more: (n: number) => Record<string, unknown> = () => ({})) =>
  Array.from({ length: count }, (_, n) =>
    JSON.stringify(record({ ua, path: `/${ua.length}/${n}`, ...more(n) })),
  ).join('\n')
const named = async ({ ingest }: Pick<TestIngest, 'ingest'>, after = 0) =>
  (await ingest.newAgents(after)).sites.flatMap(({ agents }) =>
    agents.map(({ token, hits_at_least, hits_at_most }) => [token, hits_at_least, hits_at_most]),
  )

describe('an unknown agent', () => {
  test('is reported from ten hits, with its host, days and bounds, and is no hit', () =>
    withIngest(async (tested) => {
      const { send, ingest } = tested
      await send('/v1/hits', lines(owl, 9))
      expect(await named(tested)).toEqual([])
      await send(
        '/v1/hits',
        lines(owl, 1, () => ({ ts: new Date(startedAt - 2 * 86_400_000).toISOString() })),
      )
      const { sites } = await ingest.newAgents(0)
      expect(sites).toEqual([
        {
          site_id: site.site_id,
          floor: 0,
          gone: [],
          agents: [
            {
              token: 'OwlBot',
              host: 'owl.example',
              hits_at_least: 10,
              hits_at_most: 10,
              first_day: '2026-11-18',
              last_day: '2026-11-20',
            },
          ],
        },
      ])
    }))
  test('is not one if it is a browser, another robot, a search engine, or a name that is never counted', () =>
    withIngest(async (tested) => {
      const others = [
        browser,
        'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
        'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
        'Mozilla/5.0 (compatible; Google-Extended/1.0; +https://google.com)',
        'Mozilla/5.0 (compatible; Exabot/3.0; +http://www.exabot.com/go/robot)',
        'Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
        ...ofPersons,
      ]
      for (const ua of others) await tested.send('/v1/hits', lines(ua, 12))
      expect(await named(tested)).toEqual([])
    }))
  test('counts only GET and HEAD of the site’s own hosts, and not in imports', () =>
    withIngest(async (tested) => {
      await tested.send(
        '/v1/hits',
        lines(owl, 12, () => ({ method: 'POST' })),
      )
      await tested.send(
        '/v1/hits',
        lines(owl, 12, () => ({ host: 'elsewhere.example' })),
      )
      await tested.ingest.importBatch(site.site_id, 'one', new TextEncoder().encode(lines(owl, 12)))
      expect(await named(tested)).toEqual([])
    }))
  test('counts once if its batch is sent again', () =>
    withIngest(async (tested) => {
      const body = `${lines(owl, 12)}\n${JSON.stringify(record())}`
      for (let n = 0; n < 3; n++) await tested.send('/v1/hits', body)
      expect(await named(tested)).toEqual([['OwlBot', 12, 12]])
    }))
  test('is counted line by line too', () =>
    withIngest(async (tested) => {
      for (let n = 0; n < 11; n++)
        await tested.send(
          '/v1/hits',
          lines(owl, 1, () => ({ path: `/one/${n}` })),
        )
      expect(await named(tested)).toEqual([['OwlBot', 11, 11]])
    }))
  test('is forgotten when a newer registry knows it, and that is reported', () =>
    withIngest(async (tested) => {
      await tested.send('/v1/hits', lines(owl, 12))
      const { next } = await tested.ingest.newAgents(0)
      const agents = sampleRegistry({ agents: [sampleAgent({ name: 'OwlBot' })] })
      await tested.ingest.setSites({ sites: [site], agents })
      expect((await tested.ingest.newAgents(next)).sites).toMatchObject([{ gone: ['OwlBot'], agents: [] }])
      expect((await tested.send('/v1/hits', lines(owl, 3))).body).toMatchObject({ accepted: 3 })
      expect(await named(tested)).toEqual([])
    }))
})

test('a flood of names at one site is bounded, and hides nothing at another', () =>
  withIngest(
    async (tested) => {
      const body = Array.from({ length: 3_000 }, (_, n) =>
        JSON.stringify(
          record({
            ua: `Flood${'abcdefghij'[n % 10]}${'klmnopqrst'[Math.floor(n / 10) % 10]}${'uvwxyz'[Math.floor(n / 100) % 6]}Bot`,
          }),
        ),
      ).join('\n')
      await tested.send('/v1/hits', body)
      await tested.send('/v1/hits', lines(owl, 12), { authorization: 'Bearer other' })
      const { sites } = await tested.ingest.newAgents(0)
      expect(sites.map(({ site_id }) => site_id)).toEqual(['site_1', 'site_2'])
      expect(sites[0]?.agents.length).toBeLessThanOrEqual(24)
      expect(sites[1]).toMatchObject({ agents: [{ token: 'OwlBot', hits_at_least: 12, hits_at_most: 12 }] })
    },
    {
      sites: {
        sites: [
          site,
          {
            ...site,
            site_id: 'site_2',
            site_key: 'key2',
            forwarder_token_hash: Bun.CryptoHasher.hash('sha256', 'other', 'hex'),
          },
        ],
      },
    },
  ))

const counts = (directory: string) =>
  createNewAgents({ directory, now: () => new Date(startedAt), log: silentLog })
const seen = (token: string, hits: number, day = '2026-11-20') => [
  { token, host: null, hits, first: day, last: day },
]

describe('the counts', () => {
  test('survive a restart with their source, and lose in a crash what came after the last save', () =>
    inTemporaryFolder(async (directory) => {
      const first = counts(directory)
      first.see('site_1', seen('OwlBot', 40))
      const { instance, next } = await first.report(0)
      first.see('site_1', seen('OwlBot', 5))
      // Killed here: nothing was saved since the report.
      const second = counts(directory)
      second.see('site_1', seen('OwlBot', 2))
      const report = await second.report(next)
      expect(report.instance).toBe(instance)
      expect(report.sites[0]?.agents).toMatchObject([
        { token: 'OwlBot', hits_at_least: 42, hits_at_most: 42 },
      ])
      await second.stop()
      await first.stop()
      const path = join(directory, 'new-agents.json')
      expect(((await stat(path)).mode & 0o777).toString(8)).toBe('600')
    }))
  test('on the disk have no user agent and no address, and a damaged file begins anew', () =>
    withIngest(async ({ send, directory, ingest }) => {
      await send('/v1/hits', lines(owl, 12))
      await ingest.newAgents(0)
      const path = join(directory, 'new-agents.json')
      const text = await readFile(path, 'utf8')
      expect(text).toContain('OwlBot')
      for (const part of ['Mozilla', '1.2', 'https', record().ip]) expect(text).not.toContain(part)
      await Bun.write(path, text.replace('OwlBot', '<b>'))
      const fresh = counts(directory)
      expect((await fresh.report(0)).sites).toEqual([])
      await fresh.stop()
    }))
  test('are reported in parts, each after the last, and all of them to a gateway that knows another run', () =>
    inTemporaryFolder(async (directory) => {
      const all = counts(directory)
      for (let n = 0; n < 130; n++) all.see(`site_${n}`, seen('OwlBot', 20))
      const first = await all.report(0)
      const second = await all.report(first.next)
      expect([first.sites.length, second.sites.length]).toEqual([100, 30])
      expect((await all.report(second.next)).sites).toEqual([])
      expect((await all.report(second.next + 1e6)).sites).toHaveLength(100)
      await all.stop()
    }))
  test('are of 2,000 sites at most, and names that do not come for 60 days go', () =>
    inTemporaryFolder(async (directory) => {
      const all = counts(directory)
      all.see('site_old', seen('OwlBot', 20, '2026-09-01'))
      await all.report(0)
      for (let n = 0; n < 2_000; n++) all.see(`site_${n}`, seen('OwlBot', 20))
      let reported = 0
      for (let after = 0, found = 100; found === 100; ) {
        const { sites, next } = await all.report(after)
        reported += found = sites.length
        after = next
      }
      expect(reported).toBe(2_000)
      await all.stop()
    }))
})

test('a name counts as often as it came for sure: what it may have taken over from others reports nobody', () =>
  inTemporaryFolder(async (directory) => {
    const agents = createNewAgents({ directory, now: () => new Date(startedAt), log: silentLog })
    const seen = (token: string, hits: number) => ({
      token,
      host: null,
      hits,
      first: '2026-11-20',
      last: '2026-11-20',
    })
    agents.see('site_1', [
      ...Array.from({ length: countersPerSite }, (_, n) => seen(`Old${n}Bot`, n === 0 ? 9 : 50)),
      seen('NewBot', 9),
    ])
    const reported = async () => {
      const [found] = (await agents.report(0)).sites
      return found?.agents.find(({ token }) => token === 'NewBot')
    }
    expect(await reported()).toBeUndefined()
    agents.see('site_1', [seen('NewBot', 1)])
    expect(await reported()).toMatchObject({ hits_at_least: 10, hits_at_most: 19 })
    await agents.stop()
  }))
