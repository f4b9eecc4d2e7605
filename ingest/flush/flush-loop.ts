import { join } from 'node:path'
import type { ColumnsTarget } from 'renown/contracts'
import { systemFiles } from '../journal/files'
import { doneDirectory, poisonDirectory, segmentsDirectory } from '../journal/journal'
import { readSegment, type Segment } from '../journal/segment'
import { type Clickhouse, connectClickhouse } from './clickhouse'
import { type ClaimQueue, ClaimsUnavailable, ownOf } from './flush-claims'
import { isOfTheRows, pauseMs, reasonOf } from './flush-faults'
import { flushBlock } from './flush-segment'
import type { FromWorker } from './flusher-messages'
import { keepDamaged, moveSegments, returnDamaged } from './set-aside'
import { type BlockLimits, blockLimits, blockName, chooseBlock, noteBlock, readBlock } from './waiting-block'

/** After this many refusals a segment is set aside, so that it does not block the others. */
const triesOfBadRows = 3
/** How long a stop waits for the running statement before it aborts it. */
const stopMs = 2_500
/** How many segments are claimed at once, so that a slow gateway does not add up. */
const claimsAtOnce = 8

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
  readonly limits?: BlockLimits
  /** Default: the start of this process. Older segments may be stored already. */
  readonly startedAtMs?: number
}

interface State extends Options {
  readonly folder: string
  readonly limits: BlockLimits
  clickhouse: Clickhouse | undefined
  /** Segments that an earlier attempt may have stored. At start, all segments. */
  mayStand: Set<string> | undefined
  /** The segments of the block that may be at ClickHouse. They stay together until they stand. Undefined before the first round. */
  block: readonly string[] | undefined
  /**
   * The newest segment that this loop has finished, or the time of its start. An older one that appears was put back by
   * somebody, and may be stored too.
   */
  newest: string
  readonly badRows: Map<string, number>
  /** How many segments a block with this one may have, because ClickHouse refused the rows of a larger one. */
  readonly shares: Map<string, number>
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
 * Writes closed segments to ClickHouse, oldest first, and moves them to `done/`. Those that wait are written together, so that a
 * backlog costs as many requests as it has blocks, and not as many as it has segments. While ClickHouse accepts nothing, the pauses
 * grow and no hit is lost. Unreadable segments and refused rows are moved to `poison/` and logged.
 */
export function createFlushLoop(options: Options) {
  const state: State = {
    ...options,
    folder: segmentsDirectory(options.directory),
    limits: options.limits ?? blockLimits,
    clickhouse: undefined,
    mayStand: undefined,
    block: undefined,
    newest: `${Math.floor(options.startedAtMs ?? performance.timeOrigin)}`.padStart(14, '0'),
    badRows: new Map(),
    shares: new Map(),
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
    state.block ??= await readBlock(state.directory)
    const { mayStand } = state
    state.drains = state.drains.map((drain) => ({ ...drain, names: drain.names ?? new Set(names) }))
    if (names.length > 0) state.clickhouse ??= await connectClickhouse(state.target, state.timeoutMs)
    for (let left = new Set(names); left.size > 0; ) {
      if (state.stopping) return false
      const taken = await takeBlock(state, left, mayStand)
      left = left.difference(new Set(taken))
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

/** Writes the next block of the segments that wait. Returns its segments, also where ClickHouse refused their rows. */
async function takeBlock(state: State, waiting: ReadonlySet<string>, mayStand: Set<string>) {
  const { folder, limits, shares, block = [] } = state
  const again = block.filter((name) => waiting.has(name))
  const names = again.length > 0 ? again : await chooseBlock(folder, waiting, limits, shares)
  for (const name of names) if (name <= state.newest) mayStand.add(name)
  const began = performance.now()
  try {
    const parts = await readParts(state, names)
    const whole = again.length > 0 ? block : await beginBlock(state, names)
    const taken = parts.filter(({ name }) => whole.includes(name))
    await flushBlock(state.clickhouse as Clickhouse, { name: blockName(whole), parts: taken, mayStand })
    await finishBlock(state, taken, mayStand, performance.now() - began)
    return taken.map(({ name }) => name)
  } catch (error) {
    for (const name of names) mayStand.add(name)
    if (!isOfTheRows(error)) throw error
    await refused(state, names, mayStand, error)
    return names
  }
}

interface Part {
  readonly name: string
  readonly segment: Segment
  readonly elsewhere: number
}

/** Reads segments, without the hits that other processes count. */
async function readParts({ folder, desk }: State, names: readonly string[]): Promise<Part[]> {
  const partOf = async (name: string): Promise<Part> => {
    const segment = readSegment(await systemFiles.read(join(folder, `${name}.seg`)))
    const own = desk ? await ownOf(name, segment, desk.claim) : { segment, elsewhere: 0 }
    return { name, segment: own.segment, elsewhere: own.elsewhere }
  }
  const parts: Part[] = []
  for (let from = 0; from < names.length; from += claimsAtOnce)
    parts.push(...(await Promise.all(names.slice(from, from + claimsAtOnce).map(partOf))))
  return parts
}

/** Notes a new block. A full disk must not stop what empties it: then the oldest segment goes alone. */
async function beginBlock(state: State, names: readonly string[]): Promise<readonly string[]> {
  state.block = await noteBlock(state.directory, names).then(
    () => names,
    () => names.slice(0, 1),
  )
  return state.block
}

async function finishBlock(state: State, parts: readonly Part[], mayStand: Set<string>, ms: number) {
  for (const { name, segment } of parts) if (segment.torn) await keepCopy(state, name)
  const names = parts.map(({ name }) => name)
  await moveSegments(state.directory, names, doneDirectory(state.directory))
  state.block = []
  if (state.failures > 0) state.say({ say: 'trouble', trouble: null })
  state.failures = 0
  for (const { name, segment, elsewhere } of parts) {
    const hits = segment.frames.reduce((sum, frame) => sum + frame.hits.length, 0)
    state.say({ say: 'flushed', hits, elsewhere, segment: name, ms })
  }
  forget(state, names, mayStand)
}

/** Halves a block whose rows ClickHouse refuses, until the segment is found that has them. Sets that aside after some tries. */
async function refused(state: State, names: readonly string[], mayStand: Set<string>, error: unknown) {
  state.block = []
  const [name = ''] = names
  if (names.length > 1) {
    for (const each of names) state.shares.set(each, Math.ceil(names.length / 2))
    return
  }
  const tries = (state.badRows.get(name) ?? 0) + 1
  state.badRows.set(name, tries)
  if (tries < triesOfBadRows) return
  await moveSegments(state.directory, names, poisonDirectory(state.directory))
  forget(state, names, mayStand)
  log(state, 'error', 'ClickHouse refuses the rows of a segment; it is set aside in poison/', error, name)
}

/** Keeps a copy of a segment with unreadable parts for an operator, because its hits were acknowledged. */
async function keepCopy(state: State, name: string) {
  if (!(await keepDamaged(state.directory, name))) return
  log(
    state,
    'error',
    'A segment is damaged; what can be read is counted, a copy is kept in poison/',
    null,
    name,
  )
}

function forget(state: State, names: readonly string[], mayStand: Set<string>) {
  for (const name of names) {
    state.badRows.delete(name)
    state.shares.delete(name)
    mayStand.delete(name)
    if (name > state.newest) state.newest = name
  }
  settleDrains(state, new Set(names))
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
