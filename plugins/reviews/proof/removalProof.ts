import type { GoneStatement } from '../contract'
import type { Proof } from './pass'

/** A review that is removed, with what its platform said. */
export interface ProvenRemoval {
  readonly source_id: string
  readonly said: GoneStatement
}

/** What an entry of the ledger says of removals. */
export interface RemovalEntry {
  readonly proof: Proof
  /** Source ids. */
  readonly removed: readonly string[]
  /** The platform's statement for each removed id. Absent in entries of the first versions. */
  readonly statements?: Readonly<Record<string, GoneStatement>>
}

/** Removals in the form of an entry. */
export const asEntry = (removals: readonly ProvenRemoval[]): Required<Omit<RemovalEntry, 'proof'>> => ({
  removed: removals.map(({ source_id }) => source_id),
  statements: Object.fromEntries(removals.map(({ source_id, said }) => [source_id, said])),
})

/** What is wrong with the removals of an entry: they need a complete reading, and each the platform's own statement. */
export function removalFault({ proof, removed, statements }: RemovalEntry): string | null {
  if (removed.length === 0) return null
  if (!proof.complete) return 'it removes reviews after a reading that was not complete'
  const unsaid = statements && removed.find((id) => !Object.hasOwn(statements, id) || statements[id] === '')
  return unsaid === undefined ? null : `it removes ${unsaid} without a statement of the platform`
}

/** The removals of an entry that come without the platform's statement: those of the first versions. */
export const unstated = ({ removed, statements }: RemovalEntry): readonly string[] =>
  statements === undefined ? removed : []
