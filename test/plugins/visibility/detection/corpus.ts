import type { Stance } from '../../../../plugins/visibility/detection/stances'
import misses from '../examples/known-misses.json'
import stances from '../examples/stances.json'

/** An answer and what it says of the brand Acme. Null: it does not name the brand at all. */
export type Case = readonly [stance: Stance | null, answer: string]

/** The brand is "Acme" (also "Acme Rohrbau"), the competitors are "Beta", "Gamma Plumbing" and "Acme Plus". */
export const corpus = Object.values(stances).flat() as unknown as readonly Case[]

/** What these rules get wrong, so that nobody thinks that they do not. */
export const knownMisses = misses as unknown as readonly Case[]
