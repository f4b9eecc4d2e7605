import { isRefusal } from '../../../contracts/errors'
import type { Log } from '../../../contracts/plugin'
import { CancelledError, longWork, runWork } from '../../../work/scope'
import type { SignedIn } from '../route'
import type { MayListen } from './stream-audience'
import type { StreamSlots } from './stream-slots'

/** Live streams to pages. */
export interface Streams {
  open(visit: SignedIn, listen: (signal: AbortSignal) => AsyncIterable<unknown>): Response
}

export interface StreamDeps {
  readonly mayListen: MayListen
  readonly log: Log
  readonly slots: StreamSlots
  /**
   * How often a stream sends `alive`. It keeps proxies from closing an idle stream, and shows pages that the
   * stream still works.
   */
  readonly pingMs?: number
  /** Maximum duration of a stream in milliseconds. The browser then opens another. */
  readonly longestMs?: number
}

/**
 * Server-sent events. The listener's access is checked before each message and at each ping, so nothing is
 * sent after it changed. If the store fails before a message, the stream ends. A ping only waits for the next
 * one.
 */
export function createStreams({
  mayListen,
  log,
  slots,
  pingMs = 10_000,
  longestMs = 5 * 60_000,
}: StreamDeps): Streams {
  return {
    open(visit, listen) {
      const { request, person, place } = visit
      const ending = new AbortController()
      const { signal } = ending
      const end = () => ending.abort()
      const { agency_id: agency } = person
      const leave = slots.enter({ person: person.id, workspace: place?.id ?? agency, agency }, end)
      const body = new ReadableStream<Uint8Array>({
        start(out) {
          const say = (text: string) => {
            if (!signal.aborted) out.enqueue(encoder.encode(text))
          }
          const pinging = setInterval(async () => {
            if (await mayListen(visit).catch(() => true)) say(signOfLife)
            else end()
          }, pingMs)
          const longest = setTimeout(end, longestMs)
          signal.addEventListener('abort', () => {
            clearInterval(pinging)
            clearTimeout(longest)
            leave()
            try {
              out.close()
            } catch {}
          })
          request.signal.addEventListener('abort', end)
          say('retry: 2000\n\n')
          runWork(longWork(agency, signal), () => pump(listen(signal), signal, say, () => mayListen(visit)))
            .catch((error) => {
              // In these cases the browser connects again.
              const isPassing = isRefusal(error) || error instanceof CancelledError
              log[isPassing ? 'debug' : 'error']('a live stream failed', { error: String(error) })
            })
            .finally(end)
        },
        cancel: end,
      })
      return new Response(body, { headers: streaming })
    },
  }
}

async function pump(
  news: AsyncIterable<unknown>,
  signal: AbortSignal,
  say: (text: string) => void,
  mayListen: () => Promise<boolean>,
) {
  for await (const each of news) {
    if (signal.aborted || !(await mayListen())) return
    say(`data: ${JSON.stringify(each)}\n\n`)
  }
}

/** Sent regularly, so that pages notice a dead connection. */
const signOfLife = 'event: alive\ndata: 1\n\n'

const encoder = new TextEncoder()
const streaming = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'cross-origin-resource-policy': 'same-origin',
}
