import type { Scalar, Where } from './where'

/**
 * Sums of rows that are kept for each workspace and day. A store that keeps them answers questions about many rows from
 * them. Another store counts the rows, with the same answer.
 */
export interface DaySumsDeclaration<Name extends string = string> {
  /** The instant whose day a row belongs to, in the time zone of the workspace. Rows without it are in no sum. */
  readonly on: Name
  /** Fields that sums are kept apart by, such as the location. Choose fields with few values. */
  readonly by: readonly Name[]
  /** Fields whose values are counted, such as the stars: how many rows have each value. */
  readonly values: readonly Name[]
  /** Fields of which only matters whether they have a value, such as a reply. */
  readonly set: readonly Name[]
}

/** Days of a time zone, both ends included. */
export interface LocalDays {
  readonly date_from: string
  readonly date_to: string
  readonly timezone: string
}

/** Which rows are summed, and how. Rows in which a field of `exceptSet` has a value are left out. */
export interface DaySumsQuery {
  readonly where?: Where
  readonly within: LocalDays
  /** Fields of the declaration's `by`, or `workspace_id`. */
  readonly by: readonly string[]
  /** Whether to sum each day separately. */
  readonly byDay?: boolean
}

/** How many rows have a value. */
export interface ValueCount {
  readonly value: Scalar
  readonly n: number
}

/** The rows of a group, and of one day if the query asks for each. */
export interface DaySum {
  readonly keys: Readonly<Record<string, Scalar>>
  /** Left out unless `byDay` is set. */
  readonly day?: string
  readonly n: number
  /** The last instant of a row. */
  readonly last: string
  /** By field of the declaration's `values`. */
  readonly values: Readonly<Record<string, readonly ValueCount[]>>
  /** Rows that have a value, by field of the declaration's `set`. */
  readonly set: Readonly<Record<string, number>>
}
