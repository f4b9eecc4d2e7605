import type { AnyAct } from './act'
import type { AnyEntity } from './entity'
import type { IgnoredValue } from './ignored-value'
import type { MarkingContext, PageContext } from './page'
import type { CellType, CellValue } from './table-file'
import type { Wording } from './words'

/** Values of a filter with their words. */
export type ListChoices = readonly (readonly [value: string, words: string])[]

/** One choice of few, as tabs above the list. The first has the empty value. */
export interface ViewsFilter {
  readonly kind: 'views'
  readonly label: string
  readonly options: ListChoices
}

/** A text to find. */
export interface FindFilter {
  readonly kind: 'find'
  readonly label: string
}

/** One choice of many, in a field above the list. */
export interface ChoiceFilter {
  readonly kind: 'choice'
  readonly label: string
  readonly options: ListChoices | ((ctx: PageContext) => ListChoices)
  /** What the list shows without a choice. Default: `All`. */
  readonly none?: string
  /** Set if the field is folded away until it is used. */
  readonly isFolded?: true
  /** Set if the value chooses how the list is shown, such as its order, and leaves out no row. */
  readonly isPosition?: true
}

/** One record, such as a location. Its field is shown once there is more than one. */
export interface RecordFilter {
  readonly kind: 'record'
  readonly label: string
  /** Its noun inside a sentence, such as `location`. */
  readonly called: string
  options(ctx: PageContext): Promise<ListChoices>
  readonly isFolded?: true
}

/** A day, such as `2026-03-14`. */
export interface DayFilter {
  readonly kind: 'day'
  readonly label: string
  readonly isFolded?: true
}

/** A value that only links to the list give. It has no field. */
export interface LinkFilter {
  readonly kind: 'link'
  /** Whether the list takes the text. */
  accepts(text: string, ctx: PageContext): boolean
  /** A sentence with the accepted values. */
  accepted(ctx: PageContext): string
  /** Set if the value chooses how the list is shown, and leaves out no row. */
  readonly isPosition?: true
}

/** A filter of a list, whose value is in the address under its name. */
export type ListFilter = ViewsFilter | FindFilter | ChoiceFilter | RecordFilter | DayFilter | LinkFilter

/** The filters of a list by name. */
export type ListFilters = Readonly<Record<string, ListFilter>>

/** The values of the filters. An invalid one is empty. */
export type ListChoice<F extends ListFilters = ListFilters> = { readonly [N in keyof F]: string }

/** A time in a cell. */
export interface ListMoment {
  /** ISO 8601. */
  readonly at: string
  /** Shows the day within a week too. */
  readonly isDay?: boolean
}

/** A part of a cell. Every text is only text, also if a stranger wrote it. */
export type ListPart =
  | string
  | ListMoment
  /** The name of somebody or something, in its own direction. */
  | { readonly name: string }
  /** A text of less weight. */
  | { readonly quiet: string }
  /** A text that is cut where the column ends. */
  | { readonly capped: string }
  | {
      readonly badge: string | readonly (string | ListMoment)[]
      readonly tone?: 'good' | 'warn' | 'bad' | 'plain'
    }
  /** A state as an icon and a word. */
  | { readonly state: string; readonly tone: 'good' | 'warn' | 'bad' | 'plain' }
  /** A link, such as to a file of the row. `about` says to screen readers what it is about. */
  | { readonly link: string; readonly words: string; readonly about?: string }
  /** How a figure changed, next to it. */
  | { readonly change: string; readonly tone: 'good' | 'bad' | 'plain' }

/** What a cell shows. Null is a dash. */
export type ListCell = number | null | ListPart | readonly ListPart[]

/** How rows are sorted by a column. Rows with null come last in both directions. */
export interface ListSort<Row> {
  /** What is compared. It decides how people read the directions, such as “A to Z”. */
  readonly kind: 'words' | 'number' | 'time'
  /** The direction that a person gets first. */
  readonly first: 'ascending' | 'descending'
  /** What rows are compared by: a text for `words`, a number, or a time as ISO 8601. Default: the value in files. */
  by?(row: Row): string | number | null
}

/** A column of a list: on the page, in its files, or in both. */
export interface ListColumn<Row> {
  /** The heading on the page. Left out for a column of files. */
  readonly label?: string
  /** The heading in files. Left out for a column of the page. */
  readonly name?: string
  /** How files write it. */
  readonly type?: CellType
  /** The value in files. Required with `name`. */
  value?(row: Row): CellValue
  /** What the page shows. Default: the value. */
  show?(row: Row): ListCell
  /** Lets people sort by the column. It needs `label`, `name` and a source that reads all rows. */
  readonly sort?: ListSort<Row>
}

/** Rows that are found by their number in the list. */
export interface CountedSource<Row> {
  /** Returns rows of the page, in the order of the list. */
  list(part: { readonly skip: number; readonly limit: number }): Promise<readonly Row[]>
  /** Yields all rows in parts, for files. */
  pages(): AsyncIterable<readonly Row[]>
}

/** Rows after a cursor, of a list that is too long to count. */
export interface KeyedPart<Row> {
  readonly rows: readonly Row[]
  /** The cursor of the next page. Null on the last one. */
  readonly next: string | null
  /** Rows before this instant were not searched. Null if all were. */
  readonly since?: string | null
  /** Number of all rows that the filters select, if it is known. */
  readonly total?: number | null
}

/** Rows that are found by the cursor of the page before. Files read them too, unless there are `pages`. */
export interface KeyedSource<Row> {
  /** Returns the rows after a cursor. The cursor is empty for the first page, and a stranger may have written it. */
  after(part: {
    readonly after: string
    readonly limit: number
    /** Whether all rows are searched, however long that takes. */
    readonly isWhole: boolean
  }): Promise<KeyedPart<Row>>
  pages?(): AsyncIterable<readonly Row[]>
}

/** All rows at once, of a list that is sorted by what is computed of them. */
export interface WholeSource<Row> {
  /** Returns all rows that the filters select, in their usual order. Each of its reads has the whole time of a page. */
  all(): Promise<readonly Row[]>
}

/** Where the rows of a list come from. */
export type ListSource<Row> = CountedSource<Row> | KeyedSource<Row> | WholeSource<Row>

/** One row that is shown next to its list. */
export interface ListBeside<Shown> {
  /** The parameter of the address with its id, such as `mention`. It is also the noun. */
  readonly param: string
  /** Loads what is shown of the row. Null if there is none in the workspace. */
  load(ctx: PageContext, id: string): Promise<Shown | null>
}

/** A mark on a row, such as Done in the inbox. It changes no record of a business, so it has no act. It can write one record type only. */
export interface ListMarking {
  readonly marks: AnyEntity
  // biome-ignore lint/suspicious/noExplicitAny: the marks are of any record type
  run(ctx: MarkingContext<any>, id: string, seen: string): Promise<void>
}

/** Something that is done with several rows of a list. */
export interface ListAct {
  readonly act: AnyAct | ListMarking
  /** The words of its button. */
  readonly words: Wording
  /** What was done, after the number of rows, such as `dismissed`. Or the sentence with the number, in the language of the page. */
  readonly did: string | ((count: number) => Wording)
  /** A key for people who turned single keys on. */
  readonly key?: string
  /** Whether the list offers it with these filters. Default: always. */
  isFor?(asked: ListChoice): boolean
  /** Returns what the act takes besides the row, from what the person saw of it. */
  given?(seen: string): ListGiven
  /** What takes it back. */
  readonly undo?: ListUndo
}

/** What an act takes besides a row. */
type ListGiven = Readonly<Record<string, string | true>>

/** What takes an act back. */
export interface ListUndo {
  readonly act: AnyAct | ListMarking
  /** The sentence with the number of rows, in the language of the page. */
  readonly did?: (count: number) => Wording
  /** Whether it can take back an act on a row that was seen so. Default: always. */
  isFor?(seen: string): boolean
  given?(seen: string): ListGiven
}

/** What is done with several rows of a list at once, with one Undo. */
export interface ListActs<Row> {
  /** The rows in words, such as `['mention', 'mentions']`. */
  readonly called: readonly [one: string, many: string]
  /** What the person saw of a row, such as its state. Acts and their Undo get it, so that nobody changes what somebody else changed in between. */
  seen?(row: Row): string
  /** The acts by name. */
  readonly acts: Readonly<Record<string, ListAct>>
}

/** What a list without rows says. */
export interface ListEmpty {
  readonly text: string
  readonly link?: { readonly href: string; readonly words: string }
}

/** Sentences below the rows of a file, from what the rows have in common. */
export interface ListNotes<Row> {
  /** What counts a row. Null if nothing does. */
  of(row: Row): string | null
  /** Returns the sentences, from how often each was counted. */
  say(counts: ReadonlyMap<string, number>): readonly string[]
}

/**
 * A list: its rows, filters and columns. From it come the page, the CSV and XLSX files, the row next to the list, and what is done
 * with several rows.
 */
export interface ListDeclaration<Row, F extends ListFilters, More, Line = null, Shown = null> {
  /** What the rows are called inside a sentence, such as `locations`. */
  readonly rows: string
  /** The title of the card with the table. */
  readonly title?: string
  readonly filters: F
  /** Rows on one page. Default: 100. */
  readonly perPage?: number
  /** The usual order in words, such as `Newest first`. It is a choice if people can sort by columns. */
  readonly order?: string
  source(ctx: PageContext, asked: ListChoice<F>): ListSource<Row>
  /** Returns further values of the address that the list does not take, such as the id of a record that does not exist. */
  check?(ctx: PageContext, asked: ListChoice<F>, query: URLSearchParams): Promise<readonly IgnoredValue[]>
  /** Reads what the columns need besides the rows. Without rows, only the headings of a file are asked for. */
  more?(ctx: PageContext, asked: ListChoice<F>, rows: readonly Row[]): Promise<More>
  columns(asked: ListChoice<F>, more: More): readonly ListColumn<Row>[]
  /** The page of one row, to which its first cell leads. Null for a row without one. */
  detail?(row: Row): string | null
  /** Returns the id of a row in the address. Default: its `id`. */
  idOf?(row: NoInfer<Row>): string
  /** Returns what a component shows of a row, as JSON. Without it, the page shows a table of the columns. */
  line?(row: NoInfer<Row>, more: NoInfer<More>): Line
  /** The row whose id is in the address, next to the list. Requires `line`. */
  readonly beside?: ListBeside<Shown>
  /** What is done with several rows at once. Requires `line`. */
  readonly several?: ListActs<NoInfer<Row>>
  /** Shown instead of a list without rows. If filters leave them out, a link removes all filters. */
  empty(asked: ListChoice<F>, about: { readonly isFiltered: boolean }): string | ListEmpty
  /** Whether there is any row at all, apart from filters. If not, the page shows how the first one comes. */
  hasAny?(ctx: PageContext): Promise<boolean>
  /** The links to the page before and to the next one. Default: `Before` and `More <rows>`, or `First page` and `Next page` with cursors. */
  readonly turns?: readonly [before: Wording, next: Wording]
  readonly notes?: ListNotes<NoInfer<Row>>
}

/** A list of any rows. */
// biome-ignore lint/suspicious/noExplicitAny: a page holds a list of any rows
export type AnyList = ListDeclaration<any, any, any, any, any>

/** A filter as the page shows it. */
export type ShownFilter = (
  | ViewsFilter
  | FindFilter
  | DayFilter
  | (ChoiceFilter & { readonly options: ListChoices })
) & {
  readonly name: string
  readonly value: string
}

/** The heading of a column as the page shows it. */
export interface ShownHeading {
  readonly label: string
  /** Whether the column has numbers, although its cells may have words too. */
  readonly isNumber: boolean
  /** The address that sorts by it, or that sorts the other way. Null if people cannot sort by it. */
  readonly href: string | null
  /** How the rows are sorted by it. Null if they are not. */
  readonly sorted: 'ascending' | 'descending' | null
}

/** A row as the page shows it. */
export interface ShownLine<Line> {
  readonly id: string
  readonly href: string | null
  readonly cells: readonly ListCell[]
  readonly line: Line
  /** What is sent if the row is chosen. */
  readonly item: string
}

/** A row next to its list. */
export interface ShownBeside<Shown> {
  /** The id in the address. Empty if it names none. */
  readonly id: string
  readonly noun: string
  /** Null if the workspace has no such row. */
  readonly shown: Shown | null
  /** The id of the next row, or of the one before. Empty without one. */
  readonly following: string
  /** The address of the list without a row. */
  readonly back: string
}

/** A list as the page shows it. */
export interface ShownList<Line = unknown, Shown = unknown> {
  readonly path: string
  readonly rows: string
  readonly title?: string | undefined
  readonly filters: readonly ShownFilter[]
  /** The values of all filters, by name. Empty: not set. */
  readonly asked: Readonly<Record<string, string>>
  readonly ignored: readonly IgnoredValue[]
  /** The query with the filters, of the first page and without a chosen row. */
  readonly query: string
  /** The query of this page, without a chosen row. */
  readonly search: string
  readonly headings: readonly ShownHeading[]
  /** Number of all rows that the filters select. Null if the list does not count them. */
  readonly total: number | null
  /** The places of the rows of this page among all, from 1. Null if the list does not count them. */
  readonly counted: { readonly first: number; readonly last: number } | null
  readonly lines: readonly ShownLine<Line>[]
  readonly empty: ListEmpty
  /** Whether there is any row at all, apart from filters. */
  readonly hasAny: boolean
  readonly turns: readonly { readonly href: string; readonly words: string }[]
  /** Rows before this instant were not searched, and the address that searches all. */
  readonly searched: { readonly since: string; readonly href: string } | null
  readonly beside: ShownBeside<Shown> | null
  /** What can be done with several rows. */
  readonly acts: readonly { readonly name: string; readonly words: string; readonly key: string | null }[]
}

/** The data of a list page: its list, and what the page loads itself. */
export type ListData<Own = unknown, Line = unknown, Shown = unknown> = Own & {
  readonly list: ShownList<Line, Shown>
}

/** The result of an act on several rows, which the page shows once. */
export interface SeveralDone {
  /** How many rows, and what was done with them, such as `3 mentions dismissed.` Empty if nothing was done. */
  readonly text: string
  /** Why others were not changed. */
  readonly refused: readonly string[]
  /** The form that takes it back, with what it sends. Null if nothing does. */
  readonly undo: { readonly name: string; readonly items: readonly string[] } | null
}
