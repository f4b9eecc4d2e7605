import { Refusal } from '../contracts/errors'
import { CancelledError, operatorTenant, systemTenant, TimedOutError, type Work } from './scope'

export interface FairQueueOptions {
  /** The name of the shared resource in errors: "scans". */
  readonly name: string
  /** Simultaneous tasks. */
  readonly slots: number
  /** Simultaneous tasks of one tenant. */
  readonly perTenant: number
  /** Maximum waiting tasks of one tenant. More are refused with 429. */
  readonly waitingMax: number
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number
  /** Starts a waiting task in a separate turn of the event loop, so that others can run in between. */
  readonly defer?: (start: () => void) => void
}

/** Shares slots fairly between tenants. */
export interface FairQueue {
  /**
   * Runs a task when a slot is free. The tenant that used the least time goes first. Throws a Refusal if too
   * many tasks of the tenant wait, `TimedOutError` if its time is over before it could run, and
   * `CancelledError` if the caller disconnected.
   */
  run<T>(
    work: Pick<Work, 'tenant' | 'signal' | 'leftMs'>,
    task: () => Promise<T>,
    more?: {
      /** Set if the work was accepted before, so that it is not refused even if many tasks wait. */
      readonly isEntered: boolean
    },
  ): Promise<T>
  /** Takes a slot without a tenant if nothing runs or waits. Returns the function that releases the slot. */
  holdIfIdle(): (() => void) | undefined
  /** How many tasks run and wait. */
  load(): { readonly running: number; readonly waiting: number }
}

/** Slots that only operators' commands use, next to those of everybody else. */
const operatorSlots = 2

interface Tenant {
  running: number
  /** Used time, on the same scale for all. A returning tenant starts at the least of the current ones. */
  used: number
  readonly waiting: Set<() => void>
}

/**
 * Start-time fair queueing over the run time of tasks. Commands of operators have slots of their own, because they never wait
 * behind users.
 */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const shared = createSharedQueue(options)
  const own = createSharedQueue({
    name: options.name,
    slots: operatorSlots,
    perTenant: operatorSlots,
    waitingMax: Number.POSITIVE_INFINITY,
    ...(options.now ? { now: options.now } : {}),
    ...(options.defer ? { defer: options.defer } : {}),
  })
  return {
    holdIfIdle: shared.holdIfIdle,
    load() {
      const one = shared.load()
      const other = own.load()
      return { running: one.running + other.running, waiting: one.waiting + other.waiting }
    },
    run: (work, ...more) => (work.tenant === operatorTenant ? own : shared).run(work, ...more),
  }
}

function createSharedQueue(options: FairQueueOptions): FairQueue {
  const { name, slots, perTenant, waitingMax, now = () => performance.now() } = options
  const { defer = (start) => void setImmediate(start) } = options
  const tenants = new Map<string, Tenant>()
  let running = 0
  let isPlanned = false

  const tenantOf = (id: string): Tenant => {
    const known = tenants.get(id)
    if (known) return known
    let used = tenants.size === 0 ? 0 : Number.POSITIVE_INFINITY
    for (const other of tenants.values()) used = Math.min(used, other.used)
    const made: Tenant = { running: 0, used, waiting: new Set() }
    tenants.set(id, made)
    return made
  }
  const occupy = (tenant: Tenant) => {
    running++
    tenant.running++
  }
  const next = (): Tenant | undefined => {
    if (running >= slots) return undefined
    let best: Tenant | undefined
    for (const tenant of tenants.values()) {
      if (tenant.waiting.size === 0 || tenant.running >= perTenant) continue
      if (!best || tenant.used < best.used) best = tenant
    }
    return best
  }
  /** Starts one waiting task in each turn of the event loop, for as long as there are free slots. */
  const plan = () => {
    if (isPlanned || !next()) return
    isPlanned = true
    defer(() => {
      isPlanned = false
      const [start] = next()?.waiting ?? []
      start?.()
      plan()
    })
  }
  const release = () => {
    running--
    plan()
  }
  const leave = (id: string, tenant: Tenant) => {
    if (tenant.running === 0 && tenant.waiting.size === 0) tenants.delete(id)
  }
  return {
    holdIfIdle() {
      if (running > 0 || tenants.size > 0) return undefined
      running++
      return release
    },
    load: () => ({
      running,
      waiting: [...tenants.values()].reduce((sum, { waiting }) => sum + waiting.size, 0),
    }),
    async run(work, task, { isEntered } = { isEntered: work.tenant === systemTenant }) {
      // The tenant of a request changes when its credential is known.
      const id = work.tenant
      const tenant = tenantOf(id)
      const isFree = running < slots && tenant.running < perTenant && tenant.waiting.size === 0
      if (isFree) occupy(tenant)
      else {
        if (tenant.waiting.size >= waitingMax && !isEntered) throw crowded(name, waitingMax)
        try {
          await turn(work, tenant, () => occupy(tenant))
        } catch (error) {
          leave(id, tenant)
          throw error
        }
      }
      const began = now()
      try {
        return await task()
      } finally {
        running--
        tenant.running--
        tenant.used += now() - began
        leave(id, tenant)
        plan()
      }
    },
  }
}

/** Waits until the queue calls `start`, the time is over or the caller disconnects. */
function turn(
  { signal, leftMs }: Pick<Work, 'signal' | 'leftMs'>,
  { waiting }: Tenant,
  occupy: () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      waiting.delete(start)
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancelled)
    }
    const start = () => {
      end()
      occupy()
      resolve()
    }
    const cancelled = () => {
      end()
      reject(new CancelledError())
    }
    const late = () => {
      end()
      reject(new TimedOutError(false))
    }
    const left = leftMs()
    const timer = Number.isFinite(left) ? setTimeout(late, left) : undefined
    waiting.add(start)
    signal?.addEventListener('abort', cancelled)
    if (signal?.aborted) cancelled()
  })
}

const crowded = (name: string, waitingMax: number) =>
  new Refusal('quota_exceeded', `More than ${waitingMax} ${name} of your agency are waiting.`, {
    retryAfterSeconds: 5,
    hint: 'Send fewer requests at once, or narrow your filters.',
    extra: { 'violated-policies': [`concurrent-${name}`] },
  })
