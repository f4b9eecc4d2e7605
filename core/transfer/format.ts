import * as v from 'valibot'

/** The version of the file format. It increases with a change that old versions cannot read. */
export const exportFormat = 1

/** The first line of an export: its origin and its contents. */
export const headerSchema = v.object({
  renown_export: v.number(),
  version: v.string(),
  made_at: v.string(),
  documents: v.string(),
  columns: v.string(),
  /** Migrations that were applied to the data. */
  migrations: v.array(v.string()),
  /** Record types and tables that had rows. */
  parts: v.array(v.string()),
})
export type Header = v.InferOutput<typeof headerSchema>

/** The last line. Without it, the file is incomplete. */
export const endSchema = v.object({ end: v.literal(true), counts: v.record(v.string(), v.number()) })
export type End = v.InferOutput<typeof endSchema>

/** Any other line: the name of a record type or table, and one row. */
export const lineSchema = v.strictObject({
  in: v.string(),
  row: v.record(v.string(), v.unknown()),
})

export type Row = Readonly<Record<string, unknown>>

/** The start of the next page: the key of the last row. */
export type Mark = readonly (string | number)[]

/** Why a line cannot be imported, with its number in the file. */
export interface LineFault {
  readonly line: number
  readonly reason: string
}

/** The result of importing a chunk of lines. */
export interface ImportedLines {
  readonly inserted: number
  /** Number of rows that already existed. */
  readonly skipped: number
  /** Rows that a unique index rejected. */
  readonly conflicts: readonly LineFault[]
  /** Rows read, by record type or table. */
  readonly counts: Readonly<Record<string, number>>
}

/** The unit of an export: the documents of one record type, or the rows of one table. */
export interface Part {
  readonly name: string
  isEmpty(): Promise<boolean>
  /** Returns rows by key after a mark. */
  page(
    after: Mark | null,
    limit: number,
  ): Promise<{ readonly rows: readonly Row[]; readonly after: Mark | null }>
  /** Returns the row to insert, or why it is invalid. */
  check(row: Row): { readonly row: Row } | { readonly reason: string }
  /** Returns which of these rows exist already, by index. */
  existing(rows: readonly Row[]): Promise<ReadonlySet<number>>
  /** Inserts rows. Returns those that failed, by index. */
  insert(rows: readonly Row[]): Promise<readonly { readonly index: number; readonly reason: string }[]>
}
