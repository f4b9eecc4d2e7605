import type { Proof } from './pass'

/** The fields of a stored review that its removal needs. */
export interface StoredReview {
  readonly id: string
  readonly source_id: string
  readonly created_date: string
  /** When the source itself last returned it. Absent if it was only imported. */
  readonly seen_at?: string | undefined
}

/** Reviews that one complete sync missed, by id, with the time it started. */
export type Suspects = Readonly<Record<string, string>>

export interface RemovalVerdict {
  /** Gone from the source, beyond doubt. */
  readonly removed: readonly StoredReview[]
  /** Missing, and kept until another complete reading misses them too. */
  readonly suspects: Suspects
}

/** Number of missing reviews that one sync may remove. More need a second one. */
const alone = (visible: number) => Math.max(5, Math.floor(visible / 10))
/** How long after the first sync a second one may confirm it, in milliseconds. */
export const confirmAfterMs = 3_600_000

/** What a complete sync did not return. */
export interface Unreturned {
  readonly unseen: readonly StoredReview[]
  /** How many reviews were listed here when it began. */
  readonly visible: number
}

/**
 * Returns which visible reviews the source has removed. Only a complete sync counts, and only for rows that the
 * source itself returned earlier. Without a count, with an empty source, or with many missing reviews, a second
 * complete sync at least an hour later must miss the same ones.
 */
export function judgeRemovals(
  proof: Proof,
  { unseen, visible }: Unreturned,
  before: Suspects,
): RemovalVerdict {
  if (!proof.complete) return { removed: [], suspects: still(before, unseen) }
  const missing = unseen.filter((row) => stoodBefore(row, proof.began_at))
  const needsSecond = proof.evidence !== 'counted' || proof.distinct === 0 || missing.length > alone(visible)
  if (!needsSecond) return { removed: missing, suspects: {} }
  const isConfirmed = ({ id }: StoredReview) => {
    const first = before[id]
    return first !== undefined && Date.parse(proof.began_at) - Date.parse(first) >= confirmAfterMs
  }
  const suspects = missing
    .filter((row) => !isConfirmed(row))
    .map(({ id }) => [id, before[id] ?? proof.began_at] as const)
  return { removed: missing.filter(isConfirmed), suspects: Object.fromEntries(suspects) }
}

/** A reading that was not complete accuses nobody and acquits those it saw. */
const still = (before: Suspects, unseen: readonly StoredReview[]): Suspects =>
  Object.fromEntries(unseen.flatMap(({ id }) => (before[id] === undefined ? [] : [[id, before[id]]])))

const stoodBefore = ({ created_date, seen_at }: StoredReview, began_at: string) =>
  seen_at !== undefined && seen_at < began_at && created_date < began_at
