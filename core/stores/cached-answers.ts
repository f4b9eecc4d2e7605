import { waitForTurn } from '../work/loop-turns'
import { CancelledError, currentWork } from '../work/scope'

/** A read that may be answered as it was before. */
interface Question<T> {
  /** Two questions with the same text have the same answer, until rows that it may depend on are written. */
  readonly text: string
  /**
   * How often such rows were written. It only grows. Undefined if other processes may write them, then no answer is kept.
   */
  written(): number | undefined
  ask(): Promise<T>
  /** About how many characters an answer takes. */
  sizeOf(answer: T): number
}

/** Answers of reads, each kept until rows that it may depend on are written. */
export interface CachedAnswers {
  /** Returns the kept answer, or asks. Callers share it, so they must not change it. */
  answer<T>(question: Question<T>): Promise<T>
  /** Forgets everything, after writes that nobody counts. */
  clear(): void
}

/** An answer above this size is not kept: it is a part of an export, or is asked for once. */
const oneMax = 1_000_000
/** What all kept answers of a store may take together. */
const allMax = 32_000_000

interface Cached {
  readonly answer: unknown
  readonly at: number
  readonly size: number
}

/**
 * Keeps the answers of a store's reads. A page asks the same questions each time, mostly between two writes. Besides its rows, a
 * scan in the reader thread costs 0.2 ms of processor time, and a statement of chDB 7 ms.
 */
export function createCachedAnswers(): CachedAnswers {
  const kept = new Map<string, Cached>()
  let total = 0
  const drop = (text: string) => {
    total -= kept.get(text)?.size ?? 0
    kept.delete(text)
  }
  const keep = (text: string, one: Cached) => {
    drop(text)
    kept.set(text, one)
    total += one.size
    for (const oldest of kept.keys()) {
      if (total <= allMax) return
      drop(oldest)
    }
  }
  return {
    async answer<T>({ text, written, ask, sizeOf }: Question<T>) {
      const at = written()
      if (at === undefined) return await ask()
      const known = kept.get(text)
      if (known?.at === at) {
        // The answer that was needed last is dropped last.
        kept.delete(text)
        kept.set(text, known)
        // A read gives way to others, and so does one that is answered at once.
        const work = currentWork()
        if (work.signal?.aborted) throw new CancelledError()
        await waitForTurn(work, { isEntered: true })
        return known.answer as T
      }
      const answer = await ask()
      const size = text.length + sizeOf(answer)
      if (size <= oneMax && written() === at) keep(text, { answer, at, size })
      return answer
    },
    clear() {
      kept.clear()
      total = 0
    },
  }
}

/** Returns a text that only the same values have. JSON prints an infinite number like a missing value. */
export const textOfValues = (values: unknown): string =>
  JSON.stringify(values, (_, value) =>
    typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value,
  )
