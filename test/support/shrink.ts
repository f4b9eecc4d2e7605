export interface ShrinkOptions<T> {
  /** Lesser forms of one step, the least first. */
  readonly simpler?: (step: T) => readonly T[]
  /** No further try is begun after so long. */
  readonly budgetMs?: number
}

/**
 * A short list of steps that still fails: steps are dropped in ever smaller runs, then each is made simpler. `fails` plays a
 * list from its beginning and says whether it fails in the same way.
 */
export async function shrink<T>(
  steps: readonly T[],
  fails: (steps: readonly T[]) => Promise<boolean>,
  { simpler = () => [], budgetMs = 60_000 }: ShrinkOptions<T> = {},
): Promise<readonly T[]> {
  const until = performance.now() + budgetMs
  const isOver = () => performance.now() > until
  let kept = steps
  const attempt = async (next: readonly T[]) => {
    if (isOver() || !(await fails(next))) return false
    kept = next
    return true
  }
  for (let size = Math.ceil(kept.length / 2); size >= 1; ) {
    let isShorter = false
    // From the end: what fails late needs what came before it more than what came after.
    for (let from = kept.length - size; from > -size; from -= size) {
      const at = Math.max(0, from)
      isShorter = (await attempt([...kept.slice(0, at), ...kept.slice(at + size)])) || isShorter
    }
    if (size > 1) size = Math.floor(size / 2)
    else if (!isShorter || isOver()) break
  }
  for (let place = 0; place < kept.length; place++) {
    for (let isSimpler = true; isSimpler && !isOver(); ) {
      isSimpler = false
      for (const lesser of simpler(kept[place] as T)) {
        isSimpler = await attempt(kept.with(place, lesser))
        if (isSimpler) break
      }
    }
  }
  return kept
}
