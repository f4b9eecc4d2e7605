import type { PageWorkspace } from '../../../contracts/page'
import type { Children } from '../jsx/jsx-runtime'
import type { PageLanguage } from './page-time'

/** The result of a form of the page. It does not survive a reload. */
export interface Outcome {
  readonly action: string
  readonly ok: boolean
  /** A result that the page shows only once. */
  readonly shown?: unknown
  /** The error message for the person. */
  readonly fault?: string
  /** The language of the error messages if it is not that of the page. */
  readonly fault_lang?: string | undefined
  /** The error code, such as `conflict`. */
  readonly code?: string
  /** More data of the error, such as the id of the conflicting row. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** Error messages of single fields. */
  readonly faults?: Readonly<Record<string, string>>
  /** The typed values, to show them again. Fields with password, token, secret or code in their name are left out. */
  readonly values?: Readonly<Record<string, string | readonly string[]>>
}

/** The data that the server puts into the page: only text, numbers, lists and objects. */
export interface ServedProps<Data> {
  readonly data: Data
  readonly path: string
  /** The query, without `?`. */
  readonly search: string
  readonly workspace: PageWorkspace
  readonly csrf: string
  readonly outcome: Outcome | null
  /** The notice of the last action. */
  readonly notice: string | null
  /** The language of the notice if it is not that of the page. */
  readonly notice_lang?: string
  /** The time at which the page was made, ISO 8601. Relative times are based on it. */
  readonly now: string
  /** Whether this person turned on single-key shortcuts. If so, `useKeys` works and the page may list its keys. */
  readonly shortcuts: boolean
  /** The language of the page and its words. Left out for a page without a script. */
  readonly language?: PageLanguage
}

/** The props of a page's component, on the server and in the browser. */
export interface PageProps<Data> extends ServedProps<Data> {
  /**
   * Shows another period or filter, given by its query. The address changes when the data arrives. Links that
   * begin with `?` do the same.
   */
  go(search: string): void
  /** Fetches the data again. */
  reload(): void
  /** Whether a request for data is running. */
  readonly isBusy: boolean
  /** The rendered cards of the page. Only for pages with `cards`. */
  readonly cards?: Children
}

/** The props of a card's component. */
export interface PageCardProps<Data> {
  readonly data: Data
  /** Path of the page. */
  readonly path: string
  readonly csrf: string
  /** Fields that every form of the card sends: the row, and the page to return to. */
  readonly hidden: Readonly<Record<string, string>>
  /** Whether to show forms: owners may change rows, except in a demo. */
  readonly mayChange: boolean
  /** The result of a form of this card that was refused. */
  readonly outcome: Outcome | null
}

/** The props of the component of a public page. */
export interface PublicPageProps<Data> {
  readonly data: Data
  /** Path of the page, for its form. */
  readonly path: string
  /** The result of its form if it was refused. */
  readonly outcome: Outcome | null
  /** The time at which the page was made, ISO 8601. */
  readonly now: string
  /** The name of the agency. */
  readonly agency: string
}

/** The props of the component of an app that chats show. */
export interface AgentAppProps<Answer> {
  /** The answer of the tool, without the marks around the words of strangers. They are still only text. */
  readonly answer: Answer
  /** The arguments that the answer belongs to. */
  readonly args: Readonly<Record<string, unknown>>
  /** Whether a request of the app is running. */
  readonly isBusy: boolean
  /**
   * Calls the same tool again through the chat, with these arguments over the present ones. Undefined removes an argument.
   * Null if the chat does not let apps call tools.
   */
  readonly ask: ((args: Readonly<Record<string, unknown>>) => void) | null
}
