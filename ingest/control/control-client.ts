import { Refusal } from 'renown/contracts'

export interface ControlClientOptions {
  /** Path of the socket of the ingest's process. */
  readonly socket: string
  /** Aborts waiting requests. */
  readonly stopping: AbortSignal
  /** How long a request waits while the ingest restarts. */
  readonly patienceMs?: number
}

/**
 * Sends a request to the ingest process. Throws the Refusal that it returns, or `unavailable` if it is away
 * too long.
 */
export type AskIngest = <T>(route: string, options?: AskOptions) => Promise<T>

export interface AskOptions {
  readonly body?: Uint8Array<ArrayBuffer> | string
  /** How long to wait while the ingest is away. */
  readonly patienceMs?: number
}

const retryMs = 25
/** Long enough for a part of an import, which takes longest. */
const answerMs = 600_000

/** A client of the ingest process. Requests are repeated while the ingest restarts, because all are idempotent. */
export function createControlClient({
  socket,
  stopping,
  patienceMs = 5_000,
}: ControlClientOptions): AskIngest {
  return async (route, { body, patienceMs: patience = patienceMs } = {}) => {
    const [method = '', path = '/'] = route.split(' ')
    const until = performance.now() + patience
    for (;;) {
      const signal = AbortSignal.timeout(answerMs)
      const init = { unix: socket, method, signal, ...(body === undefined ? {} : { body }) }
      const response = await fetch(`http://ingest${path}`, init).catch(away)
      if (response) return read(response)
      if (stopping.aborted || performance.now() > until) throw unavailable()
      await Bun.sleep(retryMs)
    }
  }
}

/** Returns null if the ingest has no socket yet, or was killed while it answered. */
function away(error: unknown): null {
  const { code, name } = error as { code?: string; name?: string }
  if (name === 'TimeoutError') throw error
  if (/^(ENOENT|ECONN\w+|EPIPE|FailedToOpenSocket|ConnectionRefused|ConnectionClosed)$/.test(String(code)))
    return null
  throw error
}

const unavailable = () =>
  new Refusal('unavailable', 'The ingest is restarting. Try again in a moment.', {
    retryAfterSeconds: 1,
  })

async function read<T>(response: Response): Promise<T> {
  const body = (await response.json()) as {
    readonly refusal?: Pick<Refusal, 'code' | 'message' | 'details'>
    readonly message?: string
  }
  if (response.ok) return body as T
  const { refusal, message } = body
  if (refusal) throw new Refusal(refusal.code, refusal.message, refusal.details)
  throw new Error(message ?? `The ingest answered with status ${response.status}.`)
}
