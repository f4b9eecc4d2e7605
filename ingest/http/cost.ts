import type { TokenBucket } from './limits'
import type { Problem } from './problem'

/** The processor time of one body, which its sender pays. */
export interface Cost {
  /** Adds processor time, in milliseconds. */
  readonly add: (ms: number | undefined) => void
  /** Charges all of it, because the body was refused. Returns the refusal. */
  refused(refused: Problem): Problem
  /** Charges what the body took beyond what ordinary lines of the same number take. */
  accepted(lines: number, characters: number): void
}

/** A refusal costs so much at least: its headers were read, and it was answered. */
const refusedMs = 0.25
/**
 * What a line may take: an ordinary one takes 2 to 10 µs. Lines count against their own limit, so that a sender of
 * ordinary lines never pays here, on a slow machine neither.
 */
const lineMs = 0.02
/** A long record takes longer. So many characters of each line count, at 20 ns each. */
const lineCharactersMax = 8 * 1024
const characterMs = 0.000_02

/** Starts the cost of a body of a sender. */
export function startCost(bucket: TokenBucket, sender: string): Cost {
  let spent = 0
  return {
    add(ms = 0) {
      spent += ms
    },
    refused(refused) {
      bucket.charge(sender, Math.max(refusedMs, spent))
      return refused
    },
    accepted(lines, characters) {
      if (spent === 0) return
      const allowed = lines * lineMs + Math.min(characters, lines * lineCharactersMax) * characterMs
      if (spent > allowed) bucket.charge(sender, spent - allowed)
    },
  }
}
