import type { CachedAnswers } from '../../cached-answers'
import type { Connection } from './connection'
import type { Layout } from './layout'
import type { Reader } from './reader'
import type { Writer } from './writer'

/** The dependencies of a collection. */
export interface CollectionParts {
  readonly connection: Connection
  readonly reader: Reader
  readonly writer: Writer
  readonly layout: Layout
  readonly now: () => Date
  /** Counts the writes to the table by all of its collections. */
  readonly writes: { count: number }
  /** Changes when another program writes to the file, such as a shell of SQLite. It only grows. */
  readonly fileVersion: () => number
  /** The answers of all collections of the store. */
  readonly kept: CachedAnswers
}
