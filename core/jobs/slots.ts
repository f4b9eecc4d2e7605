import type { AnyQueue } from '../contracts/queue'

/**
 * For each queue, a process runs at most this many times `atOnce` jobs, so that slow jobs of one agency do
 * not block others.
 */
const agenciesAtOnce = 8

/** The jobs that a worker may take next. */
export interface QueueLook {
  readonly queues: readonly string[]
  /** Tenants without a free slot, or that must let others go first. */
  readonly without: readonly string[]
}

/** The slots of a worker: how many jobs of each queue each tenant runs. */
export interface JobSlots {
  /** Returns what to search for, in this order. Tenants that run fewer jobs of a queue come first. */
  looks(): QueueLook[]
  /** Takes a slot and returns the function that releases it. */
  enter(queue: string, tenant: string): () => void
}

export function createJobSlots(queues: ReadonlyMap<string, AnyQueue>): JobSlots {
  const running = new Map([...queues.keys()].map((name) => [name, new Map<string, number>()]))

  const looksFor = (name: string, { atOnce = 1 }: AnyQueue): QueueLook[] => {
    const counts = running.get(name) ?? new Map<string, number>()
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
    if (all >= atOnce * agenciesAtOnce) return []
    const levels = [...new Set(counts.values())].filter((count) => count < atOnce).sort((a, b) => a - b)
    return [0, ...levels].map((level) => ({
      queues: [name],
      without: [...counts].filter(([, count]) => count > level).map(([tenant]) => tenant),
    }))
  }
  return {
    looks() {
      const idle = [...queues.keys()].filter((name) => running.get(name)?.size === 0)
      const busy = [...queues].filter(([name]) => !idle.includes(name))
      return [
        ...(idle.length > 0 ? [{ queues: idle, without: [] }] : []),
        ...busy.flatMap(([name, queue]) => looksFor(name, queue)),
      ]
    },
    enter(queue, tenant) {
      const counts = running.get(queue) ?? new Map<string, number>()
      running.set(queue, counts)
      counts.set(tenant, (counts.get(tenant) ?? 0) + 1)
      return () => {
        const left = (counts.get(tenant) ?? 1) - 1
        if (left > 0) counts.set(tenant, left)
        else counts.delete(tenant)
      }
    },
  }
}
