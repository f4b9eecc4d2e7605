import { isObject } from './json'

/** The part of `fetch` that the kit uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** An answer of the installation, read in full. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body. Undefined if it is not JSON. */
  readonly json: unknown
}

/** How to ask. */
export interface Asking {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. A text is sent as it is. */
  readonly body?: unknown
  /** The credential. Default: the key under test. Null sends none. */
  readonly key?: string | null
  readonly workspace?: string
}

/** Asks one installation, within limits of time and size. */
export interface Connection {
  readonly url: string
  ask(path: string, asking?: Asking): Promise<Answer>
  /** Waits as long as a rate limit asks for. Throws if too little time is left. */
  pause(seconds: number): Promise<void>
  /** Number of requests so far. */
  requests(): number
}

/** The installation did not answer: it is unreachable, silent, or sends more than the kit reads. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

export interface ConnectionDeps {
  readonly url: string
  readonly key: string
  readonly fetch: Fetch
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Longest wait for one answer. */
  readonly timeoutMs: number
  /** Most requests per minute. Null or left out: as many as the installation allows. */
  readonly perMinute?: number | null
  /** The time, in milliseconds, at which the whole run must be over. */
  readonly endsAt: number
}

/** Longest answer that is read. The OpenAPI document has less than 2 MiB. */
const bytesMax = 16 * 1024 * 1024
/** How often a request is repeated that was refused for its rate. */
export const repeatsMax = 4
const waitMaxSeconds = 70

export function createConnection(deps: ConnectionDeps): Connection {
  let requests = 0
  let nextAt = 0
  /** Spreads requests evenly, also those that are sent at the same time. */
  const spread = async () => {
    if (!deps.perMinute) return
    const at = Math.max(deps.now(), nextAt)
    nextAt = at + 60_000 / deps.perMinute
    if (at >= deps.endsAt)
      throw new NoAnswer('--rate leaves too little time for the rest. Run it again with --seconds.')
    if (at > deps.now()) await deps.sleep(at - deps.now())
  }
  const once = async (path: string, asking: Asking): Promise<Answer> => {
    requests += 1
    const left = deps.endsAt - deps.now()
    if (left <= 0) throw new NoAnswer('The time for the whole run is over.')
    const signal = AbortSignal.timeout(Math.min(deps.timeoutMs, left))
    const what = `${asking.method ?? 'GET'} ${path.slice(0, 120)}`
    try {
      const response = await within(
        signal,
        deps.fetch(`${deps.url}${path}`, { ...initOf(deps, asking), signal }),
      )
      const text = await within(signal, readText(response))
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
      const json = isStream ? lastMessage(text) : parsed(text)
      return { status: response.status, headers: response.headers, text, json }
    } catch (error) {
      if (signal.aborted)
        throw new NoAnswer(`${what} had no answer within ${seconds(deps.timeoutMs)} seconds.`)
      throw new NoAnswer(`${what} failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const pause = async (asked: number) => {
    const wait = Math.min(Math.max(asked, 1), waitMaxSeconds) * 1_000
    if (deps.now() + wait >= deps.endsAt)
      throw new NoAnswer('A rate limit leaves too little time for the rest. Run it again with --seconds.')
    await deps.sleep(wait)
  }
  return {
    url: deps.url,
    requests: () => requests,
    pause,
    async ask(path, asking = {}) {
      for (let repeats = 0; ; repeats++) {
        await spread()
        const answer = await once(path, asking)
        if (answer.status !== 429 || repeats === repeatsMax) return answer
        await pause(Number(answer.headers.get('retry-after')) || 1)
      }
    },
  }
}

function initOf({ key }: ConnectionDeps, asking: Asking): RequestInit {
  const credential = asking.key === undefined ? key : asking.key
  const { body } = asking
  return {
    method: asking.method ?? 'GET',
    redirect: 'manual',
    headers: {
      accept: 'application/json, text/event-stream',
      'user-agent': 'renown-conformance/1.0',
      ...(credential === null ? {} : { authorization: `Bearer ${credential}` }),
      ...(asking.workspace === undefined ? {} : { 'x-workspace-id': asking.workspace }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...asking.headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }
}

/** Rejects when the signal aborts, also if the work ignores it. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength
    if (length > bytesMax) throw new Error(`the answer has more than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** Returns the value of a JSON text whose length is limited. Undefined if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the answer at the end of an event stream, after its notes about progress. */
function lastMessage(text: string): unknown {
  const messages = text
    .split('\n')
    .flatMap((line) => (line.startsWith('data:') ? [parsed(line.slice(5))] : []))
  return messages.findLast((message) => isObject(message) && ('result' in message || 'error' in message))
}

const seconds = (ms: number) => Math.round(ms / 1_000)
