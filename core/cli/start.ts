import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { systemClock } from '../clock'
import { createLog } from '../log'
import type { Product } from '../serve'
import { type Composition, compose } from './composition'
import { factsOf, nextSteps } from './next-steps'
import { watchForOrphaning } from './orphan'
import { report } from './program'
import { exitCodes, harmless, painter, type Terminal } from './terminal'

interface Options {
  readonly json: boolean
  readonly domain: string
  readonly demo: boolean
}

const deadlineMs = 5_000

const help = `
The first run creates an agency, its home workspace, an owner, a location and a site, and
prints the agent key and the forwarder token once: to a terminal, or with --json.
Settings come from the environment and from .env; docs/CONFIG.md lists them.

Examples:
  $ bun start
  $ bun start --demo
  $ bun start --json > first-run.json
  $ PORT=8080 INGEST_PORT=8081 RENOWN_DATA_DIR=/var/lib/renown bun start`

/** `bun start`: runs the product until it is told to stop, and answers the exit code. */
export async function runStart(
  words: readonly string[],
  composition: Composition,
  terminal: Terminal,
): Promise<number> {
  const options = parse(words, terminal)
  if (typeof options === 'number') return options
  process.umask(0o077)
  const stopping = whenToldToStop(composition.env.npm_config_user_agent)
  try {
    const { config, plugins } = await compose(composition)
    const log = createLog(config.LOG_LEVEL, lineWriter(terminal), systemClock.now)
    process.on('unhandledRejection', (reason) => log.error('unhandled rejection', { error: String(reason) }))
    const { loadIngest } = composition
    const { serve } = await import('../serve')
    const product = await serve(plugins, config, {
      clock: systemClock,
      log,
      loadIngest,
      siteDomain: options.domain,
      demo: options.demo,
      signal: stopping.signal,
    })
    const byNpx = composition.env.npm_config_user_agent?.startsWith('npm/') ?? false
    await announce(product, terminal, options.json, byNpx)
    log.info('ready', { api_url: product.config.apiUrl, ingest_url: product.config.ingestUrl })
    log.info('stopping', { because: await stopping.told })
    await product.stop()
    log.info('stopped')
    return exitCodes.ok
  } catch (error) {
    return stopping.signal.aborted ? exitCodes.ok : report(error, terminal, options.json)
  }
}

function parse(words: readonly string[], terminal: Terminal): Options | number {
  const command = new Command('bun start')
    .description('Run Renown: the gateway, the ingest and their stores in one process.')
    .option('--json', 'print what was made and where it is as one JSON line', false)
    .option('--domain <domain>', "domain of the first run's site", 'localhost')
    .option('--demo', 'make a demo of made-up data to look at, where there is none', false)
    .addHelpText('after', help)
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
  try {
    return command.parse([...words], { from: 'user' }).opts<Options>()
  } catch (error) {
    return report(error, terminal, words.includes('--json'))
  }
}

/**
 * TERM, INT (which comes twice under npx) or the death of an outer npx. The first one counts; the process ends by force
 * when stopping takes more than 5 s.
 */
function whenToldToStop(userAgent: string | undefined) {
  const controller = new AbortController()
  const { promise: told, resolve } = Promise.withResolvers<string>()
  const stop = (why: string) => {
    if (controller.signal.aborted) return
    controller.abort()
    resolve(why)
    setTimeout(() => process.exit(exitCodes.failed), deadlineMs).unref()
  }
  const signals = ['SIGTERM', 'SIGINT', ...(isHangupIgnored() ? [] : ['SIGHUP'])]
  for (const signal of signals) process.on(signal, () => stop(signal))
  watchForOrphaning(userAgent, () => stop('npx is gone'))
  return { signal: controller.signal, told }
}

/** Under `nohup` the terminal's end must not stop us, and a handler of ours would undo that. */
function isHangupIgnored(): boolean {
  try {
    const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    return ignored === undefined || (Number.parseInt(ignored.slice(-2), 16) & 1) === 1
  } catch {
    return true
  }
}

async function announce(product: Product, terminal: Terminal, json: boolean, byNpx: boolean): Promise<void> {
  const { first, demo, config, admin } = product
  if (!first) return
  const status = (await (await admin(new Request('http://renown/status'))).json()) as Record<string, string>
  const facts = {
    first,
    ...(demo ? { demo } : {}),
    apiUrl: config.apiUrl,
    ingestUrl: config.ingestUrl,
    dataDir: status.data_dir ?? '',
    documents: status.documents ?? '',
    columns: status.columns ?? '',
  }
  const { outIsTerminal } = terminal
  const now = systemClock.now()
  if (json) terminal.out(`${JSON.stringify(factsOf(facts))}\n`)
  else terminal.out(nextSteps(facts, { colours: outIsTerminal, secrets: outIsTerminal, now, byNpx }))
}

/** JSON lines for machines; on a terminal the same, easier on the eye. */
function lineWriter(terminal: Terminal): (line: string) => void {
  if (!terminal.errIsTerminal) return (line) => terminal.err(`${line}\n`)
  const paint = painter(true)
  const colours = { warn: 'yellow', error: 'red' } as const
  return (line) => {
    const { time, level, message, ...fields } = JSON.parse(line) as Record<string, string>
    const tail = Object.entries(fields).map(
      ([key, value]) => `${key}=${harmless(typeof value === 'string' ? value : JSON.stringify(value))}`,
    )
    const text = level === 'warn' || level === 'error' ? paint(colours[level], message ?? '') : message
    terminal.err(`${paint('dim', time?.slice(11, 19) ?? '')} ${text} ${paint('dim', tail.join(' '))}\n`)
  }
}
