import { isAwayError } from './errors'
import { UnavailableError } from './port'

/** After this time without an answer, a read makes its server be probed, in milliseconds. */
const doubtMs = 2_500
/** How long a server has to answer a probe, in milliseconds. */
const probeMs = 2_500
/** The pause between two probes of a server that is away, in milliseconds. */
const againMs = 1_000

/** The times of a presence, for tests. */
export interface PresenceTimes {
  readonly doubtMs: number
  readonly probeMs: number
  readonly againMs: number
}

/** Whether a server answers. */
export interface Presence {
  /**
   * Runs a read, which ends with UnavailableError when the server turns out to be away. Its signal aborts then. While the server is
   * known to be away, a read that does not wait fails at once. A patient read goes on until it has its answer or its own limit.
   */
  watched<T>(isPatient: boolean, read: (away: AbortSignal) => Promise<T>): Promise<T>
  /** Ends the probes. */
  close(): void
}

/** A server of which nothing has to be known, as it is part of this process. */
export const alwaysPresent: Presence = {
  watched: (_, read) => read(new AbortController().signal),
  close: () => {},
}

/**
 * Watches a server with cheap probes. A slow statement says nothing about the server, so only a probe decides. It runs when a read
 * had no answer for a while or failed, and goes on until the server answers. Reads in between would each wait for nothing.
 */
export function createPresence(
  where: string,
  probe: (signal: AbortSignal) => Promise<boolean>,
  times: PresenceTimes = { doubtMs, probeMs, againMs },
): Presence {
  const waiting = new Set<() => void>()
  let isAway = false
  let isClosed = false
  let isLooking = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const doubt = async () => {
    if (isClosed || isLooking) return
    clearTimeout(timer)
    isLooking = true
    isAway = !(await answersInTime(probe, times.probeMs))
    isLooking = false
    if (!isAway || isClosed) return
    for (const leave of waiting) leave()
    timer = setTimeout(doubt, times.againMs)
    timer.unref()
  }
  const away = () => new UnavailableError(`${where} does not answer`)
  return {
    async watched(isPatient, read) {
      if (isAway && !isPatient) throw away()
      const gone = new AbortController()
      const left = Promise.withResolvers<never>()
      const leave = () => {
        left.reject(away())
        gone.abort()
      }
      if (!isPatient) waiting.add(leave)
      // Again and again, because the server may fall silent during a long statement.
      const doubts = setInterval(doubt, times.doubtMs)
      try {
        return await Promise.race([read(gone.signal), left.promise])
      } catch (error) {
        if (isAwayError(error, where)) void doubt()
        throw error
      } finally {
        clearInterval(doubts)
        waiting.delete(leave)
      }
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

/** Whether a server answers a probe in time. */
async function answersInTime(
  probe: (signal: AbortSignal) => Promise<boolean>,
  maxMs: number,
): Promise<boolean> {
  const late = new AbortController()
  const silence = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => {
    silence.resolve(false)
    late.abort()
  }, maxMs)
  try {
    return await Promise.race([probe(late.signal), silence.promise])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
