import { appendFileSync, copyFileSync, mkdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clfTime } from './clf-time'
import type { NeedName } from './needs'
import {
  codeOf,
  type Running,
  type StarterOptions,
  startCron,
  startShipper,
  startSyslogNg,
  type WebServer,
  webServers,
} from './set-up-pages'
import { turns } from './wait-for'

/** A set-up page followed to the letter: a server that writes a log, and the page's forwarder behind it. */
export interface Road {
  readonly page: string
  readonly domain: string
  /** A line that is sent twice is known by its id, or by the batch that it comes in. */
  readonly hasIds: boolean
  /** Lines written so far. Each one is a hit of GPTBot. */
  readonly written: () => number
  /** Has the server write so many lines more. */
  write(lines: number): Promise<void>
  /** Keeps the log from growing as the page says. */
  rotate(): Promise<void>
  startForwarder(): void
  /** TERM unless told otherwise. */
  stopForwarder(signal?: NodeJS.Signals): Promise<void>
  /** What the forwarder printed. */
  forwarderLog(): Promise<string>
  close(): Promise<void>
}

export interface RoadOptions {
  readonly page: string
  readonly folder: string
  readonly domain: string
  readonly ingestUrl: string
  readonly token: string
  /** Lines that will be written altogether. */
  readonly lines: number
}

/** Lines have so many paths at most: the ingest keeps 50,000 of a day apart. */
export const pathsMax = 25_000
/** The path of a road's nth line. */
export const pathOfLine = (line: number): string => `/n/${line % pathsMax}`

const userAgent =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)'

/** Whatever writes the log of a road. */
interface Writer {
  write(from: number, lines: number): Promise<void>
  rotate(): Promise<void>
  close(): Promise<void>
}

interface PageFacts {
  /** The programs that the page needs. */
  readonly programs: readonly NeedName[]
  /** The language of the page's block for the server. */
  readonly language?: string
  /** False where lines count twice after the forwarder was killed, as the page says. */
  readonly hasIds?: false
  /** The log that the page names. */
  readonly file: string
  start(options: RoadOptions, log: string, code: string): Promise<Writer>
  /** The forwarder with the page's settings; syslog-ng unless told otherwise. */
  forwarder?(options: RoadOptions, log: string): Promise<() => Running>
}

/** The roads of the pages, by the name of the page. */
export const roadPages: Readonly<Record<string, PageFacts>> = {
  nginx: {
    programs: ['nginx', 'syslog-ng', 'fallocate'],
    language: 'nginx',
    file: '/var/log/renown/nginx.log',
    async start(options, log, code) {
      const server = await startServer('nginx', code, options.folder)
      return served(server, options.domain, await cut(options, log, '/var/log/renown/nginx.log'))
    },
  },
  apache: {
    programs: ['apache2', 'syslog-ng', 'fallocate'],
    language: 'apache',
    file: '/var/log/renown/apache.log',
    async start(options, log, code) {
      const server = await startServer('apache2', code, options.folder, { name: options.domain })
      return served(server, options.domain, await cut(options, log, '/var/log/renown/apache.log'))
    },
  },
  caddy: {
    programs: ['caddy', 'syslog-ng', 'fallocate'],
    language: 'caddyfile',
    file: '/var/log/renown/caddy.log',
    async start(options, log, code) {
      const server = await startServer('caddy', code, options.folder)
      return served(server, options.domain, await cut(options, log, '/var/log/renown/caddy.log'))
    },
  },
  haproxy: {
    programs: ['haproxy', 'syslog-ng', 'fallocate'],
    language: 'haproxy',
    file: '/var/log/renown/haproxy.log',
    async start(options, log, code) {
      const global = await codeOf('operators/senders/haproxy', 'cfg', {})
      const server = await startServer('haproxy', code, options.folder, { stdout: log, global })
      return served(server, options.domain, await cut(options, log, '/var/log/renown/haproxy.log'))
    },
  },
  rsyslog: {
    programs: ['nginx', 'curl', 'flock'],
    file: '/var/log/renown/nginx.log',
    async start({ folder, domain }, log) {
      const code = await codeOf('operators/senders/nginx', 'nginx', { '/var/log/renown/nginx.log': log })
      const server = await startServer('nginx', code, folder)
      // Debian's logrotate makes the new file, then tells nginx.
      return served(server, domain, async () => {
        renameSync(log, `${log}.${Date.now()}`)
        writeFileSync(log, '')
        server.signal('SIGUSR1')
      })
    },
    async forwarder({ folder, ingestUrl, token }, log) {
      const script = await codeOf('operators/senders/rsyslog', 'sh', {
        '/var/log/renown/nginx.log': log,
        '/var/lib/renown': join(folder, 'state'),
        'https://ingest.example.com': ingestUrl,
        '<forwarder token>': token,
      })
      return () => startCron(script, join(folder, 'cron'))
    },
  },
  // Our own shipper, which knows each part of a log by a name of its own.
  ship: {
    programs: [],
    file: '/var/log/renown/access.log',
    async start(_, log) {
      let rotations = 0
      return appended(log, async () => {
        const rotated = `${log}.${Date.now()}`
        if (++rotations % 2 === 1) return renameSync(log, rotated)
        copyFileSync(log, rotated)
        truncateSync(log, 0)
      })
    },
    async forwarder({ folder, ingestUrl, token }, log) {
      return () => startShipper(log, { url: ingestUrl, token, folder: join(folder, 'ship') })
    },
  },
  'syslog-ng': {
    programs: ['syslog-ng', 'fallocate'],
    hasIds: false,
    file: '/var/log/renown/access.log',
    async start(options, log) {
      return appended(log, await cut(options, log, '/var/log/renown/access.log'))
    },
  },
}

/** Starts the server of a page on a log that is there and empty; the forwarder is started by the caller. */
export async function openRoad(options: RoadOptions): Promise<Road> {
  const { page, folder, domain } = options
  const facts = roadPages[page]
  if (!facts) throw new Error(`nobody follows docs/operators/senders/${page}.md here`)
  const log = join(folder, 'log/renown.log')
  mkdirSync(join(folder, 'log'), { recursive: true })
  mkdirSync(join(folder, 'queue'))
  appendFileSync(log, '')
  const code = facts.language
    ? await codeOf(
        `operators/senders/${page}`,
        facts.language,
        facts.language === 'haproxy' ? {} : { [facts.file]: log },
      )
    : ''
  const writer = await facts.start(options, log, code)
  const startForwarder = await (facts.forwarder ?? syslogNg)(options, log)
  let written = 0
  let running: Running | undefined
  return {
    page,
    domain,
    hasIds: facts.hasIds ?? true,
    written: () => written,
    async write(lines) {
      const from = written
      written += lines
      await writer.write(from, lines)
    },
    rotate: writer.rotate,
    startForwarder() {
      running = startForwarder()
    },
    async stopForwarder(signal) {
      await running?.stop(signal)
    },
    forwarderLog: async () => (running ? Bun.file(running.log).text() : ''),
    async close() {
      await running?.stop()
      await writer.close()
    },
  }
}

async function syslogNg({ page, folder, ingestUrl, token }: RoadOptions, log: string) {
  const configuration = await codeOf(`operators/senders/${page}`, 'syslog-ng', {
    [roadPages[page]?.file ?? '']: log,
    '/var/lib/syslog-ng': join(folder, 'queue'),
    'https://ingest.example.com': ingestUrl,
    '<forwarder token>': token,
    'time-reopen(10)': 'time-reopen(1)',
    'batch-timeout(5000)': 'batch-timeout(200)',
  })
  return () => startSyslogNg(configuration, join(folder, 'syslog-ng'))
}

function startServer(program: string, code: string, folder: string, options?: StarterOptions) {
  const start = webServers[program]
  if (!start) throw new Error(`nobody starts ${program}`)
  return start(code, folder, options)
}

/** Runs what the page has cron run, with less of the log left: what a road writes in two portions. */
async function cut({ page, lines }: RoadOptions, log: string, file: string) {
  const line = await codeOf(`operators/senders/${page}`, 'cron', {
    [file]: log,
    '268435456': String(lines * 150),
  })
  const command = line.replace(/^(\S+ ){6}/, '').replaceAll('\\%', '%')
  return async () => {
    const run = Bun.spawn(['sh', '-c', command], { stdout: 'inherit', stderr: 'inherit' })
    if ((await run.exited) !== 0) throw new Error(`docs/operators/senders/${page}.md: cron failed`)
  }
}

/** Lines that a real server writes, because it is asked for as many pages. */
function served(server: WebServer, domain: string, rotate: () => Promise<void>): Writer {
  const headers = { host: domain, 'user-agent': userAgent }
  return {
    async write(from, lines) {
      let next = from
      const client = async () => {
        for (let line = next++; line < from + lines; line = next++) {
          const answer = await fetch(`http://127.0.0.1:${server.port}${pathOfLine(line)}`, { headers })
          await answer.arrayBuffer()
        }
      }
      await Promise.all(Array.from({ length: 8 }, client))
    },
    rotate,
    close: () => server.stop(),
  }
}

/** Lines of the combined format, appended in portions as a server with a buffer does. */
function appended(log: string, rotate: () => Promise<void>): Writer {
  return {
    async write(from, lines) {
      for (let line = from; line < from + lines; line += 100) {
        const some = Array.from({ length: Math.min(100, from + lines - line) }, (_, n) => combined(line + n))
        appendFileSync(log, some.join(''))
        await turns(1)
      }
    },
    rotate,
    async close() {},
  }
}

const combined = (line: number) =>
  `192.0.2.7 - - [${clfTime(new Date())}] "GET ${pathOfLine(line)} HTTP/1.1" 200 ${line} "-" "${userAgent}"\n`
