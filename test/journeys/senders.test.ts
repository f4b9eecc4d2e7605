import { afterEach, expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { gptBot, insideAddress, outsideAddress, token } from '../ingest/support/ingest'
import { readJournal } from '../ingest/support/journal'
import { type OpenIngest, withOpenIngest } from '../ingest/support/open-ingest'
import { describeWith, type NeedName, testWith } from '../support/needs'
import { ask, codeOf, startSyslogNg, webServers } from '../support/set-up-pages'
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
]
const counted = ['/%C3%A9t%C3%A9/a%20b', '/absolute', '/bytes', '/odd', '/pricing', '/robots.txt']

async function askAll(port: number) {
  for (const [method, target, ua] of asked) {
    const head = [
      `${method} ${target} HTTP/1.1`,
      'Host: example.com',
      'Connection: close',
      'Content-Length: 0',
    ]
    if (ua !== null) head.push(`User-Agent: ${ua}`)
    if (target === '/pricing?x=1') head.push(`X-Forwarded-For: ${outsideAddress}, ${insideAddress}`)
    await ask(port, Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'))
  }
}

interface Page {
  readonly program: NeedName
  readonly language: string
  /** The page says what to set behind a proxy, and this version of the program knows it. */
  readonly knowsProxies?: true
  /** The log that the page names. */
  readonly file: string
  /** The server writes the log to its standard output. */
  readonly isOutput?: true
}
const pages: Record<string, Page> = {
  nginx: { program: 'nginx', language: 'nginx', file: '/var/log/renown/nginx.log', knowsProxies: true },
  apache: { program: 'apache2', language: 'apache', file: '/var/log/renown/apache.log', knowsProxies: true },
  caddy: { program: 'caddy', language: 'caddyfile', file: '/var/log/renown/caddy.log' },
  haproxy: {
    program: 'haproxy',
    language: 'haproxy',
    file: '/var/log/renown/haproxy.log',
    isOutput: true,
    knowsProxies: true,
  },
}

/** The forwarder of a page as it is printed, but for its places and a shorter wait. */
function forwarder(page: string, url: string, folder: string, places: Record<string, string>) {
  const queue = join(folder, 'queue')
  mkdirSync(queue, { recursive: true })
  return codeOf(`operators/senders/${page}`, 'syslog-ng', {
    'https://ingest.example.com': url,
    '<forwarder token>': token,
    'batch-timeout(5000)': 'batch-timeout(200)',
    '/var/lib/syslog-ng': queue,
    ...places,
  })
}

describeWith('syslog-ng')('a set-up page, followed to the letter with the real programs, counts', () => {
  for (const [page, { program, language, file, isOutput, knowsProxies }] of Object.entries(pages)) {
    testWith(program)(
      page,
      () =>
        withPrograms(async ({ ingest, directory, folder, url, posted, total }) => {
          const log = join(folder, 'log/renown.log')
          mkdirSync(join(folder, 'log'))
          appendFileSync(log, '')
          const inServer: Record<string, string> = {
            ...(!isOutput && { [file]: log }),
            ...(knowsProxies && { '10.0.0.0/8': '127.0.0.0/8' }),
          }
          const start = webServers[program]
          if (!start) throw new Error(`nobody starts ${program}`)
          const configuration = await forwarder(page, url, folder, { [file]: log })
          const syslog = startSyslogNg(configuration, join(folder, 'syslog'))
          cleanUp.push(() => syslog.stop())
          const code = await codeOf(`operators/senders/${page}`, language, inServer)
          const server = await start(code, folder, isOutput && { stdout: log })
          cleanUp.push(() => server.stop())
          await askAll(server.port)
          await waitFor(() => total('accepted') >= counted.length, {
            what: 'the hits',
            timeoutMs: 15_000,
          }).catch(async (error) => {
            throw new Error(
              `${error.message}: ${JSON.stringify(posted)} ${await Bun.file(syslog.log).text()}`,
            )
          })
          await ingest.flush()
          const { hits } = await readJournal(directory)
          expect(hits.map((hit) => hit.path).sort()).toEqual(counted)
          expect(hits.map((hit) => hit.agent).filter((agent) => agent === 'ClaudeBot')).toHaveLength(1)
          const { verdict } = hits.find((hit) => hit.path === '/pricing') ?? {}
          expect(verdict).toBe(knowsProxies ? 'verified' : 'unchecked')
          expect(posted.every(({ status }) => status === 200)).toBe(true)
          expect(total('rejected')).toBe(0)
        }),
      90_000,
    )
  }
})

describeWith('syslog-ng')('syslog-ng', () => {
  const logLine = (path: string) => {
    const [, day, month, year, time] = /(\d\d) (\w{3}) (\d{4}) (\S+)/.exec(new Date().toUTCString()) ?? []
    return `127.0.0.1 - - [${day}/${month}/${year}:${time} +0000] "GET ${path} HTTP/1.1" 200 5 "-" "GPTBot/1.3"\n`
  }

  test(
    'is not held up by lines that cannot be read',
    () =>
      withPrograms(async ({ folder, url, posted, total }) => {
        const log = join(folder, 'access.log')
        appendFileSync(log, logLine('/before'))
        const syslog = startSyslogNg(
          await forwarder('syslog-ng', url, folder, { '/var/log/renown/access.log': log }),
          join(folder, 'syslog'),
        )
        cleanUp.push(() => syslog.stop())
        await waitFor(() => total('accepted') === 1, { what: 'the first line', timeoutMs: 15_000 })
        const bad = [
          'no log line',
          '{"ua":',
          '[',
          '{"a":1}',
          'x'.repeat(70_000),
          '"',
          '{"ts":"yesterday","ua":"x","path":"/"}',
        ]
        for (const text of bad)
          appendFileSync(log, Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe, 10])]))
        appendFileSync(log, logLine('/after'))
        await waitFor(() => total('accepted') === 2, { what: 'the line behind', timeoutMs: 15_000 })
        expect(total('rejected')).toBeGreaterThanOrEqual(bad.length)
        expect(posted.map(({ status }) => status).filter((status) => status !== 200)).toEqual([])
      }),
    90_000,
  )

  test(
    'follows a log that is rotated, and goes on where it stood after a restart',
    () =>
      withPrograms(async ({ ingest, directory, folder, url, total }) => {
        const log = join(folder, 'access.log')
        appendFileSync(log, logLine('/first'))
        const configuration = await forwarder('syslog-ng', url, folder, { '/var/log/renown/access.log': log })
        const before = startSyslogNg(configuration, join(folder, 'syslog'))
        cleanUp.push(() => before.stop())
        await waitFor(() => total('accepted') === 1, { what: 'the first line', timeoutMs: 15_000 })
        renameSync(log, `${log}.1`)
        appendFileSync(log, logLine('/rotated'))
        await waitFor(() => total('accepted') === 2, { what: 'the line of the new file', timeoutMs: 15_000 })
        await before.stop()
        appendFileSync(log, logLine('/meanwhile'))
        const after = startSyslogNg(configuration, join(folder, 'syslog'))
        cleanUp.push(() => after.stop())
        await waitFor(() => total('accepted') === 3, { what: 'the line of meanwhile', timeoutMs: 15_000 })
        await ingest.flush()
        const { hits } = await readJournal(directory)
        expect(hits.map(({ path }) => path).sort()).toEqual(['/first', '/meanwhile', '/rotated'])
      }),
    90_000,
  )

  test(
    'sends again what was refused or torn away, and each line is counted once',
    () =>
      withPrograms(async ({ ingest, directory, folder, url, posted, total, fail }) => {
        const log = join(folder, 'access.log')
        const paths = Array.from({ length: 50 }, (_, n) => `/${n}`)
        for (const path of paths) appendFileSync(log, logLine(path))
        fail.push('503', 'after', '503', 'after')
        const places = {
          '/var/log/renown/access.log': log,
          'batch-lines(1000)': 'batch-lines(10)',
          'time-reopen(10)': 'time-reopen(1)',
        }
        const syslog = startSyslogNg(
          await forwarder('syslog-ng', url, folder, places),
          join(folder, 'syslog'),
        )
        cleanUp.push(() => syslog.stop())
        await waitFor(() => total('accepted') >= 50, { what: 'all lines', timeoutMs: 30_000 })
        await ingest.flush()
        const { hits } = await readJournal(directory)
        expect(hits.map(({ path }) => path).sort()).toEqual(paths.toSorted())
        expect(total('duplicate')).toBe(20)
        expect(posted.length).toBeGreaterThan(5)
      }),
    90_000,
  )
})
