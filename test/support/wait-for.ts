interface Options {
  readonly what: string
  readonly timeoutMs?: number
  readonly everyMs?: number
}

/** Asks until the answer is neither null, undefined nor false, and returns it. What it throws is thrown at once. */
export async function waitFor<T>(
  ask: () => T | Promise<T>,
  { what, timeoutMs = 10_000, everyMs = 25 }: Options,
): Promise<NonNullable<Exclude<T, false>>> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (answer !== null && answer !== undefined && answer !== false)
      return answer as NonNullable<Exclude<T, false>>
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`)
    await Bun.sleep(everyMs)
  }
}
