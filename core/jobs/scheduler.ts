import { messageOf } from '../contracts/errors'
import type { JobDeclaration, Log, OwnerContext } from '../contracts/plugin'
import { blameOf } from '../contracts/service-fault'
import type { Clock } from '../process/clock'
import { newId } from '../process/ids'
import type { Registry } from '../registry/registry'
import type { Documents } from '../stores/documents/port'
import { JobLease } from './JobLease'
import { createLeases, isLease, type Lease } from './lease'

const jitterShare = 0.1
/**
 * A task with at most this interval keeps its lease between runs, because a heartbeat is cheaper than acquiring it
 * again.
 */
const keptEveryMs = 2_000
const backoffMaxMs = 10 * 60_000
/** How soon a task that an own store ended is due again, and how late at most. */
const awayMs = 1_000
const awayMaxMs = 30_000
const stopMs = 4_000

export interface JobDeps {
  readonly registry: Pick<Registry, 'jobs'>
  readonly documents: Documents
  readonly owner: OwnerContext
  readonly clock: Clock
  readonly log: Log
  readonly random?: () => number
  /** Times of the leases, for tests. */
  readonly times?: { readonly ttlMs: number; readonly beatMs: number; readonly keptEveryMs: number }
}

/** The scheduled tasks of this process. */
export interface Jobs {
  /** Runs a task now, due or not. False if another process runs it. A call during a run requests one more run. */
  runNow(name: string): Promise<boolean>
  /** Aborts the running tasks and waits for them, at most 4 s. */
  stop(): Promise<void>
}

/**
 * Runs scheduled tasks, each in one process of the installation at a time. The store says when a task is due, so more
 * processes or restarts do not run it more often. Errors are logged and delay the next run, twice as long each time.
 */
export function startJobs(deps: JobDeps): Jobs {
  const { registry, documents, clock, times = {} } = deps
  const holder = newId('run', clock.now())
  const leases = documents.ensure([JobLease]).then(() => createLeases({ documents, clock, holder, ...times }))
  leases.catch(() => {})
  const stopping = new AbortController()
  const shared = { ...deps, leases, stopping: stopping.signal }
  const loops = new Map([...registry.jobs].map(([name, job]) => [name, createLoop(shared, name, job)]))
  return {
    runNow: async (name) => {
      const loop = loops.get(name)
      if (!loop) throw new Error(`There is no job ${name}`)
      return loop.runNow()
    },
    async stop() {
      stopping.abort(new Error('The product is stopping'))
      const ends = [...loops.values()].map((loop) => loop.halt())
      await Promise.race([Promise.allSettled(ends), Bun.sleep(stopMs)])
    },
  }
}

interface LoopDeps extends JobDeps {
  readonly leases: Promise<ReturnType<typeof createLeases>>
  readonly stopping: AbortSignal
}

/** Creates the timer of one task. It runs one attempt at a time, and remembers at most one more request. */
function createLoop(deps: LoopDeps, name: string, job: JobDeclaration) {
  const { leases, stopping, log, random = Math.random, times } = deps
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<boolean> | null = null
  let again: Promise<boolean> | null = null
  let heldLease: Lease | null = null

  const plan = (waitMs: number) => {
    clearTimeout(timer)
    if (!stopping.aborted) timer = setTimeout(() => void runOnce(false), spread(waitMs, random))
  }
  const attempt = async (early: boolean): Promise<boolean> => {
    let waitMs = job.everyMs
    try {
      const own = heldLease?.signal.aborted ? null : heldLease
      heldLease = null
      const lease = own ?? (await (await leases).acquire(name, { early }))
      if (!isLease(lease)) {
        waitMs = Math.min(lease.waitMs, job.everyMs)
        return false
      }
      const error = await runUnderLease(deps, name, job, lease)
      const keeps =
        job.everyMs <= (times?.keptEveryMs ?? keptEveryMs) && error === undefined && lease.failures === 0
      if (keeps && !stopping.aborted && !lease.signal.aborted) heldLease = lease
      else waitMs = await releaseLease(deps, name, job, lease, error)
      return true
    } catch (error) {
      log.warn('the lease of a job could not be reached', { job: name, error: messageOf(error) })
      return false
    } finally {
      plan(waitMs)
    }
  }
  const runOnce = (early: boolean): Promise<boolean> => {
    if (stopping.aborted) return Promise.resolve(false)
    running ??= attempt(early).finally(() => {
      running = null
    })
    return running
  }
  const runNow = (): Promise<boolean> => {
    if (!running) return runOnce(true)
    again ??= running.then(() => {
      again = null
      return runOnce(true)
    })
    return again
  }
  const halt = async () => {
    clearTimeout(timer)
    await running
    await heldLease?.release({ afterMs: 0 })
    heldLease = null
  }
  plan(0)
  return { runNow, halt }
}

/** Why a run failed, and whether an own store was away. */
interface Failure {
  readonly reason: string
  readonly isOwn: boolean
}

/** Runs a task until it ends or is aborted. Returns its error. */
async function runUnderLease(
  { owner, stopping, log }: LoopDeps,
  name: string,
  job: JobDeclaration,
  lease: Lease,
): Promise<Failure | undefined> {
  const run = new AbortController()
  const ends = [lease.signal, stopping]
  const abort = () => run.abort(ends.find(({ aborted }) => aborted)?.reason)
  for (const signal of ends) signal.addEventListener('abort', abort)
  try {
    if (ends.some(({ aborted }) => aborted)) abort()
    await job.run(owner, run.signal)
  } catch (error) {
    if (!run.signal.aborted) return { reason: messageOf(error), isOwn: blameOf(error) === 'own_store' }
  } finally {
    for (const signal of ends) signal.removeEventListener('abort', abort)
    if (lease.signal.aborted) log.warn('a job lost its lease', { job: name })
  }
  return undefined
}

/** Releases the lease and returns when the task is due again. */
async function releaseLease(
  { stopping, log }: LoopDeps,
  name: string,
  job: JobDeclaration,
  lease: Lease,
  failure?: Failure,
) {
  if (failure === undefined) {
    const afterMs = stopping.aborted ? 0 : job.everyMs
    await lease.release({ afterMs })
    return afterMs
  }
  const { reason: error, isOwn } = failure
  if (isOwn) {
    // A store that comes back finds the task due soon, however long it was away.
    const afterMs = Math.max(awayMs, Math.min(job.everyMs, awayMaxMs))
    log.warn('a job waits for a store', { job: name, error, next_ms: afterMs })
    await lease.release({ afterMs, provesNothing: true })
    return afterMs
  }
  const afterMs = backoff(job.everyMs, lease.failures)
  log.error('a job failed', { job: name, error, failures: lease.failures + 1, next_ms: afterMs })
  await lease.release({ afterMs, error })
  return afterMs
}

/** Adds a random delay, so that processes do not start at the same time. */
const spread = (waitMs: number, random: () => number) =>
  waitMs + random() * Math.min(1_000, Math.max(50, waitMs * jitterShare))

const backoff = (everyMs: number, failures: number) =>
  Math.max(everyMs, Math.min(backoffMaxMs, everyMs * 2 ** Math.min(failures + 1, 20)))
