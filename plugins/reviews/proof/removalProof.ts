import type { GoneStatement } from '../contract'
import type { Proof } from './pass'

/** A removed review, with the statement of its platform. */
export interface ProvenRemoval {
  readonly source_id: string
  readonly said: GoneStatement
}

/** The removals of a log entry. */
export interface RemovalEntry {
  readonly proof: Proof
  /** Source ids. */
  readonly removed: readonly string[]
  /** The platform's statement for each removed id. Absent in entries of the first versions. */
  readonly statements?: Readonly<Record<string, GoneStatement>>
}

/** Returns removals in the form of a log entry. */
export const asEntry = (removals: readonly ProvenRemoval[]): Required<Omit<RemovalEntry, 'proof'>> => ({
  removed: removals.map(({ source_id }) => source_id),
  statements: Object.fromEntries(removals.map(({ source_id, said }) => [source_id, said])),
})

/**
 * Returns what is wrong with the removals of an entry, or undefined. Removals need a complete sync, and a
 * statement of the platform for each review.
 */
export function removalFault({ proof, removed, statements }: RemovalEntry): string | null {
  if (removed.length === 0) return null
  if (!proof.complete) return 'it removes reviews after an incomplete sync'
  const unsaid = statements && removed.find((id) => !Object.hasOwn(statements, id) || statements[id] === '')
  return unsaid === undefined ? null : `it removes ${unsaid} without a statement of the platform`
}

/** Returns the removals of an entry that have no statement, because the first versions did not store one. */
export const unstated = ({ removed, statements }: RemovalEntry): readonly string[] =>
  statements === undefined ? removed : []
