import type { createClient } from '@clickhouse/client'
import { createFairQueue } from '../../work/fair-queue'
import { offLoop } from '../../work/loop-turns'
import { CancelledError, currentWork, operatorTenant, TimedOutError, type Work } from '../../work/scope'
import type { PoolLoad } from '../documents/port'
import { isDroppedConnection, isTimeout } from './errors'
import { alwaysPresent, type Presence } from './presence'

export type Client = ReturnType<typeof createClient>

/** Options of a read besides its text. */
export interface ReadOptions {
  readonly abort_signal?: AbortSignal
}

/** Runs reads on the clients of a store, shared fairly between tenants. */
export interface ReadPool {
  run<T>(read: (client: Client, options: ReadOptions) => Promise<T>, isRepeatable?: boolean): Promise<T>
  load(): readonly PoolLoad[]
}

/** Maximum reads of one tenant that wait for a client. */
const waitingMax = 64
/** Simultaneous statements on a server. An embedded client runs one at a time. */
const serverSlots = 10

/**
 * Simultaneous statements of one tenant in the embedded engine, which shares the cores with the event loop.
 */
const embeddedPerTenant = Math.max(1, Math.floor(navigator.hardwareConcurrency / 2))

/**
 * Shares the clients. One tenant never uses all of them. `openOwn` opens a client that only operators' commands use. A client of
 * the embedded engine runs one statement at a time, and one of a server has a limited number of connections.
 */
export function createReadPool(
  kind: 'clickhouse' | 'chdb',
  clients: readonly Client[],
  openOwn?: () => Promise<Client>,
  presence: Presence = alwaysPresent,
): ReadPool {
  const isServer = kind === 'clickhouse'
  const slots = isServer ? serverSlots : clients.length
  const perTenant = isServer ? Math.floor(slots / 2) : embeddedPerTenant
  const queue = createFairQueue({ name: 'reads', slots, perTenant, waitingMax })
  const places = clients.map((client) => ({ client, running: 0 }))
  let own: Promise<(typeof places)[number]> | undefined
  const ownPlace = async (open: () => Promise<Client>) => {
    const client = await open()
    return { client, running: 0 }
  }
  /** Returns the place of operators. If it cannot be opened, the next command tries again. */
  const ofOperators = (open: () => Promise<Client>) => {
    own ??= ownPlace(open).catch((error) => {
      own = undefined
      throw error
    })
    return own
  }
  const leastBusy = () => places.reduce((least, one) => (one.running < least.running ? one : least))
  return {
    load: () => [{ pool: 'reads', ...queue.load(), slots }],
    run(read, isRepeatable = true) {
      const work = currentWork()
      // Work without a limit, such as an export, waits for as long as it takes.
      const isPatient = !Number.isFinite(work.leftMs())
      const inTurn = (away: AbortSignal) =>
        offLoop(queue, work, async () => {
          const place = openOwn && work.tenant === operatorTenant ? await ofOperators(openOwn) : leastBusy()
          const { signal } = work
          // A statement in the embedded engine cannot be aborted. Its time limit ends it.
          const attempt = () => (isServer ? answered(read, place.client, work, away) : read(place.client, {}))
          place.running++
          const isStarved = isServer ? never : watchCpu()
          try {
            return await attempt().catch((error) => {
              // The server had closed a kept-alive socket, so the read can be repeated.
              if (!isRepeatable || signal?.aborted || away.aborted || !isDroppedConnection(error)) throw error
              return attempt()
            })
          } catch (error) {
            throw ended(error, work, isStarved())
          } finally {
            place.running--
          }
        })
      return presence.watched(isPatient, inTurn)
    },
  }
}

/** How much longer than the time limit of a statement a read waits for the server, in milliseconds. */
const graceMs = 1_000

/**
 * Reads from a server. The server itself ends a statement at its time limit. One that says nothing a second after that does not
 * answer, and would hold up the request for as long as the client waits.
 */
async function answered<T>(
  read: (client: Client, options: ReadOptions) => Promise<T>,
  client: Client,
  { signal, leftMs }: Work,
  away: AbortSignal,
): Promise<T> {
  const maxMs = leftMs() + graceMs
  if (!Number.isFinite(maxMs)) return read(client, signal ? { abort_signal: signal } : {})
  const silent = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new Error(`Timeout error: no answer for ${Math.round(maxMs)} ms`))
    silent.abort()
  }, maxMs)
  try {
    const abort_signal = AbortSignal.any([away, silent.signal, signal ?? away])
    return await Promise.race([read(client, { abort_signal }), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the error that ended a statement: its caller, its time limit, or something else. */
function ended(error: unknown, { signal, leftMs }: Work, isStarved: boolean): unknown {
  if (signal?.aborted) return new CancelledError()
  return isTimeout(error) && Number.isFinite(leftMs()) ? new TimedOutError(!isStarved) : error
}

const never = () => false

/** Returns whether this process, whose threads run the statements, had the processor for less than half of the time since. */
function watchCpu(): () => boolean {
  const began = performance.now()
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000 < (performance.now() - began) / 2
  }
}
