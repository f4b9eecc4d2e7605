import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { token } from '../ingest/support/ingest'
import { readJournal } from '../ingest/support/journal'
import { type OpenIngest, withOpenIngest } from '../ingest/support/open-ingest'
import { clfTime } from './clf-time'
import { codeOf } from './set-up-pages'

/** The script of the rsyslog page, with a log and a state folder of its own. */
export interface ForwardScript {
  readonly folder: string
  readonly log: string
  /** Runs the script once in a process group of its own, and resolves with its exit code. */
  run(options?: { env?: Record<string, string>; args?: string[] }): Promise<number>
  /** Appends a line without an id, to the log unless another file is named. */
  line(path: string, file?: string): void
}

interface Tested extends OpenIngest, ForwardScript {
  /** Sets up the script once more beside the others, for the same ingest. */
  another(name: string): Promise<ForwardScript>
  /** The counted paths in alphabetical order. */
  paths(): Promise<string[]>
}

/** Returns a line of the combined format. */
const lineFor = (path: string) =>
  `127.0.0.1 - - [${clfTime(new Date())}] "GET ${path} HTTP/1.1" 200 5 "-" "GPTBot/1.3"\n`

async function setUp(folder: string, url: string): Promise<ForwardScript> {
  const log = join(folder, 'log/access.log')
  mkdirSync(join(folder, 'log'), { recursive: true })
  const script = await codeOf('operators/senders/rsyslog', 'sh', {
    '/var/log/renown/nginx.log': log,
    '/var/lib/renown': join(folder, 'state'),
    'https://ingest.example.com': url,
    '<forwarder token>': token,
  })
  const program = join(folder, 'renown-forward')
  writeFileSync(program, script, { mode: 0o700 })
  return {
    folder,
    log,
    run: ({ env, args = [] } = {}) =>
      Bun.spawn([program, ...args], {
        stdio: ['ignore', 'ignore', 'ignore'],
        detached: true,
        env: { ...process.env, ...env },
      }).exited,
    line: (path, file = log) => appendFileSync(file, lineFor(path)),
  }
}

/** Runs the test with an ingest and the script of the rsyslog page, which posts to it. */
export const withScript = (work: (tested: Tested) => Promise<void>) =>
  withOpenIngest(async (open) => {
    await work({
      ...open,
      ...(await setUp(open.folder, open.url)),
      another: (name) => setUp(join(open.folder, name), open.url),
      async paths() {
        await open.ingest.flush()
        return (await readJournal(open.directory)).hits.map(({ path }) => path).sort()
      },
    })
  })
