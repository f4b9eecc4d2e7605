import type { Log } from '../contracts/plugin'
import { StartError } from '../process/start-error'
import { type FromPart, type PartName, type PartRestarts, supervisorPid, type ToPart } from './messages'

/** A process to run and to restart. */
export interface PartSpec {
  readonly name: PartName
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** The setting with its port. A restarted part uses the same port. */
  readonly portSetting: string
}

export interface SupervisorOptions {
  readonly parts: readonly PartSpec[]
  readonly log: Log
  readonly now: () => Date
  /** Called with the process ids of the parts, each time one starts. */
  readonly onStarted?: (pids: Readonly<Partial<Record<PartName, number>>>) => void
  /** The wait before the first of several restarts. It doubles up to `restartMsMax`. */
  readonly restartMs?: number
  readonly restartMsMax?: number
  /** After running this long, a part is restarted without a longer wait. */
  readonly settledMs?: number
}

/** Runs the parts of the product as separate processes and restarts those that end unexpectedly. */
export interface Supervisor {
  /**
   * Resolves when every part is ready. Rejects with a StartError if the configuration is wrong. The others must then still be
   * stopped. A part that ends for another reason before it is ready is restarted.
   */
  readonly ready: Promise<void>
  /** Resolves with the reason when a signal stopped a part, or when the part ended in such a way. */
  readonly signalled: Promise<string>
  /** Stops all parts, and kills them after `deadlineMs`. Resolves with whether each stopped normally. */
  stop(because: string, deadlineMs: number): Promise<boolean>
}

type Failure = Omit<Extract<FromPart, { tell: 'failed' }>, 'tell'>

interface Part {
  readonly spec: PartSpec
  child: Bun.Subprocess | undefined
  port: number | undefined
  isReady: boolean
  startedAt: number
  /** Number of consecutive restarts. */
  row: number
  restarts: PartRestarts
  failure: Failure | undefined
  readonly ended: PromiseWithResolvers<boolean>
}

interface State {
  readonly options: SupervisorOptions
  readonly parts: readonly Part[]
  readonly ready: PromiseWithResolvers<void>
  readonly signalled: PromiseWithResolvers<string>
  isReady: boolean
  stopping: string | undefined
}

/** Starts the parts. */
export function supervise(options: SupervisorOptions): Supervisor {
  const state: State = {
    options,
    parts: options.parts.map(newPart),
    ready: Promise.withResolvers<void>(),
    signalled: Promise.withResolvers<string>(),
    isReady: false,
    stopping: undefined,
  }
  for (const part of state.parts) start(state, part)
  return {
    ready: state.ready.promise,
    signalled: state.signalled.promise,
    stop: (because, deadlineMs) => stopAll(state, because, deadlineMs),
  }
}

const newPart = (spec: PartSpec): Part => ({
  spec,
  child: undefined,
  port: undefined,
  isReady: false,
  startedAt: 0,
  row: 0,
  restarts: { count: 0, last_at: null, reason: null },
  failure: undefined,
  ended: Promise.withResolvers<boolean>(),
})

function start(state: State, part: Part): void {
  const { spec, port } = part
  part.failure = undefined
  part.isReady = false
  part.startedAt = performance.now()
  const child = Bun.spawn([...spec.command], {
    env: {
      ...spec.env,
      [supervisorPid]: String(process.pid),
      ...(port === undefined ? {} : { [spec.portSetting]: String(port) }),
    },
    stdio: ['inherit', 'inherit', 'inherit'],
    serialization: 'json',
    ipc: (message: FromPart) => hear(state, part, message),
    onExit: (_, code, signal) => ended(state, part, code, signal),
  })
  part.child = child
  state.options.onStarted?.(pidsOf(state))
}

const pidsOf = ({ parts }: State) =>
  Object.fromEntries(parts.flatMap(({ spec, child }) => (child ? [[spec.name, child.pid]] : [])))

function hear(state: State, part: Part, message: FromPart): void {
  if (message.tell === 'joined') greet(state, part)
  else if (message.tell === 'signalled') state.signalled.resolve(message.because)
  else if (message.tell === 'failed') part.failure = message
  else if (message.tell === 'listening') {
    part.port = message.port
    tellOthers(state, part, { tell: 'listening', part: part.spec.name, port: message.port })
  } else {
    part.isReady = true
    state.isReady ||= state.parts.every(({ isReady }) => isReady)
    if (state.isReady) state.ready.resolve()
  }
}

/** Sends a new part the messages that the other parts already got. */
function greet(state: State, part: Part): void {
  for (const other of state.parts) {
    if (other === part || other.port === undefined) continue
    tell(part, { tell: 'listening', part: other.spec.name, port: other.port })
  }
  tell(part, restartsOf(state))
  if (state.stopping === undefined) return
  tell(part, { tell: 'stop', because: state.stopping })
  for (const other of state.parts) {
    if (!other.child) tell(part, { tell: 'ended', part: other.spec.name })
  }
}

const restartsOf = ({ parts }: State): ToPart => ({
  tell: 'restarts',
  restarts: Object.fromEntries(parts.map(({ spec, restarts }) => [spec.name, restarts])),
})

function tell({ child }: Part, message: ToPart): void {
  try {
    child?.send(message)
  } catch {
    // The part has just ended, and its exit event will follow.
  }
}

function tellOthers({ parts }: State, part: Part, message: ToPart): void {
  for (const other of parts) if (other !== part) tell(other, message)
}

function ended(state: State, part: Part, code: number | null, signal: number | string | null): void {
  const { spec, failure } = part
  part.child = undefined
  const how = failure?.message ?? (typeof signal === 'string' ? signal : `exit code ${code}`)
  if (state.stopping !== undefined) {
    part.ended.resolve(code === 0)
    tellOthers(state, part, { tell: 'ended', part: spec.name })
  } else if (!state.isReady && failure?.isStartError && !failure.isHeld) {
    // Only a person can correct the configuration. Everything else may pass, so the part is started again.
    state.ready.reject(new StartError(failure.message))
  } else if (state.isReady && code === 0) state.signalled.resolve(`the ${spec.name} has stopped`)
  else restart(state, part, how)
}

function restart(state: State, part: Part, reason: string): void {
  const { log, now, restartMs = 100, restartMsMax = 30_000, settledMs = 60_000 } = state.options
  if (performance.now() - part.startedAt > settledMs) part.row = 0
  const waitMs = Math.min(restartMs * 2 ** part.row, restartMsMax)
  part.row++
  part.restarts = { count: part.restarts.count + 1, last_at: now().toISOString(), reason }
  log.error(`The ${part.spec.name} ended unexpectedly and is being restarted`, { reason, in_ms: waitMs })
  tellOthers(state, part, restartsOf(state))
  setTimeout(() => {
    if (state.stopping === undefined) start(state, part)
  }, waitMs)
}

async function stopAll(state: State, because: string, deadlineMs: number): Promise<boolean> {
  state.stopping ??= because
  for (const part of state.parts) {
    if (!part.child) {
      part.ended.resolve(true)
      tellOthers(state, part, { tell: 'ended', part: part.spec.name })
    }
    tell(part, { tell: 'stop', because })
  }
  const force = setTimeout(() => {
    for (const { spec, child } of state.parts) {
      if (!child) continue
      state.options.log.error(`The ${spec.name} does not stop and is being killed`)
      child.kill('SIGKILL')
    }
  }, deadlineMs)
  const results = await Promise.all(state.parts.map(({ ended: { promise } }) => promise))
  clearTimeout(force)
  return results.every(Boolean)
}
