import type { PageContext } from './page'
import type { CellType, CellValue } from './table-file'

/** A filter of a list, whose value is in the address under its name. */
export type ListFilter =
  | {
      /** One choice of few, as tabs above the list. The first has the empty value. */
      readonly kind: 'views'
      readonly label: string
      readonly options: readonly (readonly [value: string, words: string])[]
    }
  | {
      /** A text to find. Its field is shown once the list has more than one page. */
      readonly kind: 'find'
      readonly label: string
    }

/** The filters of a list by name. */
export type ListFilters = Readonly<Record<string, ListFilter>>

/** The values of the filters. An invalid one is empty. */
export type ListChoice<F extends ListFilters> = { readonly [N in keyof F]: string }

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

/** What a cell shows. Null is a dash. */
export type ListCell = number | null | ListPart | readonly ListPart[]

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
}

/** Where the rows of a list come from. */
export interface ListSource<Row> {
  /** Returns rows of the page, in the order of the list. */
  list(part: { readonly skip: number; readonly limit: number }): Promise<readonly Row[]>
  /** Yields all rows in parts, for files. */
  pages(): AsyncIterable<readonly Row[]>
}

/** A list: its rows, filters and columns. The page, its CSV and XLSX files and the pages of the list are made from it. */
export interface ListDeclaration<Row, F extends ListFilters, More> {
  /** What the rows are called inside a sentence, such as `locations`. */
  readonly rows: string
  /** The title of the card with the table. */
  readonly title?: string
  readonly filters: F
  /** Rows on one page. Default: 100. */
  readonly perPage?: number
  source(ctx: PageContext, asked: ListChoice<F>): ListSource<Row>
  /** Reads what the columns need besides the rows. Without rows, only the headings of a file are asked for. */
  more?(ctx: PageContext, asked: ListChoice<F>, rows: readonly Row[]): Promise<More>
  columns(asked: ListChoice<F>, more: More): readonly ListColumn<Row>[]
  /** The page of one row, to which its first cell leads. */
  detail?(row: Row): string
  /** Shown instead of a list without rows. */
  empty(asked: ListChoice<F>): string
  /** The links to the page before and to the next one. Default: `Before` and `More <rows>`. */
  readonly turns?: readonly [before: string, next: string]
}

/** A list of any rows. */
// biome-ignore lint/suspicious/noExplicitAny: a page holds a list of any rows
export type AnyList = ListDeclaration<any, any, any>

/** A list as the page shows it. */
export interface ShownList {
  readonly path: string
  readonly rows: string
  readonly title?: string | undefined
  readonly filters: readonly (ListFilter & { readonly name: string; readonly value: string })[]
  /** The page of the list, from 1. */
  readonly at: number
  readonly hasMore: boolean
  readonly headings: readonly string[]
  readonly lines: readonly { readonly href: string | null; readonly cells: readonly ListCell[] }[]
  readonly empty: string
  readonly turns: readonly [before: string, next: string]
}

/** The data of a list page: its list, and what the page loads itself. */
export type ListData<Own = unknown> = Own & { readonly list: ShownList }
