import type { Log } from '../contracts/plugin'
import type { Work } from '../work/scope'
import { isObject, rpcRequestIn } from './sdk-request'

/** When a call counts as long, and how often its caller then hears that it still runs. */
export interface Patience {
  /** Calls that take longer are answered with a stream. */
  readonly afterMs: number
  /** Must be shorter than the time after which proxies close a silent connection. */
  readonly everyMs: number
}

export const patience: Patience = { afterMs: 3_000, everyMs: 5_000 }

/** A tool call that is running. */
export interface RunningCall {
  readonly request: Request
  readonly body: unknown
  readonly work: Work
  readonly log: Log
}

/**
 * Answers a call. One that takes long gets a stream of events with the same answer at its end. While the call runs, the stream
 * has progress notifications if the client asked for them, and comments if not, so that no proxy closes the connection. Clients
 * that do not accept streams get plain JSON, and a client that disconnects cancels the call.
 */
export async function answerWhileRunning(
  call: RunningCall,
  { afterMs, everyMs }: Patience,
  run: () => Promise<Response>,
): Promise<Response> {
  const rpc = rpcRequestIn(call.body)
  const began = performance.now()
  const answer = run()
  if (!rpc || !acceptsStream(call.request)) return answer
  const { promise: isLong, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), afterMs)
  const first = await Promise.race([answer, isLong]).finally(() => clearTimeout(timer))
  if (first) return first
  const token = tokenOf(rpc.params)
  let last = 0
  const sign = () => {
    if (token === undefined) return ': still running\n\n'
    last = Math.max(last + 1, Math.round((performance.now() - began) / 1_000))
    const message = `${call.work.step ?? 'Running'} (${last} s)`
    const params = { progressToken: token, progress: last, message }
    return event(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }))
  }
  return streamOf({ ...call, id: rpc.id, answer, sign, everyMs })
}

interface Streamed extends RunningCall {
  readonly id: string | number
  readonly answer: Promise<Response>
  /** Returns the next sign that the call still runs. */
  readonly sign: () => string
  readonly everyMs: number
}

function streamOf({ answer, sign, everyMs, work, log, id }: Streamed): Response {
  let signs: ReturnType<typeof setInterval>
  const body = new ReadableStream<Uint8Array>({
    async start(out) {
      out.enqueue(encoder.encode(sign()))
      signs = setInterval(() => out.enqueue(encoder.encode(sign())), everyMs)
      // A client that never reads keeps the stream open, but must not collect signs of a call that ended.
      const stop = () => clearInterval(signs)
      answer.then(stop, stop)
    },
    async pull(out) {
      const text = await answer.then(messageOf).catch((error) => {
        log.error('a call failed after its answer had begun', { error: String(error) })
        return null
      })
      const failed = { jsonrpc: '2.0', id, error: { code: -32603, message: 'Internal error' } }
      out.enqueue(encoder.encode(event(text ?? JSON.stringify(failed))))
      out.close()
    },
    cancel() {
      clearInterval(signs)
      work.cancel()
    },
  })
  return new Response(body, { headers: streaming })
}

/** Returns an answer as one message of JSON-RPC in one line, as the SDKs print it, or null if it is none. */
async function messageOf(response: Response): Promise<string | null> {
  const text = await response.text()
  return text.startsWith('{') && text.includes('"jsonrpc":"2.0"') && !text.includes('\n') ? text : null
}

/** Returns the token of a client that wants progress. */
function tokenOf({ _meta: meta }: Readonly<Record<string, unknown>>): string | number | undefined {
  const token = isObject(meta) ? meta.progressToken : undefined
  if (typeof token === 'string') return token.length < 100 ? token : undefined
  return Number.isSafeInteger(token) ? (token as number) : undefined
}

function acceptsStream(request: Request): boolean {
  const accepted = (request.headers.get('accept') ?? '').toLowerCase()
  return accepted.split(',').some((one) => one.trim().startsWith('text/event-stream'))
}

const event = (data: string) => `event: message\ndata: ${data}\n\n`
const encoder = new TextEncoder()
const streaming = {
  'content-type': 'text/event-stream',
  // Prevents proxies from compressing or collecting the stream, because that would delay it.
  'cache-control': 'private, no-store, no-transform',
  'x-accel-buffering': 'no',
}
