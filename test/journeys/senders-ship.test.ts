import { afterEach, expect } from 'bun:test'
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { gptBot, token } from '../ingest/support/ingest'
import { readJournal } from '../ingest/support/journal'
import { type OpenIngest, withOpenIngest } from '../ingest/support/open-ingest'
import { type NeedName, testWith } from '../support/needs'
import { ask, startShipper } from '../support/set-up-pages'
import { shipServers } from '../support/ship-servers'
import { waitFor } from '../support/wait-for'

const cleanUp: (() => Promise<unknown>)[] = []
const stopAll = async () => {
  for (const step of cleanUp.splice(0).reverse()) await step()
}
afterEach(stopAll)
/** The programs end before the ingest that they send to. */
const withPrograms = (work: (tested: OpenIngest) => Promise<void>) => withOpenIngest(work, stopAll)

/** What is asked of each server: method, target, and the user agent byte for byte, or none. */
const asked: readonly (readonly [method: string, target: string, ua: string | null])[] = [
  ['GET', '/pricing?x=1', gptBot],
  ['HEAD', '/robots.txt', 'ClaudeBot/1.0; +claudebot@anthropic.com'],
  ['GET', '/odd', 'Odd "quoted" back\\slash {a|b} \ttab GPTBot/1.3'],
  ['GET', '/bytes', 'Caf\u00c3\u00a9 \u00ff GPTBot/1.3'],
  ['GET', '/person', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.0.0 Safari/537.36'],
  ['GET', '/nobody', null],
  ['POST', '/order', gptBot],
  ['GET', 'http://example.com/absolute?z=1', gptBot],
  ['GET', '/%C3%A9t%C3%A9/a%20b', gptBot],
  ['GET', '/elsewhere', gptBot],
]
const counted = ['/%C3%A9t%C3%A9/a%20b', '/absolute', '/bytes', '/odd', '/pricing', '/robots.txt']

const programs: Readonly<Record<string, readonly NeedName[]>> = {
  lighttpd: ['lighttpd'],
  varnish: ['varnishd'],
  'ingress-nginx': ['nginx'],
}

for (const [page, start] of Object.entries(shipServers))
  testWith(...(programs[page] ?? []))(
    `the page of ${page}, followed to the letter with the real programs and the shipper, counts`,
    () =>
      withPrograms(async ({ ingest, directory, folder, url, posted, total }) => {
        const log = join(folder, 'log/renown.log')
        mkdirSync(join(folder, 'log'))
        appendFileSync(log, '')
        const server = await start(folder, log)
        cleanUp.push(() => server.stop())
        const shipper = startShipper(log, { url, token, folder: join(folder, 'ship') })
        cleanUp.push(() => shipper.stop())
        for (const [method, target, ua] of asked) {
          const host = target === '/elsewhere' ? 'other.test' : 'example.com'
          const head = [
            `${method} ${target} HTTP/1.1`,
            `Host: ${host}`,
            'Connection: close',
            'Content-Length: 0',
          ]
          if (ua !== null) head.push(`User-Agent: ${ua}`)
          await ask(server.port, Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'))
        }
        // No request at all, as an open port gets it.
        await ask(server.port, Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3, 13, 10, 13, 10]))
        const read = () => total('accepted') + total('ignored')
        await waitFor(() => total('accepted') >= counted.length && read() >= asked.length, {
          what: 'the hits',
          timeoutMs: 25_000,
        }).catch(async (error) => {
          throw new Error(`${error.message}: ${JSON.stringify(posted)} ${await Bun.file(server.log).text()}`)
        })
        await ingest.flush()
        const { hits } = await readJournal(directory)
        expect(hits.map((hit) => hit.path).sort()).toEqual(counted)
        expect(hits.filter((hit) => hit.agent === 'ClaudeBot')).toHaveLength(1)
        expect([total('rejected'), total('duplicate')]).toEqual([0, 0])
      }),
    90_000,
  )
