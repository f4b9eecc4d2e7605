import type { Enqueued } from '../contracts/enqueue'
import type { Row } from '../contracts/entity'
import type { Progress } from '../contracts/queue'
import {
  type Blame,
  blameOf,
  type FaultInfo,
  faultInfo,
  isPassing,
  isServiceFault,
  type ServiceFault,
  usesAttempt,
} from '../contracts/service-fault'
import { dayMs, hourMs } from '../contracts/time'
import { type Where, where } from '../contracts/where'
import type { Clock } from '../process/clock'
import { newId } from '../process/ids'
import { ConflictError, type Documents, type Patch } from '../stores/documents/port'
import { Job } from './Job'
import type { QueueLook } from './slots'

export type JobRow = Row<typeof Job>
type JobPatch = Patch<typeof Job>

/** How long a holder may miss heartbeats, how often it sends one, and how long ended jobs are kept. */
export const queueTimes = {
  leaseMs: 30_000,
  beatMs: 10_000,
  doneKeptMs: 7 * dayMs,
  failedKeptMs: 30 * dayMs,
  /** A job that waits only for quotas or an own store ends after this time. */
  waitingMaxMs: 7 * dayMs,
  /** How long jobs of an inactive workspace wait before the next check. */
  inactiveMs: 60_000,
  /** How often the end of a job is recorded again while the documents are away. */
  recordEveryMs: 250,
} as const
export type QueueTimes = { readonly [K in keyof typeof queueTimes]: number }

export interface QueueDeps {
  readonly documents: Documents
  readonly clock: Clock
  /** The name of this process, unique among all. */
  readonly holder: string
  readonly times: QueueTimes
  readonly random: () => number
  /** Whether jobs of a workspace run now. */
  readonly isWorkedOn: (workspaceId: string) => Promise<boolean>
}

export interface NewJob {
  readonly queue: string
  readonly workspace_id: string
  /** The agency. Default: the workspace itself. */
  readonly tenant?: string
  readonly payload: Record<string, unknown>
  readonly key?: string | undefined
  readonly runAt?: Date | undefined
}

/** Another process has the job, so this process may not write to it. */
export class LostLease extends Error {
  override readonly name = 'LostLease'
}

/** Adds a job, or returns the queued or running job with its key, even if that job is about to end. */
export async function enqueue(documents: Documents, clock: Clock, job: NewJob): Promise<Enqueued> {
  const jobs = documents.collection(Job)
  const now = clock.now()
  const stamp = now.toISOString()
  const id = newId(Job.idPrefix, now)
  const key = job.key ?? id
  const row: JobRow = {
    ...(job.tenant === undefined ? {} : { tenant: job.tenant }),
    id,
    workspace_id: job.workspace_id,
    created_date: stamp,
    updated_date: stamp,
    queue: job.queue,
    key,
    state: 'queued',
    is_active: true,
    payload: job.payload,
    due_at: (job.runAt ?? now).toISOString(),
    attempt: 0,
    waits: 0,
    fence: 0,
  }
  const same = where.and(
    where.eq('queue', job.queue),
    where.eq('key', key),
    where.eq('workspace_id', job.workspace_id),
    where.eq('is_active', true),
  )
  for (;;) {
    try {
      await jobs.insert(row)
      return { job_id: id, deduplicated: false }
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
    }
    const [active] = await jobs.find({ where: same, limit: 1 })
    if (active) return { job_id: active.id, deduplicated: true }
  }
}

/** Makes the jobs of an ended process due now. For a store that only one process uses. */
export async function freeJobs(documents: Documents): Promise<void> {
  const running = where.and(where.eq('is_active', true), where.eq('state', 'running'))
  await documents.collection(Job).updateMany(running, { inc: { fence: 1 }, setNow: { due_at: 0 } })
}

/** A job that this process runs. Changes are refused if another process has taken it over. */
export interface ClaimedJob {
  readonly row: JobRow
  beat(): Promise<void>
  progress(at: Progress): Promise<void>
  save(state: Readonly<Record<string, unknown>>): Promise<void>
  done(): Promise<void>
  /** Returns the job to the queue unchanged, because the process is stopping. */
  giveBack(): Promise<void>
  /** Returns the job to the queue until its workspace may be active. */
  putOff(): Promise<void>
  /** Reschedules the job, or ends it. Returns which. */
  failed(error: unknown, attemptsMax: number): Promise<'again' | 'dead_letter'>
  deadLetter(error: FaultInfo): Promise<void>
  /**
   * Takes back the attempt of a job that another process has taken over. Its process did not die: the documents were away for longer
   * than its lease.
   */
  forgive(): Promise<void>
}

export interface Claimed {
  readonly held: ClaimedJob | null
  /** Time until the next job is due. */
  readonly waitMs: number
}

const lookAhead = 20

/** Returns the agency whose slots a job uses. */
export const tenantOf = ({ tenant, workspace_id }: JobRow): string => tenant ?? workspace_id

/**
 * Claims the next due job. A read returns the store's clock together with the stored times. The claim works
 * only if fence and time have not changed since, so the clocks of machines can differ.
 *
 * `leavesRunning`: jobs that another process runs are left to it, although their leases are over. After an outage of the documents no
 * holder could send a heartbeat, so an expired lease says nothing.
 */
export async function claim(
  deps: QueueDeps,
  { queues, without }: QueueLook,
  ownTime: OwnTime,
  { leavesRunning = false } = {},
): Promise<Claimed> {
  const jobs = deps.documents.collection(Job)
  const others: Where = { op: 'nin', field: 'tenant', values: without }
  const queued = leavesRunning ? [where.eq('state', 'queued')] : []
  const waiting = where.and(where.eq('is_active', true), where.in('queue', queues), others, ...queued)
  const sort = [{ field: 'due_at', direction: 'asc' }] as const
  const next = await jobs.find({ where: waiting, sort, limit: lookAhead })
  for (const { id, due_at } of next) {
    const early = Date.parse(due_at) - ownTime.now()
    if (early > 0 && !ownTime.isOld()) return { held: null, waitMs: early }
    const look = { setNow: { looked_at: 0 } }
    const seen = await jobs.updateOne(active(id), look, { returning: 'after' })
    if (!seen?.looked_at) continue
    ownTime.heard(seen.looked_at)
    if (seen.due_at > seen.looked_at) continue
    if (!(await deps.isWorkedOn(seen.workspace_id))) {
      await putOff(deps, seen)
      continue
    }
    const taken = await take(deps, seen)
    if (taken) return { held: claimedJob(deps, taken), waitMs: 0 }
  }
  return { held: null, waitMs: next.length < lookAhead ? Number.POSITIVE_INFINITY : 0 }
}

/** Reschedules all due jobs of an inactive workspace with one write. */
async function putOff(
  { documents, times }: QueueDeps,
  { workspace_id, looked_at = '' }: JobRow,
): Promise<void> {
  const due = where.and(
    where.eq('is_active', true),
    where.eq('workspace_id', workspace_id),
    where.lte('due_at', looked_at),
  )
  const later: JobPatch = {
    set: { state: 'queued' },
    inc: { fence: 1 },
    setNow: { due_at: times.inactiveMs },
  }
  await documents.collection(Job).updateMany(due, later)
}

/** This process's estimate of the store's clock. It only decides when to check again. */
export interface OwnTime {
  now(): number
  heard(storeTime: string): void
  /** Whether it was not compared for a minute. */
  isOld(): boolean
}

const comparedEveryMs = 60_000

export function createOwnTime(clock: Clock): OwnTime {
  let aheadMs = 0
  let comparedAt = Number.NEGATIVE_INFINITY
  return {
    now: () => clock.now().getTime() + aheadMs,
    heard: (storeTime) => {
      aheadMs = Date.parse(storeTime) - clock.now().getTime()
      comparedAt = performance.now()
    },
    isOld: () => performance.now() - comparedAt > comparedEveryMs,
  }
}

const active = (id: string): Where => where.and(where.eq('id', id), where.eq('is_active', true))

async function take({ documents, holder, times }: QueueDeps, seen: JobRow): Promise<JobRow | null> {
  const unchanged = where.and(
    active(seen.id),
    where.eq('fence', seen.fence),
    where.eq('state', seen.state),
    where.eq('due_at', seen.due_at),
  )
  const patch: JobPatch = {
    set: { state: 'running', holder },
    inc: { fence: 1, attempt: 1 },
    setNow: { due_at: times.leaseMs, started_at: 0 },
  }
  return documents.collection(Job).updateOne(unchanged, patch, { returning: 'after' })
}

function claimedJob({ documents, times, random }: QueueDeps, row: JobRow): ClaimedJob {
  const mine = where.and(active(row.id), where.eq('fence', row.fence), where.eq('state', 'running'))
  const change = async (patch: JobPatch) => {
    if (await documents.collection(Job).updateOne(mine, patch)) return
    throw new LostLease(`This process no longer holds the job ${row.id}`)
  }
  const end = (state: JobRow['state'], keptMs: number, more: JobPatch = {}) =>
    change({
      ...more,
      set: { ...more.set, state, is_active: false },
      inc: { fence: 1 },
      setNow: { finished_at: 0, expire_at: keptMs },
    })
  const again = (afterMs: number, more: JobPatch) =>
    change({
      ...more,
      set: { ...more.set, state: 'queued' },
      inc: { fence: 1, ...more.inc },
      setNow: { due_at: afterMs },
    })
  const deadLetter = (error: FaultInfo) => end('failed', times.failedKeptMs, { set: { error } })
  return {
    row,
    beat: () => change({ setNow: { due_at: times.leaseMs } }),
    progress: (at) => change({ set: { progress: at }, setNow: { due_at: times.leaseMs } }),
    save: (state) => change({ set: { saved: state }, setNow: { due_at: times.leaseMs } }),
    done: () => end('done', times.doneKeptMs, { unset: ['error'] }),
    giveBack: () => again(0, { inc: { attempt: -1 } }),
    putOff: () => again(times.inactiveMs, { inc: { attempt: -1 } }),
    deadLetter: deadLetter,
    async forgive() {
      const counted = where.and(active(row.id), where.gt('attempt', 0))
      await documents.collection(Job).updateOne(counted, { inc: { attempt: -1 } })
    },
    async failed(error, attemptsMax) {
      const info = faultInfo(error)
      if (!isPassing(info)) return 'dead_letter'
      const blame = blameOf(error)
      // What is not the fault of the job does not count as an attempt.
      const waits = !usesAttempt(error)
      // A job may be planned weeks ahead, so its time counts from the first attempt.
      const first_started_at = row.first_started_at ?? row.started_at ?? row.created_date
      const ageMs = Date.parse(row.started_at ?? row.created_date) - Date.parse(first_started_at)
      if (waits ? ageMs > times.waitingMaxMs : row.attempt >= attemptsMax) return 'dead_letter'
      const afterMs = afterOf(blame, row, error, random)
      await again(afterMs, {
        set: { error: info, first_started_at },
        inc: waits ? { attempt: -1, waits: 1 } : {},
      })
      return 'again'
    },
  }
}

const storeAwayMaxMs = 30_000

/** Returns the wait before the next attempt. */
function afterOf(blame: Blame, { attempt, waits }: JobRow, error: unknown, random: () => number): number {
  if (blame === 'limit' && isServiceFault(error)) return waitOf(error, random)
  if (blame !== 'own_store') return backoff(attempt, random, error)
  return 1_000 + Math.round(random() * Math.min(storeAwayMaxMs, 2_000 * 2 ** Math.min(waits, 20)))
}

const waitDefaultMs = { rate: 60_000, quota: hourMs }
const backoffMaxMs = 15 * 60_000

/** Returns the wait that the service asked for, with a random addition so that processes do not retry at once. */
const waitOf = ({ kind, retryAfterMs }: ServiceFault, random: () => number) => {
  const askedMs = retryAfterMs ?? (kind === 'quota' ? waitDefaultMs.quota : waitDefaultMs.rate)
  return askedMs + Math.round(random() * Math.min(askedMs * 0.1, 60_000))
}

/**
 * Returns a random wait up to a limit that doubles: two seconds, four, eight … fifteen minutes. Never less
 * than the service requested.
 */
const backoff = (attempt: number, random: () => number, error: unknown) => {
  const spreadMs = Math.round(random() * Math.min(backoffMaxMs, 2_000 * 2 ** Math.min(attempt - 1, 20)))
  return Math.max((isServiceFault(error) ? error.retryAfterMs : 0) ?? 0, 1_000 + spreadMs)
}
