/** Gives the event loop to other work. `of` names the sender, whose own bodies wait for each other. */
export type NextTurn = (of: string) => Promise<void>

interface Waiting {
  readonly resume: () => void
  /** The start of the turn in the order of all senders. */
  readonly at: number
}

/**
 * Creates the turns of the bodies that are read at the same time. Each turn of the event loop resumes one body only, so the loop
 * serves small requests between any two slices, however many bodies wait. The sender with the fewest turns goes first.
 */
export function createTurns(defer: (work: () => void) => void = setImmediate): NextTurn {
  const queues = new Map<string, Waiting[]>()
  let clock = 0
  let isPlanned = false

  function next(): Waiting | undefined {
    let first: string | undefined
    for (const [of, [head]] of queues) {
      const best = first === undefined ? undefined : queues.get(first)?.[0]
      if (head && (!best || head.at < best.at)) first = of
    }
    if (first === undefined) return undefined
    const queue = queues.get(first)
    const turn = queue?.shift()
    if (queue?.length === 0) queues.delete(first)
    return turn
  }

  function run() {
    isPlanned = false
    const turn = next()
    if (!turn) return
    clock = Math.max(clock, turn.at)
    if (queues.size > 0) plan()
    turn.resume()
  }

  function plan() {
    if (isPlanned) return
    isPlanned = true
    defer(run)
  }

  return (of) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const queue = queues.get(of) ?? []
    queue.push({ resume: resolve, at: (queue.at(-1)?.at ?? clock) + 1 })
    queues.set(of, queue)
    plan()
    return promise
  }
}
