import type { GenericSchema, InferOutput } from 'valibot'
import type { ReadContext } from './context'
import type { AnyEntity, NewRow, Row, RowChanges } from './entity'
import type { Fault } from './errors'
import type { AnyExtensionPoint } from './extension'
import type { IconName } from './icons'
import type { OwnerContext, SystemReads } from './owner'
import type { FileTable } from './table-file'
import type { RangeListStatus, SiteSignals } from './traffic'
import type { Where } from './where'
import type { AnyWords, Wording } from './words'

/** The person who views a page. */
export interface PagePerson {
  readonly id: string
  readonly agency_id: string
  readonly role: 'owner' | 'member'
  readonly name?: string
  readonly email?: string
  /** The only workspaces that the person may see. Absent for all of the agency. */
  readonly workspace_ids?: readonly string[]
}

/** The workspace of a page. */
export interface PageWorkspace {
  readonly id: string
  readonly name: string
  readonly timezone: string
  readonly locale: string
  readonly is_home: boolean
  /** True if the workspace contains sample data. */
  readonly is_demo: boolean
}

/** The interface of this installation's ingest for pages. */
export interface PageCounter {
  signals(siteId: string): Promise<SiteSignals>
  ranges(): Promise<RangeListStatus[]>
  /** Fetches every address list now. Simultaneous calls share one fetch. */
  refreshRanges(): Promise<RangeListStatus[]>
  /** Resolves when every hit accepted so far is counted. */
  flush(): Promise<void>
}

/** A change of a record, from the audit log. */
export interface RecordChange {
  readonly at: string
  /** The change in words, such as `Lead archived`. */
  readonly what: string
  /** The person, or where it was done if nobody is known. */
  readonly by: string
}

/** The context of a page: reads in the chosen workspace, and who the person is. */
export interface PageContext extends ReadContext {
  readonly person: PagePerson
  /** The language of the content of the page, such as `de`. English for a page without `words`. */
  readonly language: string
  /** The requested origin. The addresses on the page begin with it. */
  readonly apiUrl: string
  /** Public origin of the ingest, without a slash at the end. */
  readonly ingestUrl: string
  /** Null if this process has no ingest. */
  readonly counter: PageCounter | null
  /** True if the workspace contains sample data. */
  readonly isDemo: boolean
  /**
   * Reads outside the workspace, such as rules of the agency. First look up any id that came with the request
   * through `rows`.
   */
  readonly system: SystemReads
  /**
   * Returns the last changes of a record, newest first, from audit events with its `record_id`. First look up the
   * record through `rows`.
   */
  history(recordId: string, limit: number): Promise<readonly RecordChange[]>
  /** Runs a read once for this request. Another call with the same name gets the same result. */
  once<Read>(name: string, read: () => Promise<Read>): Promise<Read>
}

/**
 * The context of a page action. Its system context reads all workspaces. First look up any id from a form
 * through `rows`, which reads only the person's workspace.
 */
export interface ActionContext extends PageContext {
  readonly owner: OwnerContext
}

/** The marks of the person's workspace. */
export interface PageMarks<E extends AnyEntity> {
  updateWhere(where: Where, changes: RowChanges<E>): Promise<Row<E> | null>
  insert(row: NewRow<E>): Promise<Row<E>>
  removeWhere(where: Where): Promise<number>
}

/** The context of a form that only marks something in a list. */
export interface MarkingContext<E extends AnyEntity> extends PageContext {
  readonly marks: PageMarks<E>
}

/** The result of an action. Without a result, the page is shown again. */
export interface ActionResult {
  /** A value that the page shows once and that is stored nowhere, such as a token. */
  readonly shown?: unknown
  /** The path under /app to redirect to. */
  readonly to?: string
  /** The word of the notice on the page that is shown again. Default: the name of the action. */
  readonly said?: string
}

/** A form of a page. A browser or a script sends it, and Renown checks it against forgery. */
export interface ActionDeclaration<I extends GenericSchema = GenericSchema> {
  /** A `v.strictObject` of texts: the form's fields. A field that was sent several times is a list of texts. */
  readonly input: I
  /** `recent` asks for the password again, once in ten minutes. */
  readonly auth: 'session' | 'recent'
  /** Set if members are refused. */
  readonly only?: 'owner'
  /** A notice on the page after the action, such as `The profile is saved.` */
  readonly done?: Wording
  /** Set if the action is refused in a demo. */
  readonly refusesDemo?: true
  /** Returns further faults of what was sent, to show them next to those of `input`. `run` refuses them too. */
  faultsIn?(ctx: ActionContext, sent: Readonly<Record<string, unknown>>): readonly Fault[]
  /** Set if the form sends a file. Pass `sendsFile` to its `Form`. */
  readonly file?: FormFile
  // biome-ignore lint/suspicious/noConfusingVoidType: an action may end without a word
  run(ctx: ActionContext, input: InferOutput<I>): Promise<ActionResult | void>
}

/** A file that a form can send. */
export interface FormFile {
  /** The name of its field. The action gets the file as base64, or an empty text if none was chosen. */
  readonly field: string
  readonly bytesMax: number
}

/** An action with any input. */
// biome-ignore lint/suspicious/noExplicitAny: a page holds actions of any input
export type AnyAction = ActionDeclaration<any>

/** A live stream to a page, as server-sent events: each yielded value as JSON. */
export type EventsDeclaration = (
  ctx: PageContext,
  query: URLSearchParams,
  signal: AbortSignal,
) => AsyncIterable<unknown>

const redirect = Symbol.for('renown.redirect')

/** A result of `load` that redirects to another page. */
export interface PageRedirect {
  readonly [redirect]: string
}

/** Redirects to another page, by a path under /app. Return it from `load`. */
export const redirectTo = (path: string): PageRedirect => ({ [redirect]: path })

/** Returns the path that a result of `load` redirects to, or undefined if it is the data of the page. */
export const redirectOf = (loaded: unknown): string | undefined =>
  typeof loaded === 'object' && loaded !== null ? (loaded as Partial<PageRedirect>)[redirect] : undefined

/** A file of a page, which a browser saves. */
export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The name under which browsers save it. */
  readonly filename: string
}

/** A file that a page offers besides its table. */
export interface PageFileDeclaration<About extends readonly unknown[] = []> {
  /** Its media type, such as `text/markdown; charset=utf-8`. */
  readonly type: string
  /** Reads with the same context as `load` of the page. Throw a `not_found` Refusal if there is none. */
  load(ctx: PageContext, query: URLSearchParams, ...about: About): Promise<PageFile>
}

/** The row that a page is about. */
export interface PageRecord<E extends AnyEntity = AnyEntity> {
  readonly row: Row<E>
  /** Whether this person may change the row. Owners may, except in a demo. */
  readonly mayChange: boolean
}

/** What a page adds to its head. */
export interface PageHead {
  /** CSS rules of this page alone, such as the colors of a sender. */
  readonly rules?: string
  /** Loads a path under /app after some seconds, such as the page itself while it waits for work. */
  readonly refresh?: { readonly seconds: number; readonly to: string }
}

/** An entry of the navigation. */
export interface NavDeclaration {
  readonly label: Wording
  /**
   * Sort position. Home has 0, Inbox 10, Reviews 20, Leads 30, Mentions 40, Visibility 50, AI traffic 60,
   * Posts 70, Reports 80.
   */
  readonly order: number
  /** Default: a dot. */
  readonly icon?: IconName
  /**
   * `daily` (default): pages that people use every day. `setup`: below a line, such as locations and sites. `settings`:
   * a tab of the settings.
   */
  readonly group?: 'daily' | 'setup' | 'settings'
  /** Shown in the bar on phones too, which has space for four pages and “More”. */
  readonly onPhones?: boolean
  /**
   * Returns how many things wait there, such as reviews without a reply. 0 and null show no number. Return `atLeast` if a part
   * cannot be read, so that the number never shrinks because of a fault. Runs for every page that is opened.
   */
  count?(ctx: PageContext): Promise<NavCount | null>
}

/** A number of waiting items, or the smallest that it can be, because a part could not be read. */
export type NavCount = number | { readonly atLeast: number }

/**
 * A page for people. The server renders it from what `load` returns, and the same component continues in the browser.
 * The same data is at `/app/data/<rest of the path>.json`. With `download`, its rows are at `.csv` and `.xlsx`.
 */
export interface PageDeclaration<Data = unknown, About extends readonly unknown[] = []> {
  /** `/app/…` in kebab-case. */
  readonly path: string
  readonly title: Wording
  /**
   * The words of the page, made by `defineWords`. The page is then in the language of the person, and contains these words in
   * this language only. `useWords` reads them. Without words, the page is in English.
   */
  readonly words?: AnyWords
  /** Set if members neither see it in the navigation nor can open it. */
  readonly only?: 'owner'
  /** Whether the page is for this person. Others neither see it in the navigation nor can open it. Default: everybody. */
  isFor?(person: PagePerson): boolean
  /** Its entry in the navigation. Without one, people reach it from other pages. */
  readonly nav?: NavDeclaration
  /** The `.tsx` file whose default export is the component: `new URL('./page.tsx', import.meta.url)`. */
  readonly module: URL
  /** Renders the page only on the server. No script runs in the browser, and links load whole pages. */
  readonly isStatic?: true
  /** Default: `wide`. */
  readonly width?: 'narrow' | 'wide'
  /**
   * Set if the page is about one row. The query parameter `param`, and a form field of that name, contain its
   * id. The page is shown in the workspace of the row. Rows of other agencies are not found.
   */
  readonly record?: { readonly entity: AnyEntity; readonly param: string }
  /** The extension point whose cards the page shows, in their order. Requires `record` and `isStatic`. */
  readonly cards?: AnyExtensionPoint
  /**
   * Returns all data of the component, as JSON, or `redirectTo` another page. A page of a record also gets
   * the record.
   */
  load(ctx: PageContext, query: URLSearchParams, ...about: About): Promise<Data | PageRedirect>
  /** Returns the title of the page. Default: `title`. */
  titleOf?(data: Data): Wording
  /**
   * Returns the table of the downloads: all rows that the filters in the query select, not only those on the page. It
   * reads with the same context as `load`. Rows are read while the file is written, and a download ends after 50,000.
   * Throw a Refusal for filters that it does not support.
   */
  download?(ctx: PageContext, query: URLSearchParams, ...about: About): Promise<FileTable>
  /** Returns what the page adds to its head. Requires `isStatic`. */
  headOf?(data: Data): PageHead
  /** Files by name, such as `report.md`. Each is served at `/app/data/<rest of the path>/<name>`. */
  readonly files?: Readonly<Record<string, PageFileDeclaration<About>>>
  /** The page's own form: `POST <path>`. */
  readonly submit?: AnyAction
  /**
   * Notices by word. The page shows one if the address has `done=<word>`, for actions of other pages that
   * redirect here.
   */
  readonly notices?: Readonly<Record<string, Wording>>
  /** Actions by name. Each is served at `POST <path>/<name>`. */
  readonly actions?: Readonly<Record<string, AnyAction>>
  /** Live streams by topic. Each is served at `GET /app/events/<topic>`. */
  readonly events?: Readonly<Record<string, EventsDeclaration>>
  /** CSS rules of this page, added to the shared style sheet. */
  readonly style?: string
}

/** A page with any data. */
// biome-ignore lint/suspicious/noExplicitAny: a plugin holds pages of any data
export type AnyPage = PageDeclaration<any, any[]>
