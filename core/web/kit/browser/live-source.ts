import type { EventStream } from '../jsx/browser'

export type LiveState = 'connecting' | 'live' | 'lost'

/** What a live stream calls on its page. */
export interface LiveListener {
  state(now: LiveState): void
  message(data: string): void
  /** The stream is open again after an interruption. Events in between were not sent. */
  resumed(): void
}

/** The parts of a browser that a live stream uses. */
export interface LiveBrowser {
  readonly EventSource: new (url: string) => EventStream
  setTimeout(work: () => void, ms: number): number
  clearTimeout(timer: number): void
}

/**
 * How long a stream may be closed before the page shows it. The server ends each stream after some minutes,
 * and the browser opens the next.
 */
const graceMs = 5_000
/** How long a stream may send nothing. The server sends `alive` every 10 s. */
export const silenceMs = 35_000
const retryFromMs = 2_000
const retryToMs = 30_000
const closed = 2

/**
 * Keeps a stream open and reports its state. A browser does not notice a connection that broke silently, and
 * stops after an answer such as 503. In both cases this connects again. Returns a function that ends the
 * stream.
 */
export function openLive(url: string, listener: LiveListener, browser: LiveBrowser): () => void {
  let source: EventStream
  let wasOpen = false
  let retryMs = retryFromMs
  const timers: Partial<Record<'grace' | 'silence' | 'retry', number>> = {}
  const stop = (name: keyof typeof timers) => {
    const timer = timers[name]
    if (timer !== undefined) browser.clearTimeout(timer)
    delete timers[name]
  }
  const after = (name: keyof typeof timers, ms: number, work: () => void) => {
    stop(name)
    timers[name] = browser.setTimeout(() => {
      delete timers[name]
      work()
    }, ms)
  }
  const isLost = { now: false }
  const lose = () => {
    stop('grace')
    if (!isLost.now) listener.state('lost')
    isLost.now = true
  }
  const again = () => {
    source.close()
    after('retry', retryMs, connect)
    retryMs = Math.min(retryToMs, retryMs * 2)
  }
  const heard = () =>
    after('silence', silenceMs, () => {
      lose()
      again()
    })
  function connect() {
    source = new browser.EventSource(url)
    source.onopen = () => {
      stop('grace')
      stop('retry')
      retryMs = retryFromMs
      isLost.now = false
      listener.state('live')
      if (wasOpen) listener.resumed()
      wasOpen = true
      heard()
    }
    source.onmessage = ({ data }) => {
      heard()
      listener.message(data)
    }
    source.addEventListener('alive', heard)
    source.onerror = () => {
      stop('silence')
      if (!isLost.now && timers.grace === undefined) after('grace', graceMs, lose)
      if (source.readyState === closed) again()
    }
  }
  connect()
  return () => {
    for (const name of ['grace', 'silence', 'retry'] as const) stop(name)
    source.close()
  }
}
