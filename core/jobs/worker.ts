import * as v from 'valibot'
import type { Log, OwnerContext } from '../contracts/plugin'
import type { AnyQueue, Task } from '../contracts/queue'
import { type Blame, blameOf, type FaultInfo, faultInfo } from '../contracts/service-fault'
import { toStorable } from '../contracts/values'
import type { Clock } from '../process/clock'
import { newId } from '../process/ids'
import type { Documents } from '../stores/documents/port'
import { longWork, runWork } from '../work/scope'
import { traced } from '../work/traces'
import {
  type ClaimedJob,
  claim,
  createOwnTime,
  freeJobs,
  LostLease,
  type QueueDeps,
  type QueueTimes,
  queueTimes,
  tenantOf,
} from './queue'
import { createJobSlots } from './slots'

/** Polling interval of a queue without notifications. */
const pollMs = 2_000
const stopMs = 4_000
const attemptsMaxDefault = 8

export interface WorkerDeps {
  readonly queues: ReadonlyMap<string, AnyQueue>
  readonly documents: Documents
  readonly owner: OwnerContext
  readonly clock: Clock
  readonly log: Log
  readonly random?: () => number
  /** Whether jobs of a workspace run. Jobs of an inactive workspace wait. Default: all run. */
  readonly isWorkedOn?: (workspaceId: string) => Promise<boolean>
  /** Intervals of leases and polling, for tests. */
  readonly times?: Partial<QueueTimes>
  readonly pollEveryMs?: number
}

/** Runs the jobs of every queue in this process. */
export interface Worker {
  /** Notifies the worker of a new job in this process. */
  wake(): void
  /** Takes no more jobs, aborts the running ones and waits for them, at most 4 s. */
  stop(): Promise<void>
}

/**
 * Runs queued jobs in this process. Several processes of one store share the work. Each job runs in one process,
 * whose lease ends without heartbeats. Jobs return to the queue when the process stops or dies.
 */
export function startWorker(deps: WorkerDeps): Worker {
  const { queues, documents, clock, log, random = Math.random, pollEveryMs = pollMs } = deps
  const times = { ...queueTimes, ...deps.times }
  const holder = newId('run', clock.now())
  const isWorkedOn = deps.isWorkedOn ?? allRun
  const queue: QueueDeps = { documents, clock, holder, times, random, isWorkedOn }
  const ownTime = createOwnTime(clock)
  const stopping = new AbortController()
  const slots = createJobSlots(queues)
  const running = new Set<Promise<void>>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let looking: Promise<void> | null = null
  let isWanted = false
  let awayAt = Number.NEGATIVE_INFINITY
  /** Holders that live send a heartbeat in this time after an outage, or record that their jobs ended. */
  const graceMs = 2 * times.beatMs

  const begin = (claimed: ClaimedJob) => {
    const leave = slots.enter(claimed.row.queue, tenantOf(claimed.row))
    const run = runJob(deps, claimed, stopping.signal, times).finally(() => {
      running.delete(run)
      leave()
      wake()
    })
    running.add(run)
  }
  /** Starts a job, if one is due. Otherwise returns when the next one is. */
  const lookOnce = async (): Promise<number> => {
    let soonestMs = Number.POSITIVE_INFINITY
    for (const one of slots.looks()) {
      const leavesRunning = performance.now() - awayAt < graceMs
      const { held: claimed, waitMs } = await claim(queue, one, ownTime, { leavesRunning })
      if (claimed) {
        begin(claimed)
        return 0
      }
      soonestMs = Math.min(soonestMs, waitMs)
    }
    return soonestMs
  }
  const look = async (): Promise<number> => {
    for (;;) {
      if (stopping.signal.aborted) return Number.POSITIVE_INFINITY
      isWanted = false
      const waitMs = await lookOnce()
      if (waitMs > 0 && !isWanted) return waitMs
    }
  }
  const wake = () => {
    isWanted = true
    if (looking || stopping.signal.aborted) return
    clearTimeout(timer)
    let waitMs = pollEveryMs
    looking = look()
      .then((dueMs) => {
        waitMs = Math.min(dueMs, pollEveryMs)
      })
      .catch((error) => {
        if (blameOf(error) === 'own_store') awayAt = performance.now()
        log.warn('the queues could not be read', { error: faultInfo(error).message })
      })
      .finally(() => {
        looking = null
        if (!stopping.signal.aborted) timer = setTimeout(wake, waitMs + random() * 50)
      })
  }
  // Previous holders of jobs have ended, because an embedded store has one process at a time.
  const ready = documents.kind === 'sqlite' ? freeJobs(documents) : Promise.resolve()
  ready
    .catch((error) =>
      log.warn('jobs of the previous run wait until their leases expire', { error: String(error) }),
    )
    .then(wake)
  return {
    wake,
    async stop() {
      clearTimeout(timer)
      stopping.abort(new Error('The product is stopping'))
      await looking
      await Promise.race([Promise.allSettled([...running]), Bun.sleep(stopMs)])
    },
  }
}

/** Runs one job to its end. Never throws. If the store is down, the job ends with its lease. */
async function runJob(
  deps: WorkerDeps,
  claimed: ClaimedJob,
  stopping: AbortSignal,
  times: QueueTimes,
): Promise<void> {
  const { log } = deps
  const { id, queue: name, attempt } = claimed.row
  const what = { queue: name, job_id: id, attempt }
  try {
    const span = { name: `job ${name}`, sort: 'internal', values: jobValues(claimed) } as const
    const outcome = await traced(span, async (note) => {
      const end = await attemptJob(deps, claimed, stopping, times)
      note({ 'renown.job.outcome': end })
      return end
    })
    // A failed job was already logged with its reason. Waiting for a limit is not a problem.
    if (outcome.startsWith('waits for')) log.debug(`a job ${outcome}`, what)
    else if (outcome !== 'done' && outcome !== 'is given up') log.warn(`a job ${outcome}`, what)
  } catch (error) {
    if (error instanceof LostLease) log.warn('a job lost its lease', what)
    else log.error('the end of a job could not be recorded', { ...what, error: faultInfo(error).message })
  }
}

const jobValues = ({ row }: ClaimedJob) => ({ 'renown.job.id': row.id, 'renown.job.attempt': row.attempt })

/** Thrown if the workspace became inactive while the job ran. */
class InactiveWorkspace extends Error {
  override readonly name = 'InactiveWorkspace'
}

const allRun = async () => true

type Outcome =
  | 'done'
  | 'was put back'
  | 'waits for its workspace'
  | 'waits for a limit'
  | 'waits for a store'
  | 'will be tried again'
  | 'is given up'

const outcomes: Readonly<Record<Blame, Outcome>> = {
  own_store: 'waits for a store',
  limit: 'waits for a limit',
  service: 'will be tried again',
  input: 'will be tried again',
}

async function attemptJob(
  deps: WorkerDeps,
  claimed: ClaimedJob,
  stopping: AbortSignal,
  times: QueueTimes,
): Promise<Outcome> {
  const declared = deps.queues.get(claimed.row.queue)
  if (!declared) throw new Error(`There is no queue ${claimed.row.queue}`)
  const { attemptsMax = attemptsMaxDefault } = declared
  if (claimed.row.attempt > attemptsMax) {
    const lost: FaultInfo = { kind: 'transient', code: 'worker_lost', message: 'Its process died each time' }
    return deadLetter(deps, declared, claimed, lost)
  }
  const payload = v.safeParse(declared.payload, claimed.row.payload)
  if (!payload.success) {
    const message = payload.issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`).join('; ')
    return deadLetter(deps, declared, claimed, {
      kind: 'permanent',
      code: 'payload',
      message: toStorable(message.slice(0, 500)),
    })
  }
  const lease = keepLease(claimed, stopping, times, deps.isWorkedOn ?? allRun)
  try {
    return await heldAttempt(deps, { declared, claimed, lease, payload: payload.output }, stopping, times)
  } catch (error) {
    if (error instanceof LostLease && lease.wasAway())
      await recorded(() => claimed.forgive(), stopping, times)
    throw error
  } finally {
    lease.end()
  }
}

interface HeldJob {
  readonly declared: AnyQueue
  readonly claimed: ClaimedJob
  readonly lease: ReturnType<typeof keepLease>
  readonly payload: unknown
}

/** Runs a job whose lease is held, and records how it ended. */
async function heldAttempt(
  deps: WorkerDeps,
  { declared, claimed, lease, payload }: HeldJob,
  stopping: AbortSignal,
  times: QueueTimes,
): Promise<Outcome> {
  const { attemptsMax = attemptsMaxDefault } = declared
  try {
    const work = longWork(tenantOf(claimed.row), lease.signal)
    await runWork(work, () => declared.run(deps.owner, payload, taskOf(claimed, lease)))
  } catch (error) {
    lease.end()
    if (error instanceof LostLease) throw error
    if (lease.signal.reason instanceof InactiveWorkspace)
      return claimed.putOff().then(() => 'waits for its workspace' as const)
    if (stopping.aborted && lease.signal.aborted)
      return claimed.giveBack().then(() => 'was put back' as const)
    // The lease ended because the documents were away, so what the job says of its end is a consequence.
    const reason = blameOf(lease.signal.reason) === 'own_store' ? lease.signal.reason : error
    deps.log.debug('a job failed', { job_id: claimed.row.id, error: faultInfo(error).message })
    if ((await recorded(() => claimed.failed(reason, attemptsMax), stopping, times)) === 'again') {
      return outcomes[blameOf(reason)]
    }
    return deadLetter(deps, declared, claimed, faultInfo(error))
  }
  lease.end()
  await recorded(() => claimed.done(), stopping, times)
  return 'done'
}

/**
 * Records the end of a job, and tries again while the documents are away. Otherwise a job that is done would run again when
 * they are back. Another process may take the job over in the meantime; then this one has lost its lease.
 */
async function recorded<T>(
  record: () => Promise<T>,
  stopping: AbortSignal,
  { recordEveryMs }: Pick<QueueTimes, 'recordEveryMs'>,
): Promise<T> {
  for (;;) {
    try {
      return await record()
    } catch (error) {
      if (blameOf(error) !== 'own_store' || stopping.aborted) throw error
      await Bun.sleep(recordEveryMs)
    }
  }
}

async function deadLetter(
  { owner, log }: WorkerDeps,
  declared: AnyQueue,
  claimed: ClaimedJob,
  error: FaultInfo,
) {
  const { id, workspace_id, attempt, saved = {}, payload } = claimed.row
  log.error('a job became a dead letter', {
    queue: claimed.row.queue,
    job_id: id,
    attempt,
    error: error.message,
  })
  try {
    await claimed.beat()
    await declared.onDeadLetter?.(owner, payload, error, { id, workspace_id, attempt, saved })
  } catch (failure) {
    if (failure instanceof LostLease) throw failure
    log.error('the handler of a dead letter failed', { job_id: id, error: faultInfo(failure).message })
  }
  await claimed.deadLetter(error)
  return 'is given up' as const
}

/** Sends heartbeats for a running job. The signal aborts when they fail or the product stops. */
function keepLease(
  claimed: ClaimedJob,
  stopping: AbortSignal,
  { beatMs, leaseMs }: QueueTimes,
  isWorkedOn: (workspaceId: string) => Promise<boolean>,
) {
  const run = new AbortController()
  const stop = () => run.abort(stopping.reason)
  if (stopping.aborted) stop()
  stopping.addEventListener('abort', stop)
  let heard = performance.now()
  let wasAway = false
  /** Throws and aborts the job if its workspace is inactive. */
  const hold = async () => {
    if (!(await isWorkedOn(claimed.row.workspace_id))) {
      const reason = new InactiveWorkspace(`The workspace ${claimed.row.workspace_id} is inactive`)
      run.abort(reason)
      throw reason
    }
    await claimed.beat()
  }
  const beat = async () => {
    try {
      await hold()
      heard = performance.now()
      wasAway = false
    } catch (error) {
      const isSilent = performance.now() - heard > leaseMs
      wasAway ||= blameOf(error) === 'own_store'
      if (error instanceof LostLease || isSilent) run.abort(error)
    }
  }
  const timer = setInterval(beat, beatMs)
  return {
    signal: run.signal,
    hold,
    /** Whether the last heartbeat could not be sent because the documents were away. */
    wasAway: () => wasAway,
    end() {
      clearInterval(timer)
      stopping.removeEventListener('abort', stop)
    },
  }
}

function taskOf(
  claimed: ClaimedJob,
  { signal, hold }: Pick<ReturnType<typeof keepLease>, 'signal' | 'hold'>,
): Task {
  const { id, workspace_id, attempt, saved = {} } = claimed.row
  return {
    id,
    workspace_id,
    attempt,
    signal,
    saved,
    hold,
    progress: (at) => claimed.progress(at),
    save: (state) => claimed.save(state),
  }
}
