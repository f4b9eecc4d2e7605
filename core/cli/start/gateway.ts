import { messageOf } from '../../contracts/errors'
import { systemClock } from '../../process/clock'
import { lockPart } from '../../process/data-folder'
import { createLog } from '../../process/log'
import { openTracing } from '../../process/tracing'
import type { Product } from '../../product/serve'
import type { SupervisorLink } from '../../supervise/part'
import { traceWith } from '../../work/traces'
import { type Composition, compose } from '../composition'
import { demoProgress } from '../print/demo-progress'
import { lineWriter } from '../print/line-writer'
import { exitCodes, type Terminal } from '../print/terminal'
import { factsOf, nextSteps } from './next-steps'
import { parseStart } from './start-options'

/** Runs the gateway process of `bun start` until the supervisor stops it. Returns the exit code. */
export async function runGateway(
  words: readonly string[],
  composition: Composition,
  terminal: Terminal,
  supervisor: SupervisorLink,
): Promise<number> {
  process.umask(0o077)
  try {
    const options = parseStart(words, terminal)
    const { config, plugins } = await compose(composition)
    const log = createLog(config.LOG_LEVEL, lineWriter(terminal), systemClock.now)
    process.on('unhandledRejection', (reason) => log.error('unhandled rejection', { error: String(reason) }))
    const release = await lockPart(config.RENOWN_DATA_DIR, 'gateway')
    const part = config.RENOWN_ROLE === 'worker' ? 'worker' : 'gateway'
    const tracing = await openTracing({ env: composition.env, part, log })
    traceWith(tracing?.tracer ?? null)
    const { serve } = await import('../../product/serve')
    const product = await serve(plugins, config, {
      clock: systemClock,
      log,
      loadIngest: composition.loadIngest,
      ...(composition.loadLogReader ? { loadLogReader: composition.loadLogReader } : {}),
      loadCommandLine: async () => {
        const { createRunLine } = await import('../program')
        return createRunLine({ composition, config, plugins, log })
      },
      siteDomain: options.domain,
      demo: options.demo,
      onDemoProgress: demoProgress(terminal),
      signal: supervisor.stopping,
      supervisor,
    })
    const byNpx = composition.env.npm_config_user_agent?.startsWith('npm/') ?? false
    await announce(product, terminal, options.json, byNpx)
    log.info('ready', { api_url: product.config.apiUrl, ingest_url: product.config.ingestUrl })
    supervisor.ready()
    await supervisor.stopped
    await product.stop()
    await tracing?.stop().catch((error) => log.warn('traces could not be sent', { error: messageOf(error) }))
    release()
    return exitCodes.ok
  } catch (error) {
    return supervisor.stopping.aborted ? exitCodes.ok : supervisor.failed(error)
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
