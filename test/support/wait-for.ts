interface Options {
  readonly what: string
  /** For what takes longer than `patienceMs`. Less has no effect. */
  readonly timeoutMs?: number
  readonly everyMs?: number
}

/** How long a test waits at least, however quick the awaited thing is: the machine may be busy with other things. */
const patienceMs = 45_000

/**
 * The limit of what must not wait for a time limit of its own. It takes a second or so. The limit is far above that, so
 * that a busy machine does not exceed it.
 */
export const soonMs = 20_000

/**
 * Whether something happens within a time. For what may rightly never happen, such as one more question of a process that has
 * none left: the test must go on either way. `waitFor` waits longer than it is told, because it fails in the end.
 */
export async function happensWithin(ms: number, ask: () => boolean | Promise<boolean>): Promise<boolean> {
  const end = performance.now() + ms
  while (!(await ask())) {
    if (performance.now() > end) return false
    await Bun.sleep(10)
  }
  return true
}

/** Asks until the answer is neither null, undefined nor false, and returns it. What it throws is thrown at once. */
export async function waitFor<T>(
  ask: () => T | Promise<T>,
  { what, timeoutMs = patienceMs, everyMs = 25 }: Options,
): Promise<NonNullable<Exclude<T, false>>> {
  const limitMs = Math.max(timeoutMs, patienceMs)
  const end = performance.now() + limitMs
  for (;;) {
    const answer = await ask()
    if (answer !== null && answer !== undefined && answer !== false)
      return answer as NonNullable<Exclude<T, false>>
    if (performance.now() > end) throw new Error(`waited ${limitMs} ms in vain for ${what}`)
    await Bun.sleep(everyMs)
  }
}

/**
 * Waits until a count has grown by so much, and a random moment more: what is killed then is killed under load, however
 * slow the machine is. Now and then it waits for the moment alone, which may fall into a start.
 */
export async function hasGoneOn(count: () => number, by: number): Promise<void> {
  const wanted = count() + by
  if (Math.random() < 0.75) {
    await waitFor(() => count() >= wanted, { what: 'the load to go on', timeoutMs: 60_000, everyMs: 10 })
  }
  await Bun.sleep(Math.random() * 250)
}

/**
 * Work of a stand-in that takes about so long, the pause of a sender between two requests, or the moment of a kill. Nothing that is
 * asserted may depend on how long it takes: what is awaited is awaited by `waitFor`.
 */
export const passTime = (ms: number): Promise<void> => Bun.sleep(ms)

/** Lets the event loop go round so often, for what happens in this process without waiting for anything outside. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}
