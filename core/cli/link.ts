import { statSync } from 'node:fs'
import type { Fault } from '../contracts/errors'
import type { Log, PluginDeclaration } from '../contracts/plugin'
import type { Config } from '../process/config'
import { holderOf, requireDataFolder, socketPath } from '../process/data-folder'
import { StartError } from '../process/start-error'
import type { AdminFetch } from '../product/admin'
import { type AnswerPart, partsType } from '../product/answer-parts'
import type { Composition } from './composition'

/** A connection to the admin interface: of the running process, or of one in this command. */
export interface Link {
  readonly running: boolean
  get<T>(path: string): Promise<T>
  post<T>(path: string, body?: unknown): Promise<T>
  close(): Promise<void>
}

/** Thrown if the product refused a command. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly code: string
  readonly errors: readonly Fault[]
  /** Whether a store of the product is away. */
  readonly isStoreAway: boolean
  constructor(message: string, code: string, errors: readonly Fault[] = [], isStoreAway = false) {
    super(message)
    this.code = code
    this.errors = errors
    this.isStoreAway = isStoreAway
  }
}

export interface LinkDeps {
  readonly composition: Composition
  readonly config: Config
  readonly plugins: readonly PluginDeclaration[]
  readonly log: Log
}

const waitMs = 15_000
/** How long an answer may take. */
const answerMs = 600_000

/** Hears the parts of an answer before its end. */
export type Hear = (told: AnswerPart) => void

/** How a command connects to the product. */
export interface LinkOptions {
  /** Creates the data folder if it does not exist. Only for commands that fill a new installation. */
  readonly createsFolder?: boolean
  /** Opens data even if some of its plugins are not loaded. Only for commands about plugins. */
  readonly allowsMissingPlugins?: boolean
}

/**
 * Connects to the running product over its socket. If none runs, opens the stores in this process. Throws a
 * StartError if the data folder has no installation, so that a mistyped folder never looks empty.
 */
export async function openLink(
  deps: LinkDeps,
  options: LinkOptions = {},
  hear: Hear = () => {},
): Promise<Link> {
  const { createsFolder = false, allowsMissingPlugins = false } = options
  const { config } = deps
  const end = performance.now() + waitMs
  for (;;) {
    const remote = await connect(config.RENOWN_DATA_DIR, hear)
    if (remote) return remote
    if (!createsFolder) requireDataFolder(config.RENOWN_DATA_DIR)
    try {
      return await openHere(deps, allowsMissingPlugins)
    } catch (error) {
      if (!(error instanceof StartError && error.held)) throw error
      // The product is starting or stopping: it has locked the folder but has no socket.
      if (performance.now() > end) throw unreachable(config.RENOWN_DATA_DIR)
      await Bun.sleep(200)
    }
  }
}

/**
 * Connects to the running product's socket, or returns null if nobody listens. Throws a StartError if a process listens and
 * does not answer.
 */
export async function connect(dataFolder: string, hear: Hear = () => {}): Promise<Link | null> {
  const unix = socketPath(dataFolder)
  if (!isOurs(unix)) return null
  const send = (request: Request, timeoutMs: number) =>
    fetch(request, { unix, signal: AbortSignal.timeout(timeoutMs) })
  try {
    // Needs no store. Older products do not know the address, and answer all the same.
    await send(new Request('http://renown/alive'), waitMs)
  } catch (error) {
    if ((error as { name?: string }).name === 'TimeoutError') throw unreachable(dataFolder)
    return null
  }
  const sendInParts = async (request: Request) => {
    request.headers.set('accept', partsType)
    return wholeOf(await send(request, answerMs), hear)
  }
  return link(true, sendInParts, async () => {})
}

/** Returns the answer at the end of an answer in parts. */
async function wholeOf(response: Response, hear: Hear): Promise<Response> {
  if (response.headers.get('content-type') !== partsType || !response.body) return response
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of response.body) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const told = JSON.parse(line) as AnswerPart
      if ('status' in told) return Response.json(told.body, { status: told.status })
      hear(told)
    }
  }
  throw new CommandError('The product stopped before it had answered.', 'internal')
}

/** Whether the socket belongs to this user, because secrets are sent over it. */
function isOurs(path: string): boolean {
  try {
    return statSync(path).uid === process.getuid?.()
  } catch {
    return false
  }
}

async function openHere(
  { composition, config, plugins, log }: LinkDeps,
  allowsMissingPlugins: boolean,
): Promise<Link> {
  const { serve } = await import('../product/serve')
  const { systemClock } = await import('../process/clock')
  const { loadIngest, loadLogReader } = composition
  const product = await serve(plugins, config, {
    clock: systemClock,
    log,
    loadIngest,
    listen: false,
    allowsMissingPlugins,
    ...(loadLogReader ? { loadLogReader } : {}),
  })
  return link(false, product.admin, product.stop)
}

/** Returns a link that sends requests with `send`. */
export function link(running: boolean, send: AdminFetch, close: () => Promise<void>): Link {
  const url = (path: string) => `http://renown${path}`
  return {
    running,
    get: async (path) => read(await send(new Request(url(path)))),
    post: async (path, body) =>
      read(
        await send(
          new Request(url(path), {
            method: 'POST',
            body: body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body ?? {}),
          }),
        ),
      ),
    close,
  }
}

async function read<T>(response: Response): Promise<T> {
  const body = (await response.json()) as {
    code?: string
    detail?: string
    errors?: Fault[]
    hint?: string
    is_store?: boolean
  }
  if (response.ok) return body as T
  const detail = body.detail ?? `The product answered ${response.status}.`
  throw new CommandError(
    body.hint ? `${detail} ${body.hint}` : detail,
    body.code ?? 'internal',
    body.errors,
    body.is_store,
  )
}

function unreachable(folder: string): StartError {
  const holder = holderOf(folder)
  const who = holder
    ? `process ${holder.pid} (${holder.doing}, since ${holder.started_at})`
    : 'another process'
  return new StartError(
    `${who} uses the data folder and does not answer on ${socketPath(folder)}. Wait until it answers, or stop it.`,
  )
}
