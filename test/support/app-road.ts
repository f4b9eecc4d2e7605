import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gptBot, site, token, withIngest } from '../ingest/support/ingest'
import { readJournal } from '../ingest/support/journal'
import { waitFor } from './wait-for'

/** What the ingest does with a batch: it counts it, refuses it, never answers, or counts it and a proxy loses the answer. */
export type Fault = 'none' | 'outage' | 'hang' | 'lost answer'

/** A running app with an integration, in front of an ingest that fails as told. */
export interface AppRoad {
  readonly folder: string
  readonly ingestUrl: string
  /** What the ingest does from now on. */
  fault: Fault
  /** Requests that reached the ingest, whatever it did with them. */
  tries: number
  /** The hits that reached the ingest, repeated ones too. */
  readonly reported: readonly Record<string, unknown>[]
  /** Starts an app that prints `listening <port>`. */
  start(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<App>
  /** Waits until the ingest has counted so many hits, and returns all of them. */
  counted(hits: number): Promise<Awaited<ReturnType<typeof readJournal>>['hits']>
}

export interface App {
  readonly origin: string
  /** Asks for a page as an AI agent and returns its text. Throws if the answer is no page or takes too long. */
  visit(path: string, headers?: Readonly<Record<string, string>>): Promise<string>
  /** Waits until it answers, for apps that print their port before they listen. */
  ready(): Promise<void>
  /** Sends a signal and returns in how many milliseconds the app ended. */
  end(signal: NodeJS.Signals): Promise<number>
  /** What it wrote on its streams. */
  said(): string
}

/** No page takes as long as the shortest time limit of an integration, however busy the machine is. */
const pageMaxMs = 1_500

/** Follows an integration from the app to the journal of the ingest. */
export function withAppRoad(work: (road: AppRoad) => Promise<void>): Promise<void> {
  return withIngest(
    async ({ ingest, directory }) => {
      const apps: App[] = []
      const reported: Record<string, unknown>[] = []
      const release = Promise.withResolvers<void>()
      const state = { fault: 'none' as Fault, tries: 0 }
      const server = Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        idleTimeout: 0,
        async fetch(request) {
          state.tries++
          const { fault } = state
          const body = await request.text()
          for (const line of body.trim().split('\n')) reported.push(JSON.parse(line))
          if (fault === 'outage') return new Response(null, { status: 503, headers: { 'retry-after': '1' } })
          if (fault === 'hang') await release.promise
          const answer = await ingest.fetch(
            new Request(request.url, { method: 'POST', headers: request.headers, body }),
            () => '127.0.0.1',
          )
          return fault === 'lost answer' ? new Response(null, { status: 502 }) : answer
        },
      })
      const ingestUrl = `http://127.0.0.1:${server.port}`
      try {
        await work(
          Object.assign(state, {
            folder: directory,
            ingestUrl,
            reported,
            async start(command: readonly string[], env: Readonly<Record<string, string>> = {}) {
              const app = await startApp(command, directory, {
                RENOWN_FORWARDER_TOKEN: token,
                RENOWN_INGEST_URL: ingestUrl,
                ...env,
              })
              apps.push(app)
              return app
            },
            async counted(hits: number) {
              const read = async () => {
                await ingest.flush()
                return (await readJournal(directory)).hits
              }
              await waitFor(async () => (await read()).length >= hits, {
                what: `${hits} hits`,
                timeoutMs: 20_000,
              }).catch(async (error) => {
                throw new Error(
                  `${error.message}, but ${(await read()).length}: ${apps.map((app) => app.said())}`,
                )
              })
              return read()
            },
          }),
        )
      } finally {
        release.resolve()
        for (const app of apps) await app.end('SIGKILL')
        await server.stop(true)
      }
    },
    { now: () => new Date() },
  )
}

async function startApp(command: readonly string[], cwd: string, env: Record<string, string>): Promise<App> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let said = ''
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const part of stream) said += decoder.decode(part, { stream: true })
  }
  for (const stream of [child.stdout, child.stderr]) collect(stream).catch(() => {})
  const port = await waitFor(
    () => {
      if (child.exitCode !== null) throw new Error(`the app ended with ${child.exitCode}: ${said}`)
      return /listening (\d+)/.exec(said)?.[1]
    },
    { what: 'the app', timeoutMs: 60_000 },
  )
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    said: () => said,
    async visit(path, headers = {}) {
      const answer = await fetch(`${origin}${path}`, {
        headers: { 'user-agent': gptBot, host: site.domain, ...headers },
        signal: AbortSignal.timeout(pageMaxMs),
        redirect: 'manual',
      })
      const text = await answer.text()
      if (answer.status >= 500) throw new Error(`${path} was answered with ${answer.status}: ${text} ${said}`)
      return text
    },
    async ready() {
      const asks = () =>
        fetch(origin).then(
          ({ status }) => status < 500,
          () => false,
        )
      await waitFor(asks, { what: `an answer of the app: ${said}`, timeoutMs: 60_000 })
    },
    async end(signal) {
      const began = performance.now()
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await child.exited
      return performance.now() - began
    },
  }
}

/** Writes an integration into a folder, with shorter waits: each text must be in the file. */
export function copyIntegration(path: string, to: string, replaced: Readonly<Record<string, string>>): void {
  let text = readFileSync(join(import.meta.dir, '../../integrations', path), 'utf8')
  for (const [from, into] of Object.entries(replaced)) {
    if (!text.includes(from)) throw new Error(`integrations/${path} has no ${from}`)
    text = text.replaceAll(from, into)
  }
  mkdirSync(join(to, '..'), { recursive: true })
  writeFileSync(to, text)
}
