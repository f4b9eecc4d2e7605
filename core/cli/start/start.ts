import type { Log } from '../../contracts/plugin'
import { systemClock } from '../../process/clock'
import { type Config, lacksSecretsKey } from '../../process/config'
import { holderOf, lockDataFolder, stoppingText } from '../../process/data-folder'
import { createLog } from '../../process/log'
import { makeKeyFiles } from '../../process/setting-files'
import { deadlineMs, partsMs } from '../../process/shutdown'
import { StartError } from '../../process/start-error'
import { advice } from '../../product/checks/advice'
import type { PartName } from '../../supervise/messages'
import { onStopSignals } from '../../supervise/stop-signals'
import { type PartSpec, supervise } from '../../supervise/supervisor'
import { configOf } from '../config-of'
import { lineWriter } from '../print/line-writer'
import { report } from '../print/report'
import { exitCodes, type Terminal } from '../print/terminal'
import { watchForOrphaning } from './orphan'
import { parseStart } from './start-options'

/** The parts of the product that a main file passes to `bun start`. */
export interface StartComposition {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The command that starts a part. */
  command(part: PartName): readonly string[]
}

/**
 * Runs `bun start`: the gateway and the ingest as separate processes, until it is stopped. Returns the exit code.
 * This process only watches them: it holds the data folder and does nothing that could block it.
 */
export async function runStart(
  words: readonly string[],
  composition: StartComposition,
  terminal: Terminal,
): Promise<number> {
  const isJson = words.includes('--json')
  let wantsDemo = false
  try {
    wantsDemo = parseStart(words, terminal).demo
  } catch (error) {
    return report(error, terminal, isJson)
  }
  process.umask(0o077)
  const stopping = whenToldToStop(composition.env.npm_config_user_agent)
  try {
    const made = makeKeyFiles(composition.env)
    const config = configOf(composition.env)
    const log = createLog(config.LOG_LEVEL, lineWriter(terminal), systemClock.now)
    for (const file of made) log.info('a key was made. Keep it with every backup', { file })
    if (wantsDemo && config.RENOWN_ROLE === 'worker')
      throw new StartError('A worker loads no demo. Run `bun start --demo` for a gateway.')
    if (lacksSecretsKey(config)) log.warn(`SECRETS_KEY is not set. ${advice.secretsKey}`)
    const folder = await takeFolder(config.RENOWN_DATA_DIR, log, stopping.signal)
    try {
      return await run(words, composition, config, { log, folder, stopping })
    } finally {
      folder.release()
    }
  } catch (error) {
    return stopping.signal.aborted ? exitCodes.ok : report(error, terminal, isJson)
  }
}

interface Running {
  readonly log: Log
  readonly folder: ReturnType<typeof lockDataFolder>
  readonly stopping: ReturnType<typeof whenToldToStop>
}

async function run(
  words: readonly string[],
  { env, command }: StartComposition,
  config: Config,
  { log, folder, stopping }: Running,
): Promise<number> {
  const spec = (name: PartName, portSetting: string): PartSpec => ({
    name,
    env,
    portSetting,
    command: [...command(name), ...words],
  })
  const parts = supervise({
    parts: [
      spec('gateway', 'PORT'),
      ...(config.RENOWN_INGEST === 'on' ? [spec('ingest', 'INGEST_PORT')] : []),
    ],
    log,
    now: systemClock.now,
    onStarted: folder.setParts,
  })
  const told = Promise.race([stopping.told, parts.signalled])
  try {
    await Promise.race([parts.ready, told])
    log.info('stopping', { because: await told })
  } catch (error) {
    await parts.stop('another process of the product cannot start', partsMs)
    throw error
  }
  folder.setStopping()
  const isClean = await parts.stop(await told, partsMs)
  log.info('stopped')
  return isClean ? exitCodes.ok : exitCodes.failed
}

/** What holders do that release the folder soon. */
const passing: ReadonlySet<string | undefined> = new Set(['running a command', stoppingText])

/** Locks the data folder. Waits if a command uses it, or if the product of an earlier start is stopping. */
async function takeFolder(directory: string, log: Log, signal: AbortSignal) {
  for (let said = false; ; said = true) {
    try {
      return lockDataFolder(directory, 'serving', systemClock.now())
    } catch (error) {
      const holder = holderOf(directory)
      const isHeld = error instanceof StartError && error.held
      if (!isHeld || !passing.has(holder?.doing) || signal.aborted) throw error
      if (!said)
        log.warn('waiting for a process that uses the data folder', {
          pid: holder?.pid,
          doing: holder?.doing,
        })
      await Bun.sleep(200)
    }
  }
}

/**
 * Resolves on TERM, on INT (which comes twice under npx) or when an outer npx ends. The first one counts. The
 * process is killed if stopping takes longer than `deadlineMs`.
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
  onStopSignals(stop)
  watchForOrphaning(userAgent, () => stop('npx has ended'))
  return { signal: controller.signal, told }
}
