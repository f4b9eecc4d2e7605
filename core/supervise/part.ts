import { messageOf } from '../contracts/errors'
import { deadlineMs } from '../process/shutdown'
import { StartError } from '../process/start-error'
import { type FromPart, type PartName, type Restarts, supervisorPid, type ToPart } from './messages'
import { onStopSignals } from './stop-signals'

/** A part's connection to the supervisor that started it. */
export interface SupervisorLink {
  /** Process id of the supervisor. */
  readonly pid: number
  /** Aborts when the part must stop. */
  readonly stopping: AbortSignal
  /** Resolves with the reason when the part must stop. */
  readonly stopped: Promise<string>
  /** Reports the port on which this part accepts requests. */
  listening(port: number): void
  /** Reports that this part serves. */
  ready(): void
  /** Reports why this part cannot start and returns its exit code. */
  failed(error: unknown): number
  /** Resolves with the port of another part. Rejects if this part must stop first. */
  portOf(part: PartName): Promise<number>
  /** Resolves when another part has ended because the product stops. */
  endOf(part: PartName): Promise<void>
  restarts(): Restarts
}

/** How often a part looks whether its supervisor still runs. */
const parentEveryMs = 500

/**
 * Connects to the supervisor that started this process. Passes signals on to it, so that the parts stop
 * together and in order. If the supervisor ends, a serving part stops normally. A part that is still starting
 * ends immediately, as after `kill -9`.
 */
export function joinSupervisor(): SupervisorLink {
  if (!process.send) throw new Error('This file cannot be started directly. Run `bun start` instead.')
  const controller = new AbortController()
  const stopped = Promise.withResolvers<string>()
  const ports = waits<PartName, number>()
  const ends = waits<PartName, void>()
  let restarts: Restarts = {}
  let isServing = false
  const tell = (message: FromPart) => {
    if (process.connected) process.send?.(message)
  }
  const stop = (because: string) => {
    if (controller.signal.aborted) return
    controller.abort()
    stopped.resolve(because)
    setTimeout(() => process.exit(1), deadlineMs).unref()
  }
  process.on('message', (message: ToPart) => {
    if (message.tell === 'listening') ports.of(message.part).resolve(message.port)
    else if (message.tell === 'ended') ends.of(message.part).resolve()
    else if (message.tell === 'restarts') restarts = message.restarts
    else stop(message.because)
  })
  const leave = () => {
    if (!isServing) process.exit(1)
    // Without the supervisor, nobody can report when another part has ended.
    ends.all()
    stop('the supervisor has ended')
  }
  process.on('disconnect', leave)
  // The end of the connection can be missed, for example when the supervisor is killed before this line.
  const { env } = process
  const parent = Number(env[supervisorPid])
  const watch = setInterval(() => {
    if (!(parent > 0) || process.ppid === parent) return
    clearInterval(watch)
    leave()
  }, parentEveryMs)
  watch.unref()
  onStopSignals((because) => tell({ tell: 'signalled', because }))
  if (!process.connected) leave()
  tell({ tell: 'joined' })
  return {
    pid: process.ppid,
    stopping: controller.signal,
    stopped: stopped.promise,
    listening: (port) => tell({ tell: 'listening', port }),
    ready() {
      isServing = true
      tell({ tell: 'ready' })
    },
    failed(error) {
      const isStartError = error instanceof StartError
      const message = messageOf(error)
      const isHeld = isStartError && error.held
      if (!controller.signal.aborted) tell({ tell: 'failed', message, isStartError, isHeld })
      return isStartError ? 3 : 1
    },
    portOf: (part) =>
      Promise.race([
        ports.of(part).promise,
        stopped.promise.then((because) => {
          throw new StartError(`Stopped while starting (${because}).`)
        }),
      ]),
    endOf: (part) => ends.of(part).promise,
    restarts: () => restarts,
  }
}

/** Promises by key, each created on first use. */
function waits<Key, Value>() {
  const known = new Map<Key, PromiseWithResolvers<Value>>()
  const of = (key: Key) => {
    const wait = known.get(key) ?? Promise.withResolvers<Value>()
    known.set(key, wait)
    return wait
  }
  let isOver = false
  return {
    of(key: Key) {
      const wait = of(key)
      if (isOver) wait.resolve(undefined as Value)
      return wait
    },
    /** Resolves all of them, including those that are requested later. */
    all() {
      isOver = true
      for (const wait of known.values()) wait.resolve(undefined as Value)
    },
  }
}
