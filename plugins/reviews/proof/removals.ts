import { hourMs } from 'renown'
import type { Proof } from './pass'

/** The fields of a stored review that its removal needs. */
export interface StoredReview {
  readonly id: string
  readonly source_id: string
  readonly created_date: string
  /** When the source itself last returned it. Absent if it was only imported. */
  readonly seen_at?: string | undefined
}

/** Reviews that one complete sync did not return, by id, with the time when that sync started. */
export type Suspects = Readonly<Record<string, string>>

export interface RemovalVerdict {
  /** Reviews that the source has certainly removed. */
  readonly removed: readonly StoredReview[]
  /** Missing reviews that stay until another complete sync does not return them either. */
  readonly suspects: Suspects
}

/** Maximum missing reviews that one sync may remove. If there are more, a second sync must confirm them. */
const alone = (visible: number) => Math.max(5, Math.floor(visible / 10))
/** Minimum milliseconds between the two syncs that confirm a removal. */
export const confirmAfterMs = hourMs

/** The reviews that a complete sync did not return. */
export interface Unreturned {
  readonly unseen: readonly StoredReview[]
  /** Number of reviews that were listed in Renown when the sync began. */
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

/** An incomplete sync adds no suspects, and removes those that it returned. */
const still = (before: Suspects, unseen: readonly StoredReview[]): Suspects =>
  Object.fromEntries(unseen.flatMap(({ id }) => (before[id] === undefined ? [] : [[id, before[id]]])))

const stoodBefore = ({ created_date, seen_at }: StoredReview, began_at: string) =>
  seen_at !== undefined && seen_at < began_at && created_date < began_at
