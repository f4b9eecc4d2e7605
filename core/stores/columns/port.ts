import type { Columns, TableDeclaration } from '../../contracts/plugin'
import type { PoolLoad } from '../documents/port'

export { UnavailableError } from '../documents/port'

/** A condition on rows: the column has one of these values. */
export interface ColumnValues {
  readonly column: string
  readonly values: readonly string[]
}

/** Texts of a column, and what replaces each of them. */
export interface ReplacedTexts {
  readonly column: string
  readonly from: readonly string[]
  readonly to: readonly string[]
  /** The rows that may change. */
  readonly among: ColumnValues
}

/** ClickHouse or chDB through @clickhouse/client. It derives and runs all DDL of the product. */
export interface ColumnsStore extends Columns {
  readonly kind: 'clickhouse' | 'chdb'
  /** Returns the unchanged output of a query with its own FORMAT. */
  text(sql: string, params?: Record<string, unknown>): Promise<string>
  /** Removes the rows that meet all conditions. */
  removeWhere(table: string, wanted: readonly ColumnValues[]): Promise<void>
  /** Replaces texts of a column that is not part of the key, in every version of a row. */
  replace(table: string, texts: ReplacedTexts): Promise<void>
  /** Creates tables and adds new columns of declarations. Idempotent. */
  ensure(tables: readonly TableDeclaration[]): Promise<void>
  /** Returns the declaration of a table that was passed to `ensure`. */
  declared(table: string): TableDeclaration | undefined
  /** Returns the table with this server's own rows, which accepts statements that a Distributed one does not. */
  own(table: string): string
  /**
   * Copies an embedded engine's files into a new folder, each table as of one moment, in this order. Refused by a server, which
   * has its own backups.
   */
  snapshot(to: string, tables: readonly string[]): Promise<void>
  /** Makes a cheap request. Throws UnavailableError if it fails. */
  ping(): Promise<void>
  /**
   * How often rows of these workspaces were written, or of undefined any rows of the table. It only grows. Undefined if other
   * processes may write them, or if rows end by themselves.
   */
  written(table: string, workspaces: readonly string[] | undefined): number | undefined
  /** How many reads run and wait in this process, for metrics. Absent if they have no limit. */
  load?(): readonly PoolLoad[]
  /** Waits for running statements, then closes. */
  close(): Promise<void>
}
