import type { RateLimit } from '../../contracts/connection'
import type { AskService } from '../../contracts/outbound'
import { isServiceFault } from '../../contracts/service-fault'
import type { Clock } from '../../process/clock'
import type { Documents } from '../../stores/documents/port'
import { createBuckets } from './bucket'
import { type Limits, limitsOf, type PacedRequest } from './limits'
import { createLine, type Line } from './line'

export interface PaceDeps {
  readonly documents: Documents
  readonly clock: Clock
  /** Every rate limit of the loaded plugins. */
  readonly limits: readonly RateLimit[]
  /** Waits for some time. Tests with their own clock replace it. */
  readonly sleep?: (ms: number) => Promise<unknown>
}

/** Pause after a rate limit refusal that states no time. */
const closedDefaultMs = 60_000

/**
 * Applies a platform's rate limit to every request. All processes share one bucket for each platform and client.
 * Reads leave a part of it to replies. When the service refuses a request for its rate, the bucket closes until the
 * time that the service names.
 */
export function createPace({ documents, clock, limits: all, sleep = Bun.sleep }: PaceDeps) {
  const buckets = createBuckets({ documents, clock })
  const lines = new Map<string, Line>()
  const wait = async (limits: Limits, signal: AbortSignal | undefined) => {
    for (const { bucket, spare } of limits.buckets) {
      const name = `${bucket.id} ${spare}`
      const line =
        lines.get(name) ?? createLine({ take: (wanted) => buckets.take(bucket, wanted, spare), sleep })
      lines.set(name, line)
      await line.turn(signal).finally(() => line.isEmpty() && lines.delete(name))
    }
  }
  const close = async (limits: Limits, retryAfterMs = closedDefaultMs) => {
    const [client] = limits.buckets.slice(-1)
    if (client) await buckets.close(client.bucket, retryAfterMs)
  }
  return (ask: AskService): AskService => {
    const paced = async (request: Parameters<AskService>[0]) => {
      const limits = limitsOf(all, request as PacedRequest)
      if (limits === null) return ask(request)
      await wait(limits, request.signal)
      try {
        return await ask(request)
      } catch (error) {
        if (isServiceFault(error) && limits.isWide(error)) await close(limits, error.retryAfterMs)
        throw error
      }
    }
    return paced as AskService
  }
}
