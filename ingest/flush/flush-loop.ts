import { join } from 'node:path'
import type { ColumnsTarget } from 'renown/contracts'
import { systemFiles } from '../journal/files'
import { doneDirectory, poisonDirectory, segmentsDirectory } from '../journal/journal'
import { readSegment } from '../journal/segment'
import { type Clickhouse, connectClickhouse } from './clickhouse'
import { type ClaimQueue, ClaimsUnavailable, ownOf } from './flush-claims'
import { isOfTheRows, pauseMs, reasonOf } from './flush-faults'
import { flushSegment } from './flush-segment'
import type { FromWorker } from './flusher-messages'
import { keepDamaged, moveSegment, returnDamaged } from './set-aside'

/** After this many refusals a segment is set aside, so that it does not block the others. */
const triesOfBadRows = 3
/** How long a stop waits for the running statement before it aborts it. */
const stopMs = 2_500

interface Options {
  readonly directory: string
  readonly target: ColumnsTarget
  readonly pollMs: number
  readonly say: (message: FromWorker) => void
  /** Claims batches before they are counted. Null if only one process counts. */
  readonly desk: ClaimQueue | null
  /** How long a statement may take. */
  readonly timeoutMs?: number
  /** Maximum wait between two attempts. */
  readonly longestPauseMs?: number
  /** Default: the start of this process. Older segments may be stored already. */
  readonly startedAtMs?: number
}

interface State extends Options {
  readonly folder: string
  clickhouse: Clickhouse | undefined
  /** Segments that an earlier attempt may have stored. At start, all segments. */
  mayStand: Set<string> | undefined
  /**
   * The newest segment that this loop has finished, or the time of its start. An older one that appears was put back by
   * somebody, and may be stored too.
   */
  newest: string
  readonly badRows: Map<string, number>
  /** Consecutive failures. */
  failures: number
  stopping: boolean
  drains: readonly Drain[]
  wake: PromiseWithResolvers<void>
}

interface Drain {
  readonly id: number
  /** The segments that were closed when the drain started and are still waiting. Null before that. */
  readonly names: Set<string> | null
}

/**
 * Writes closed segments to ClickHouse, oldest first, and moves them to `done/`. While ClickHouse accepts
 * nothing, the pauses grow and no hit is lost. Unreadable segments and refused rows are moved to `poison/`
 * and logged.
 */
export function createFlushLoop(options: Options) {
  const state: State = {
    ...options,
    folder: segmentsDirectory(options.directory),
    clickhouse: undefined,
    mayStand: undefined,
    newest: `${Math.floor(options.startedAtMs ?? performance.timeOrigin)}`.padStart(14, '0'),
    badRows: new Map(),
    failures: 0,
    stopping: false,
    drains: [],
    wake: Promise.withResolvers(),
  }
  const ended = run(state)
  const look = () => state.wake.resolve()
  return {
    look,
    drain(id: number) {
      state.drains = [...state.drains, { id, names: null }]
      look()
    },
    async stop() {
      state.stopping = true
      look()
      const giveUp = setTimeout(() => {
        state.desk?.giveUp()
        state.clickhouse?.abort()
      }, stopMs)
      await ended
      clearTimeout(giveUp)
    },
  }
}

async function run(state: State) {
  while (!state.stopping) {
    const isIdle = await round(state)
    if (state.stopping) break
    if (state.failures > 0)
      await Promise.race([stopOf(state), Bun.sleep(pauseMs(state.failures, state.longestPauseMs))])
    else if (isIdle) await Promise.race([state.wake.promise, Bun.sleep(state.pollMs)])
  }
  await state.clickhouse?.close().catch(() => undefined)
}

/** Waits after an error. Only a stop ends the pause early, not new hits. */
async function stopOf(state: State) {
  while (!state.stopping) {
    await state.wake.promise
    if (!state.stopping) state.wake = Promise.withResolvers()
  }
}

async function round(state: State): Promise<boolean> {
  state.wake = Promise.withResolvers()
  try {
    const names = await closedSegments(state)
    state.mayStand ??= new Set(names)
    const { mayStand } = state
    state.drains = state.drains.map((drain) => ({ ...drain, names: drain.names ?? new Set(names) }))
    if (names.length > 0) state.clickhouse ??= await connectClickhouse(state.target, state.timeoutMs)
    for (const name of names) {
      if (state.stopping) return false
      await takeSegment(state, name, mayStand)
    }
    settleDrains(state, new Set())
    return names.length === 0
  } catch (error) {
    tellOfTrouble(state, error)
    return false
  }
}

function tellOfTrouble(state: State, error: unknown) {
  state.failures++
  const of = error instanceof ClaimsUnavailable ? 'gateway' : 'clickhouse'
  const what =
    of === 'gateway'
      ? 'The gateway does not say which batches other processes count'
      : 'ClickHouse accepts no hits'
  // Pauses double, so the first one and every tenth are logged.
  if (state.failures === 1 || state.failures % 10 === 0) {
    log(state, 'warn', `${what}; hits wait in the journal`, error)
  }
  state.say({ say: 'trouble', trouble: { of, reason: `${what} (${reasonOf(error)})` } })
}

async function takeSegment(state: State, name: string, mayStand: Set<string>) {
  const clickhouse = state.clickhouse as Clickhouse
  const bytes = await systemFiles.read(join(state.folder, `${name}.seg`))
  const segment = readSegment(bytes)
  const began = performance.now()
  try {
    const own = state.desk ? await ownOf(name, segment, state.desk.claim) : { segment, elsewhere: 0 }
    const isPutBack = name <= state.newest
    const { hits } = await flushSegment(clickhouse, name, own.segment, isPutBack || mayStand.has(name))
    if (segment.torn && (await keepDamaged(state.directory, name))) {
      log(
        state,
        'error',
        'A segment is damaged; what can be read is counted, a copy is kept in poison/',
        null,
        name,
      )
    }
    await moveSegment(state.directory, name, doneDirectory(state.directory))
    if (state.failures > 0) state.say({ say: 'trouble', trouble: null })
    state.failures = 0
    const ms = performance.now() - began
    state.say({ say: 'flushed', hits, elsewhere: own.elsewhere, segment: name, ms })
    forget(state, name, mayStand)
  } catch (error) {
    mayStand.add(name)
    if (!isOfTheRows(error)) throw error
    const tries = (state.badRows.get(name) ?? 0) + 1
    state.badRows.set(name, tries)
    if (tries < triesOfBadRows) return
    await moveSegment(state.directory, name, poisonDirectory(state.directory))
    forget(state, name, mayStand)
    log(state, 'error', 'ClickHouse refuses the rows of a segment; it is set aside in poison/', error, name)
  }
}

function forget(state: State, name: string, mayStand: Set<string>) {
  state.badRows.delete(name)
  mayStand.delete(name)
  if (name > state.newest) state.newest = name
  settleDrains(state, new Set([name]))
}

/** Answers a drain when all segments that were closed at its start are stored. */
function settleDrains(state: State, gone: ReadonlySet<string>) {
  state.drains = state.drains.filter(({ id, names }) => {
    if (!names) return true
    for (const name of gone) names.delete(name)
    if (names.size > 0) return true
    state.say({ say: 'drained', id })
    return false
  })
}

async function closedSegments(state: State): Promise<string[]> {
  try {
    const files = await systemFiles.list(state.folder)
    for (const file of await returnDamaged(state.directory, files)) {
      log(
        state,
        'warn',
        'What can be read of this file is counted already; it is back in poison/',
        null,
        file,
      )
    }
    return files
      .filter((file) => file.endsWith('.seg'))
      .map((file) => file.slice(0, -'.seg'.length))
      .sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function log(state: State, level: 'warn' | 'error', message: string, error: unknown, segment?: string) {
  const fields = { ...(segment ? { segment } : {}), ...(error ? { reason: reasonOf(error) } : {}) }
  state.say({ say: 'log', level, message, fields })
}
