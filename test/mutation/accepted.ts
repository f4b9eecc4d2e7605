import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyOf, type Mutant } from './mutant'
import { mutantsOf } from './operators'

/** A mutant that no test can kill, with the reason. */
export interface Accepted {
  readonly file: string
  /** The line on which the mutant begins, trimmed. */
  readonly code: string
  readonly original: string
  readonly replacement: string
  readonly reason: string
}

/** Reads the list of accepted survivors. */
export const readAccepted = (path = join(import.meta.dir, 'accepted.json')): Accepted[] =>
  JSON.parse(readFileSync(path, 'utf8'))

/** Returns the entries that name no mutant of the checkout any more. */
export function staleEntries(accepted: readonly Accepted[], root: string): Accepted[] {
  const keys = new Map<string, Set<string>>()
  const keysIn = (file: string) => {
    const path = join(root, file)
    const mutants = existsSync(path) ? mutantsOf(file, readFileSync(path, 'utf8')) : []
    return new Set(mutants.map(keyOf))
  }
  return accepted.filter((entry) => {
    const known = keys.get(entry.file) ?? keysIn(entry.file)
    keys.set(entry.file, known)
    return !known.has(keyOf(entry))
  })
}

/** Leaves out the mutants on the list. */
export function withoutAccepted(mutants: readonly Mutant[], accepted: readonly Accepted[]): Mutant[] {
  const keys = new Set(accepted.map(keyOf))
  return mutants.filter((mutant) => !keys.has(keyOf(mutant)))
}
