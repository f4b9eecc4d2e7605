/**
 * How a value is written to a spreadsheet. `percent` is a share from 0 to 1. `day` is a text such as 2026-03-14, and
 * `instant` is RFC 3339: both become dates. Everything else that is a text stays a text.
 */
export type CellType =
  | 'text'
  | 'number'
  | 'count'
  | 'percent'
  | 'rating'
  | 'hours'
  | 'usd'
  | 'day'
  | 'instant'

/** A value of a cell. Null leaves the cell empty. */
export type CellValue = string | number | boolean | null

/** A cell: a value, or a value with a type of its own. */
export type FileCell = CellValue | { readonly value: CellValue; readonly type: CellType }

/** A column of a file. */
export interface FileColumn {
  /** The heading. */
  readonly name: string
  /** Default: `text` for texts, `number` for numbers. */
  readonly type?: CellType
}

/** A table that is written to CSV or to a sheet of a spreadsheet, row by row. */
export interface FileTable {
  readonly columns: readonly FileColumn[]
  readonly rows: Iterable<readonly FileCell[]> | AsyncIterable<readonly FileCell[]>
  /** Returns sentences about the table, such as what a rule removed. Called after the last row. */
  notes?(): readonly string[]
}

/** A sheet of a spreadsheet. */
export interface Sheet extends FileTable {
  /** Characters that spreadsheets refuse are replaced, and a second sheet of the same name gets a number. */
  readonly name: string
}
