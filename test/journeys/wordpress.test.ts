import { afterAll, beforeAll, expect, test } from 'bun:test'
import { pluginZip } from '../../plugins/traffic/wordpress/plugin-zip'
import { browser, gptBot, insideAddress, token } from '../ingest/support/ingest'
import { readJournal } from '../ingest/support/journal'
import { type OpenIngest, withOpenIngest } from '../ingest/support/open-ingest'
import { describeWith } from '../support/needs'
import { waitFor } from '../support/wait-for'
import { type Owner, signInToWordPress, startWordPress, type WordPress } from '../support/wordpress'

const settingsPage = 'options-general.php?page=renown'
const visitor = (ua: string) => ({
  // WordPress redirects to the host of its own address, which is that of the request.
  redirect: 'manual' as const,
  headers: { 'user-agent': ua, host: 'example.com', 'x-real-ip': insideAddress },
})

describeWith(
  'WordPress',
  'nginx',
  'php',
  'a long run',
)('the plugin in a real WordPress', () => {
  let site: WordPress
  let owner: Owner
  beforeAll(async () => {
    site = await startWordPress()
    owner = await signInToWordPress(site.url)
  }, 120_000)
  afterAll(() => site?.stop())

  const connect = (url: string) =>
    owner.submit(
      settingsPage,
      'name="connection"',
      {
        connection: `${url}/v1/hits?token=${token}&site=key1`,
        source: 'HTTP_X_REAL_IP',
        count: '1',
        tag: '1',
        save: '1',
      },
      settingsPage,
    )
  const waits = () => Number(site.sql('SELECT COUNT(*) FROM wp_renown_queue')[0])
  /** What PHP complained about in the plugin. */
  const complaints = async () => {
    const log = Bun.file(`${site.folder}/site/wp-content/debug.log`)
    const lines = (await log.exists()) ? (await log.text()).split('\n') : []
    return lines.filter((line) => line.includes('plugins/renown'))
  }
  const counted = async ({ ingest, directory }: OpenIngest) => {
    await ingest.flush()
    return (await readJournal(directory)).hits.map(({ path, verdict }) => `${path} ${verdict}`)
  }

  test('the owner uploads the archive and activates the plugin', async () => {
    const { bytes } = await pluginZip()
    const pluginzip = new File([bytes], 'renown-wordpress.zip', { type: 'application/zip' })
    const form = 'update.php?action=upload-plugin'
    const installed = await owner.submit('plugin-install.php?tab=upload', 'pluginzip', { pluginzip }, form)
    expect(installed).toContain('Plugin installed successfully')
    const link = /href="([^"]*action=activate[^"]*renown[^"]*)"/.exec(installed)?.[1] ?? ''
    expect(await owner.follow(link)).toContain('Plugin activated')
    expect(await owner.get(settingsPage)).not.toMatch(/<b>(?:Warning|Notice|Fatal error)<\/b>/)
  }, 60_000)

  test(
    'a crawler is counted once, by both servers, and a person sees only the tag',
    () =>
      withOpenIngest(async (tested) => {
        const saved = await connect(tested.url)
        expect(saved).toContain('Saved. The address and the token are right.')
        expect(saved).not.toContain(token)
        expect(saved).toContain(`ends in ${token.slice(-4)}`)
        const before = tested.posted.length
        const page = await (await fetch(`${site.url}/`, visitor(browser))).text()
        expect(page.split(`<script defer src="${tested.url}/s/key1.js"></script>`)).toHaveLength(2)
        expect([tested.posted.length, waits()]).toEqual([before, 0])

        await fetch(`${site.url}/robots.txt?x=1`, visitor(gptBot))
        await waitFor(() => tested.posted.length > before, { what: 'the hit of PHP-FPM' })
        expect(await counted(tested)).toEqual(['/robots.txt verified'])
        tested.fail.push('after')
        await fetch(`${site.plainUrl}/missing`, visitor(gptBot))
        await waitFor(() => waits() === 1, { what: 'the hit in the queue' })
        // The first answer is lost, so the batch is sent again. Visits to the website run WP-Cron.
        await waitFor(
          async () => {
            await fetch(`${site.plainUrl}/`)
            return tested.posted.length > before + 1
          },
          { what: 'WP-Cron', everyMs: 500 },
        )
        expect(await counted(tested)).toEqual(['/robots.txt verified', '/missing verified'])
        await connect(tested.url)
        await fetch(`${site.url}/again`, visitor(gptBot))
        await waitFor(() => waits() === 0, { what: 'an empty queue' })
        expect(await counted(tested)).toEqual([
          '/robots.txt verified',
          '/missing verified',
          '/again verified',
        ])
        expect(tested.total('duplicate')).toBe(1)
        expect(await complaints()).toEqual([])
      }),
    120_000,
  )

  test('a page takes as long while the ingest hangs or is down, and no hit is lost', async () => {
    const hanging = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
    for (const [url, name] of [
      [`http://127.0.0.1:${hanging.port}`, 'hangs'],
      ['http://127.0.0.1:9', 'is down'],
    ] as const) {
      await connect(url)
      const times: number[] = []
      for (let n = 0; n < 5; n++) {
        const start = performance.now()
        const page = await fetch(`${site.url}/no-such-page-${n}`, visitor(gptBot))
        expect(await page.text()).not.toMatch(/<b>(?:Warning|Notice|Fatal error)<\/b>/)
        times.push(performance.now() - start)
      }
      // The plugin gives the ingest three seconds, after the page was sent.
      expect([name, Math.max(...times) < 2_500]).toEqual([name, true])
    }
    hanging.stop(true)
    await withOpenIngest(async (tested) => {
      await connect(tested.url)
      // A hit that a process still tries to send is free when that process gives up.
      await waitFor(() => site.sql('SELECT id FROM wp_renown_queue WHERE claimed > 0').length === 0, {
        what: 'the hanging process',
      })
      await connect(tested.url)
      await fetch(`${site.url}/last`, visitor(gptBot))
      await waitFor(() => waits() === 0, { what: 'an empty queue' })
      expect(await counted(tested)).toHaveLength(11)
    })
    expect(await complaints()).toEqual([])
  }, 120_000)

  test(
    'of requests at the same time each hit counts once, through lost answers and outages',
    () =>
      withOpenIngest(async (tested) => {
        await connect(tested.url)
        // Without its state, the plugin sends at once.
        const forget = () => site.sql("DELETE FROM wp_options WHERE option_name = 'renown_state'")
        const paths = Array.from({ length: 120 }, (_, at) => `/robots.txt/${at}`)
        for (let at = 0; at < paths.length; at += 6) {
          tested.fail.push((['503', 'after', '301'] as const)[(at / 6) % 3] ?? '503')
          forget()
          const part = paths.slice(at, at + 6)
          await Promise.all(
            part.map((path) => fetch(`${site.url}${path}`, visitor(gptBot)).then((r) => r.text())),
          )
        }
        tested.fail.length = 0
        await waitFor(
          async () => {
            forget()
            await fetch(`${site.url}/`, visitor('Somebot/1.0')).then((page) => page.text())
            return waits() === 0
          },
          { what: 'an empty queue', everyMs: 500 },
        )
        const found = (await counted(tested)).map((hit) => hit.split(' ')[0])
        expect(found.toSorted()).toEqual(paths.toSorted())
        expect(tested.total('duplicate')).toBeGreaterThan(0)
        expect(await complaints()).toEqual([])
      }),
    240_000,
  )

  test('nothing stays when the owner deletes it', async () => {
    const left = () => [
      ...site.sql("SELECT option_name FROM wp_options WHERE option_name LIKE '%renown%'"),
      ...site.sql("SHOW TABLES LIKE '%renown%'"),
      ...site.sql(
        "SELECT option_name FROM wp_options WHERE option_value LIKE '%renown%' AND option_name NOT LIKE '%transient%'",
      ),
    ]
    await connect('http://127.0.0.1:9')
    await fetch(`${site.url}/`, visitor(gptBot))
    expect(left().length).toBeGreaterThan(3)
    const page = await owner.get('plugins.php')
    await owner.follow(/href="([^"]*action=deactivate[^"]*renown[^"]*)"/.exec(page)?.[1] ?? '')
    const fields = { action: 'delete-selected', 'checked[]': 'renown/renown.php', 'verify-delete': '1' }
    await owner.submit('plugins.php', 'name="checked[]"', fields, 'plugins.php')
    expect(left().filter((name) => name !== 'recently_activated')).toEqual([])
  }, 60_000)
})
