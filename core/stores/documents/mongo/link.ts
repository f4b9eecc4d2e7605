import { type Connection, Mongoose } from 'mongoose'
import type { Log } from '../../../contracts/plugin'
import { type PoolLoad, UnavailableError } from '../port'
import { guarded, isRepeatable, NoAnswerError } from './errors'

/** Time limits of a link, in milliseconds. Tests pass shorter ones. */
export const linkTimes = {
  /** How long the first connection may take. A start tries again by itself. */
  openMs: 2_000,
  /** How long an operation waits for a single server, or for a free connection to it. */
  singleSelectionMs: 5_000,
  /** How long an operation waits for a primary. An election takes 10 to 12 s. */
  setSelectionMs: 15_000,
  /** How long a heartbeat or a new connection may take. A checkpoint can hold up a server for several seconds. */
  connectMs: 10_000,
  heartbeatMs: 2_000,
  /** The longest time of an operation that names no other. The driver's own `timeoutMS` has no effect since its version 7. */
  operationMs: 15_000,
  /** How much longer than the server this process waits for the end of an operation. */
  graceMs: 1_000,
  /** How long a connection may wait for an answer. Longer than any operation. */
  socketMs: 150_000,
  /** After this time without any known server, operations are not sent any more. */
  awayMs: 2_000,
  /** How long operations then wait for a server. Longer than a heartbeat. */
  awayWaitMs: 2_500,
  /** After this time without any known server, the watchdog tries a new client. */
  unknownMs: 3_000,
  /** After this time without any sign of a server, the watchdog tries a new client. */
  silentMs: 12_000,
  watchEveryMs: 1_000,
} as const
export type LinkTimes = { readonly [K in keyof typeof linkTimes]: number }

export interface LinkOptions {
  readonly uri: string
  readonly log: Log
  readonly times?: Partial<LinkTimes> | undefined
}

/** The limits of one operation. */
export interface RunLimits {
  readonly maxMs?: number
  /** Whether the operation is one command, which had an effect or not. Default: yes. */
  readonly isWhole?: boolean
}

/**
 * A client of MongoDB that is replaced if it does not find its way back. The monitor of the driver can end for good
 * under Bun when its server is killed, and then no heartbeat ever starts again.
 */
export interface Link {
  /** Returns the connection in use. Ask each time, because it may be replaced. */
  connection(): Connection
  /**
   * Runs an operation that the server ends after `maxMs`. Fails without sending it if no server is known, and soon after that
   * time if the server does not answer. Repeats an operation that certainly had no effect.
   */
  run<T>(operation: (maxTimeMS: number) => PromiseLike<T>, limits?: RunLimits): Promise<T>
  load(): PoolLoad
  close(): Promise<void>
}

/** Opens a link. Throws UnavailableError if no server answers. */
export async function openLink({ uri, log, times: given }: LinkOptions): Promise<Link> {
  const times = { ...linkTimes, ...given }
  let client = await openClient(uri, times, times.singleSelectionMs)
  const isSet = client.isSet()
  const selectionMs = isSet ? times.setSelectionMs : times.singleSelectionMs
  if (isSet) {
    // A set needs a longer wait, and the driver takes it only when a client is made.
    const short = client
    client = await openClient(uri, times, selectionMs).finally(() => short.close())
  }
  let isClosed = false
  let isTrying = false
  const tryNew = async () => {
    const old = client
    isTrying = true
    try {
      const fresh = await openClient(uri, times, selectionMs)
      // The old one may have come back by itself in the meantime.
      if (isClosed || old.isWell()) return await fresh.close()
      client = fresh
      log.warn('The MongoDB client was replaced, because it no longer found the server')
      await old.close()
    } catch {
      // The server is still away. The watchdog tries again.
    } finally {
      isTrying = false
    }
  }
  let waiting: Promise<void> | null = null
  /** Waits a little for a server. All operations wait together. */
  const whenBack = () => {
    const end = performance.now() + times.awayWaitMs
    const wait = async () => {
      while (client.isAway() && performance.now() < end) await Bun.sleep(50)
      waiting = null
    }
    waiting ??= wait()
    return waiting
  }
  const watch = setInterval(() => {
    if (!isTrying && !client.isWell()) tryNew()
    client.report(log)
  }, times.watchEveryMs)
  watch.unref()
  return {
    connection: () => client.connection,
    async run(operation, { maxMs = times.operationMs, isWhole = true } = {}) {
      const end = performance.now() + selectionMs
      for (;;) {
        if (client.isAway()) await whenBack()
        const used = client
        if (used.isAway()) throw new UnavailableError('MongoDB cannot be reached: no server is known')
        try {
          const result = await within(operation(maxMs), maxMs + times.graceMs, used.isSeen)
          used.seen()
          return result
        } catch (error) {
          if (isClosed || !isWhole || !isRepeatable(error) || performance.now() > end) throw error
          await Bun.sleep(againMs)
        }
      }
    },
    load: () => client.load(),
    async close() {
      isClosed = true
      clearInterval(watch)
      await client.close()
    },
  }
}

/** Returns the result of an operation, or throws when it has got no answer within a time. */
async function within<T>(operation: PromiseLike<T>, ms: number, isSeen = () => false): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new NoAnswerError(ms, isSeen())), ms)
  try {
    return await Promise.race([operation, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Connections to one server. */
const connectionsMax = 50

/** The pause before an operation that had no effect is repeated. */
const againMs = 100

/** How long the end of a client may take. One that is stuck may never end. */
const closeMs = 2_000

interface Client {
  readonly connection: Connection
  seen(): void
  /** Whether a server gave a sign of life within the last heartbeats. */
  isSeen(): boolean
  /** Whether no server has been known for a while. Never during an election: secondaries are known then. */
  isAway(): boolean
  /** Whether it knows a server that gives signs of life. */
  isWell(): boolean
  isSet(): boolean
  load(): PoolLoad
  /** Logs once that the server is away, and once that it is back. */
  report(log: Log): void
  close(): Promise<void>
}

async function openClient(uri: string, times: LinkTimes, selectionMs: number): Promise<Client> {
  // A separate instance, so that other code in the process that uses mongoose has its own settings.
  const mongoose = new Mongoose()
  mongoose.set('strictQuery', 'throw')
  mongoose.set('sanitizeFilter', true)
  const connection = mongoose.createConnection(uri, {
    serverSelectionTimeoutMS: selectionMs,
    waitQueueTimeoutMS: selectionMs,
    socketTimeoutMS: times.socketMs,
    connectTimeoutMS: times.connectMs,
    heartbeatFrequencyMS: times.heartbeatMs,
    maxPoolSize: connectionsMax,
    writeConcern: { w: 'majority', wtimeoutMS: 10_000 },
    ignoreUndefined: true,
    bufferCommands: false,
    autoIndex: false,
    autoCreate: false,
  })
  // Without a handler, an error of the connection would end the process. Operations report it.
  connection.on('error', () => undefined)
  const end = () =>
    Promise.race([connection.destroy(true).catch(() => undefined), Bun.sleep(closeMs)]).then(() => undefined)
  try {
    await guarded(null, () => within(connection.asPromise(), times.openMs))
  } catch (error) {
    // A client that never connected may end late, and nobody needs to wait for it.
    end()
    throw error
  }
  return watched(connection, times, end)
}

/** Counts the signs of life that a connection's client receives. */
function watched(connection: Connection, times: LinkTimes, end: () => Promise<void>): Client {
  const driver = connection.getClient()
  let seenAt = performance.now()
  let unknownAt: number | null = null
  let isReported = false
  let isSet = false
  const seen = () => {
    seenAt = performance.now()
  }
  const hear = ({ newDescription }: { newDescription: TopologyState }) => {
    isSet ||= newDescription.type !== 'Single' && newDescription.type !== 'Unknown'
    const isKnown = [...newDescription.servers.values()].some(({ type }) => type !== 'Unknown')
    unknownAt = isKnown ? null : (unknownAt ?? performance.now())
  }
  driver.on('serverHeartbeatSucceeded', seen)
  driver.on('topologyDescriptionChanged', hear)
  const load = pooled(driver)
  const { description } = (driver as unknown as { topology: { description: TopologyState } }).topology
  hear({ newDescription: description })
  const unknownFor = (ms: number) => unknownAt !== null && performance.now() - unknownAt > ms
  const isAway = () => unknownFor(times.awayMs)
  const isWell = () => !unknownFor(times.unknownMs) && performance.now() - seenAt <= times.silentMs
  return {
    connection,
    seen,
    isSeen: () => unknownAt === null && performance.now() - seenAt <= times.heartbeatMs * 1.5,
    isAway,
    isWell,
    isSet: () => isSet,
    load,
    report(log) {
      const isLost = !isWell()
      if (isLost && !isReported) log.warn('MongoDB is not connected')
      if (!isLost && isReported) log.info('MongoDB is connected again')
      isReported = isLost
    },
    close: end,
  }
}

/** Counts the connections in use and the operations that wait for one, by the events of the driver's pools. */
function pooled(driver: ReturnType<Connection['getClient']>): () => PoolLoad {
  let running = 0
  let waiting = 0
  driver.on('connectionCheckOutStarted', () => void waiting++)
  driver.on('connectionCheckOutFailed', () => void waiting--)
  driver.on('connectionCheckedOut', () => {
    waiting--
    running++
  })
  driver.on('connectionCheckedIn', () => void running--)
  return () => ({ pool: 'connections', running, waiting, slots: connectionsMax })
}

/** The part of the driver's description of its servers that is used here. */
interface TopologyState {
  readonly type: string
  readonly servers: ReadonlyMap<string, { readonly type: string }>
}
