import type { DaySum, DaySumsQuery } from '../../../contracts/day-sums'

/** A stored month without its sums. `stamp` changes with each write to it. */
export interface StoredMonth {
  readonly workspace: string
  readonly month: string
  readonly timezone: string
  readonly stamp: string
}

/** A day of UTC on which rows changed since their sums were computed. `stamp` changes with each change. */
export interface Touched {
  readonly workspace: string
  readonly day: string
  readonly stamp: string
}

/** A month to store, unless another was stored since `before` was read. Null: there was none. */
export interface NewMonth extends Omit<StoredMonth, 'stamp'> {
  readonly text: string
  readonly before: string | null
}

/** Where the sums of one entity are kept. A store writes marks of changed days in the same transaction as the rows. */
export interface SumStore {
  months(workspaces: readonly string[], first: string, last: string): readonly StoredMonth[]
  /** Returns the sums of a month, as they are now. Null if none are stored for its time zone any more. */
  text(month: Pick<StoredMonth, 'workspace' | 'month' | 'timezone'>): string | null
  touched(workspaces: readonly string[]): readonly Touched[]
  /** Returns workspaces with changed days, at most `limit`. */
  touchedWorkspaces(limit: number): readonly string[]
  /**
   * Stores months, and removes the marks that nobody has written again. Keeps the marks of a workspace if another has stored one
   * of its months.
   */
  save(months: readonly NewMonth[], done: readonly Touched[]): Promise<void>
  /** Removes the sums and marks of a workspace. */
  forget(workspace: string): Promise<void>
}

/** The sums of one entity by day. */
export interface DaySums extends Pick<SumStore, 'touchedWorkspaces' | 'forget'> {
  /** Answers from kept sums, and computes before what changed. Null if the question needs the rows. */
  read(query: DaySumsQuery): Promise<DaySum[] | null>
  /** Computes all days of a workspace that changed. */
  repair(workspace: string, timezone: string): Promise<void>
}

/** The key of a month of a workspace. */
export const monthKey = ({ workspace, month }: Pick<StoredMonth, 'workspace' | 'month'>): string =>
  `${workspace} ${month}`
