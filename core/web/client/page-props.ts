import type { PageWorkspace } from '../../contracts/page'

/** What became of a form of the page. Nothing of it survives a reload. */
export interface Outcome {
  readonly action: string
  readonly ok: boolean
  /** What the action shows this once. */
  readonly shown?: unknown
  /** What was wrong, in words for the person. */
  readonly fault?: string
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
}
