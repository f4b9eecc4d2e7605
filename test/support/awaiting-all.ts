import type { OwnerContext } from '../../core/contracts/plugin'

interface Watched {
  readonly late: OwnerContext
  /** The calls that have no answer yet. */
  readonly open: Map<object, string>
  runs: number
}

const watched = new WeakMap<OwnerContext, Watched>()

/**
 * Runs work in the system context, where each answer comes a turn of the event loop late. Throws when the work ends before
 * one of its calls: a missing `await` lets a process stop before the write, and hides the error of a failed one.
 */
export async function awaitingAll<T>(
  owner: OwnerContext,
  run: (ctx: OwnerContext) => Promise<T>,
): Promise<T> {
  const known = watched.get(owner) ?? watch(owner)
  watched.set(owner, known)
  known.runs++
  try {
    const answer = await run(known.late)
    // Calls of a run beside this one may still be open.
    if (known.runs === 1 && known.open.size > 0)
      throw new Error(`The work ended before these calls: ${[...known.open.values()].join(', ')}`)
    return answer
  } finally {
    known.runs--
  }
}

function watch(owner: OwnerContext): Watched {
  const open = new Map<object, string>()
  return { late: lateCalls(owner, 'ctx', open), open, runs: 0 }
}

/** The parts of a context whose own calls are watched too. */
const parts = new Set<string>(['syncs', 'rows'])

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
