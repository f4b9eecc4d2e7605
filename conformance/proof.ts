/** `held`: proved. `broken`: at least one fault. `unproven`: the data or the keys did not allow a proof. `not run`: the installation stopped answering. */
export type CheckStatus = 'held' | 'broken' | 'unproven' | 'not run'

/** The result of one check. */
export interface CheckResult {
  readonly id: string
  /** What the check proves, in words. */
  readonly promise: string
  readonly status: CheckStatus
  /** Number of single facts that were compared. */
  readonly facts: number
  readonly faults: readonly string[]
  /** What this run could not prove, and what would be needed. */
  readonly unproven: readonly string[]
}

/** Faults and notes that a check prints at most. The rest is counted. */
const listedMax = 8

/** Collects what a check finds. */
export interface Proof {
  /** Compares one fact. Records the fault if it is false, and returns the fact. */
  expect(isTrue: boolean, fault: string): boolean
  /** Records what cannot be proved here, and why. */
  unproven(why: string): void
}

/** A check: what it proves, and how. */
export interface Check<Context> {
  readonly id: string
  readonly promise: string
  run(context: Context, proof: Proof): Promise<void>
}

/** Returns a proof, and how to read its result. */
export function createProof() {
  let facts = 0
  const faults = new Set<string>()
  const notes = new Set<string>()
  const proof: Proof = {
    expect(isTrue, fault) {
      facts += 1
      if (!isTrue) faults.add(fault)
      return isTrue
    },
    unproven: (why) => void notes.add(why),
  }
  return {
    proof,
    result(): Pick<CheckResult, 'status' | 'facts' | 'faults' | 'unproven'> {
      const status = faults.size > 0 ? 'broken' : facts === 0 ? 'unproven' : 'held'
      return { status, facts, faults: shortened(faults), unproven: shortened(notes) }
    },
  }
}

function shortened(found: ReadonlySet<string>): string[] {
  const all = [...found]
  return all.length <= listedMax
    ? all
    : [...all.slice(0, listedMax), `and ${all.length - listedMax} more of this kind`]
}
