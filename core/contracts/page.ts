import type { GenericSchema, InferOutput } from 'valibot'
import type { ReadContext } from './context'
import type { AnyEntity, Row } from './entity'
import type { AnyExtensionPoint } from './extension'
import type { IconName } from './icons'
import type { OwnerContext, SystemReads } from './owner'
import type { RangeListStatus, SiteSignals } from './traffic'

/** The person who views a page. */
export interface PagePerson {
  readonly id: string
  readonly agency_id: string
  readonly role: 'owner' | 'member'
  readonly name?: string
  readonly email?: string
}

/** The workspace of a page. */
export interface PageWorkspace {
  readonly id: string
  readonly name: string
  readonly timezone: string
  readonly locale: string
  readonly is_home: boolean
  /** Its data is made up. */
  readonly is_demo: boolean
}

/** What the ingest of this installation reports to a page. */
export interface PageCounter {
  signals(siteId: string): Promise<SiteSignals>
  ranges(): Promise<RangeListStatus[]>
  /** Fetches every address list now; calls during a round share it. */
  refreshRanges(): Promise<RangeListStatus[]>
  /** Everything accepted so far is counted when this resolves. */
  flush(): Promise<void>
}

/** The context of a page: reads in the chosen workspace, who the person is and where. */
export interface PageContext extends ReadContext {
  readonly person: PagePerson
  /** The origin that was asked: the addresses that a page shows begin with it. */
  readonly apiUrl: string
  /** Public origin of the ingest, without a slash at its end. */
  readonly ingestUrl: string
  /** Null where the ingest is not part of this `bun start`. */
  readonly counter: PageCounter | null
  /** The data of the workspace is made up. */
  readonly isDemo: boolean
  /** Reads above the workspace, such as rules of the agency. Look up an id that came with a request through `rows` first. */
  readonly system: SystemReads
}

/**
 * The context of a page action. It has the system context too, which reads all workspaces. Look up an id from a form
 * through `rows` first, which reads only the person's workspace.
 */
export interface ActionContext extends PageContext {
  readonly owner: OwnerContext
}

/** The result of an action. Without one, the page is shown again. */
export interface ActionResult {
  /** Shown by the page this once and kept nowhere, such as a token. */
  readonly shown?: unknown
  /** A path under /app to go to instead. */
  readonly to?: string
}

/** A form of a page. A browser or a script sends it, and Renown checks it against forgery. */
export interface ActionDeclaration<I extends GenericSchema = GenericSchema> {
  /** A `v.strictObject` of texts: the form's fields. A field that was sent several times is a list of texts. */
  readonly input: I
  /** `recent` asks for the password again, once in ten minutes. */
  readonly auth: 'session' | 'recent'
  /** Members are refused. */
  readonly only?: 'owner'
  /** A notice on the page after the action, such as `The profile is saved.` */
  readonly done?: string
  /** Refuses in a demo, whose data stays as it was made. */
  readonly refusesDemo?: true
  // biome-ignore lint/suspicious/noConfusingVoidType: an action may end without a word
  run(ctx: ActionContext, input: InferOutput<I>): Promise<ActionResult | void>
}

/** An action of any input. */
// biome-ignore lint/suspicious/noExplicitAny: a page holds actions of any input
export type AnyAction = ActionDeclaration<any>

/** A live stream to a page, as server-sent events: each yielded value as JSON. */
export type EventsDeclaration = (
  ctx: PageContext,
  query: URLSearchParams,
  signal: AbortSignal,
) => AsyncIterable<unknown>

/** The value of a cell in a CSV download. */
export type CsvCell = string | number | boolean | null

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

/** The row that a page is about. */
export interface PageRecord<E extends AnyEntity = AnyEntity> {
  readonly row: Row<E>
  /** Whether this person may change it: owners may, except in a demo. */
  readonly mayChange: boolean
}

/** An entry of the navigation. */
export interface NavDeclaration {
  readonly label: string
  /** Smaller orders come first. Home has 0, Inbox 10, Reviews 20, Leads 30, Mentions 40, Visibility 50, AI traffic 60, Posts 70, Reports 80. */
  readonly order: number
  /** A dot where it is left out. */
  readonly icon?: IconName
  /** `daily`: what people do every day, the default. `setup`: below a line, such as locations and sites. */
  readonly group?: 'daily' | 'setup'
  /** Also in the bar of phones, which has room for four pages and “More”. */
  readonly onPhones?: boolean
  /** How much waits there, such as reviews without a reply. Nothing is shown for 0 and for null. It runs for every page that is opened. */
  count?(ctx: PageContext): Promise<number | null>
}

/**
 * A page for people. The server renders it from what `load` returns, and the same component continues in the browser.
 * The same data is at `/app/data/<rest of the path>.json`, and as `.csv` when the page declares it.
 */
export interface PageDeclaration<Data = unknown, About extends readonly unknown[] = []> {
  /** `/app/…` in kebab-case. */
  readonly path: string
  readonly title: string
  /** Members neither see it in the navigation nor get in. */
  readonly only?: 'owner'
  /** Its entry in the navigation; without one it is reached from other pages. */
  readonly nav?: NavDeclaration
  /** The `.tsx` file whose default export is the component: `new URL('./page.tsx', import.meta.url)`. */
  readonly module: URL
  /** Renders the page on the server only. No script runs in the browser, and links load whole pages. */
  readonly isStatic?: true
  /** Wide unless said otherwise. */
  readonly width?: 'narrow' | 'wide'
  /**
   * The page is about one row: the query parameter `param`, and a field of that name in its forms, hold the id. The page is shown in the
   * workspace of the row. Other people's rows are not found.
   */
  readonly record?: { readonly entity: AnyEntity; readonly param: string }
  /** The extension point whose cards the page shows, in their order. Needs `record` and `isStatic`. */
  readonly cards?: AnyExtensionPoint
  /** The whole of what the component is given, as JSON keeps it; or `redirectTo` another page. A page of a record gets the record too. */
  load(ctx: PageContext, query: URLSearchParams, ...about: About): Promise<Data | PageRedirect>
  /** The title of the page as shown; `title` unless said otherwise. */
  titleOf?(data: Data): string
  /** Rows of text for a spreadsheet, the headings first. */
  csv?(data: Data): readonly (readonly CsvCell[])[]
  /** `POST <path>`: what the form of the page itself does. */
  readonly submit?: AnyAction
  /** Notices of actions elsewhere that lead here with `done=<word>`, by word. */
  readonly notices?: Readonly<Record<string, string>>
  /** By name: `POST <path>/<name>`. */
  readonly actions?: Readonly<Record<string, AnyAction>>
  /** By topic: `GET /app/events/<topic>`. */
  readonly events?: Readonly<Record<string, EventsDeclaration>>
  /** Rules of its own beside the common ones; no other page sees them. */
  readonly style?: string
}

/** A page of any data. */
// biome-ignore lint/suspicious/noExplicitAny: a plugin holds pages of any data
export type AnyPage = PageDeclaration<any, any[]>
