import givenNames from './names.json'
import written from './phrases.json'

/** Sample phrases of one language. `{}` is replaced by something that the business offers. */
export interface Phrases {
  readonly good: readonly string[]
  readonly middling: readonly string[]
  readonly bad: readonly string[]
  /** What each bad text is about, besides the service in it. Empty if nothing. */
  readonly about: readonly string[]
  /** A text that threatens with a lawyer, so that only a person may answer. */
  readonly lawyer: string
  readonly thanks: string
  readonly sorry: string
}

/** The phrases by language tag. */
export const phrases: Readonly<Record<string, Phrases>> = written

/** Names of reviewers, by language. */
export const names: Readonly<Record<string, readonly string[]>> = givenNames
