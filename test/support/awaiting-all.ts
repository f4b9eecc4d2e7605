import type { OwnerContext } from '../../core/contracts/plugin'

interface Watched {
  readonly late: OwnerContext
  /** The calls that have no answer yet. */
  readonly open: Map<object, string>
  runs: number
}

const watched = new WeakMap<OwnerContext, Watched>()

/** Watches the calls of another object, such as the task of a job, together with those of the context. */
type WatchToo = <T extends object>(name: string, target: T) => T

/**
 * Runs work in the system context, where each answer comes a turn of the event loop late. Throws when the work ends before
 * one of its calls: a missing `await` lets a process stop before the write, and hides the error of a failed one. Work that
 * fails must only have ended its writes: of several reads at once, one may fail before the others have ended.
 */
export async function awaitingAll<T>(
  owner: OwnerContext,
  run: (ctx: OwnerContext, watchToo: WatchToo) => Promise<T>,
): Promise<T> {
  const known = watched.get(owner) ?? watch(owner)
  watched.set(owner, known)
  known.runs++
  const requireEnded = (isMeant: (call: string) => boolean, options?: ErrorOptions) => {
    const open = [...known.open.values()].filter(isMeant)
    // Calls of a run beside this one may still be open.
    if (known.runs === 1 && open.length > 0)
      throw new Error(`The work ended before these calls: ${open.join(', ')}`, options)
  }
  try {
    const answer = await run(known.late, (name, target) => lateCalls(target, name, known.open))
    requireEnded(() => true)
    return answer
  } catch (error) {
    requireEnded((call) => writes.test(call), { cause: error })
    throw error
  } finally {
    known.runs--
  }
}

const writes = /\.(insert|update\w*|remove\w*|began|ended|notify|publish|enqueue|recordAudit|save)$/

function watch(owner: OwnerContext): Watched {
  const open = new Map<object, string>()
  return { late: lateCalls(owner, 'ctx', open), open, runs: 0 }
}

/** The parts of a context whose own calls are watched too. */
const parts = new Set<string>(['syncs', 'rows', 'outbound', 'model'])

/** A copy of an object whose calls are watched. A context is frozen, and a proxy of it could not answer otherwise. */
function lateCalls<T extends object>(target: T, path: string, open: Map<object, string>): T {
  const late = (name: string, value: unknown): unknown => {
    const here = `${path}.${name}`
    if (typeof value === 'object' && value !== null && parts.has(name)) return lateCalls(value, here, open)
    if (typeof value !== 'function') return value
    return (...given: unknown[]) => {
      const made: unknown = Reflect.apply(value, target, given)
      if (made instanceof Promise) return lateAnswer(made, here, open)
      return typeof made === 'object' && made !== null && parts.has(name) ? lateCalls(made, here, open) : made
    }
  }
  return Object.fromEntries(Object.entries(target).map(([name, value]) => [name, late(name, value)])) as T
}

async function lateAnswer(answer: Promise<unknown>, path: string, open: Map<object, string>) {
  const call = {}
  open.set(call, path)
  try {
    return await answer
  } finally {
    await new Promise((resolve) => setImmediate(resolve))
    open.delete(call)
  }
}
