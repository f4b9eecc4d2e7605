import type { PageWorkspace } from '../../contracts/page'
import type { Children } from '../jsx/jsx-runtime'

/** The result of a form of the page. It does not survive a reload. */
export interface Outcome {
  readonly action: string
  readonly ok: boolean
  /** What the action shows this once. */
  readonly shown?: unknown
  /** What was wrong, in words for the person. */
  readonly fault?: string
  /** The error code of what was wrong, such as `conflict`. */
  readonly code?: string
  /** What the error says beside its words, such as the id of the row in the way. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** What was wrong with single fields. */
  readonly faults?: Readonly<Record<string, string>>
  /** What was typed, to be shown again. Fields whose name says password, token, secret or code are left out. */
  readonly values?: Readonly<Record<string, string | readonly string[]>>
}

/** What the server puts into the page: text, numbers, lists and objects only. */
export interface ServedProps<Data> {
  readonly data: Data
  readonly path: string
  /** The query, without `?`. */
  readonly search: string
  readonly workspace: PageWorkspace
  readonly csrf: string
  readonly outcome: Outcome | null
  /** What was just done, to be shown as a notice. */
  readonly notice: string | null
  /** When the page was made, ISO 8601. Relative times count from it. */
  readonly now: string
  /** This person has single-key shortcuts on: `useKeys` works, and the page may say which keys there are. */
  readonly shortcuts: boolean
}

/** What a page's component is given, on the server and in the browser. */
export interface PageProps<Data> extends ServedProps<Data> {
  /**
   * Shows another period or filter, by its query. The address changes when the data are there. Links that begin with `?` do the same.
   */
  go(search: string): void
  /** Fetches the data again. */
  reload(): void
  /** Data are on their way. */
  readonly isBusy: boolean
  /** The cards of the page, rendered. Pages with `cards` only. */
  readonly cards?: Children
}

/** What the component of a card is given. */
export interface PageCardProps<Data> {
  readonly data: Data
  /** Path of the page. */
  readonly path: string
  readonly csrf: string
  /** Fields that every form of the card carries: the row, and where it leads back to. */
  readonly hidden: Readonly<Record<string, string>>
  /** Whether to show forms: owners may change rows, except in a demo. */
  readonly mayChange: boolean
  /** What became of a form of this card that was refused. */
  readonly outcome: Outcome | null
}
