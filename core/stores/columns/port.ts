import type { Columns, TableDeclaration } from '../../contracts/plugin'

export { UnavailableError } from '../documents/port'

/** ClickHouse or chDB through @clickhouse/client. It derives and applies all DDL of the product. */
export interface ColumnsStore extends Columns {
  readonly kind: 'clickhouse' | 'chdb'
  /** Returns the unchanged output of a query with its own FORMAT. */
  text(sql: string, params?: Record<string, unknown>): Promise<string>
  /** Creates tables and adds columns that declarations gained; idempotent. */
  ensure(tables: readonly TableDeclaration[]): Promise<void>
  /** The declaration of a table that `ensure` was given. */
  declared(table: string): TableDeclaration | undefined
  /** Returns the table with this server's own rows, which accepts statements that a Distributed one does not. */
  own(table: string): string
  /** A cheap round trip; throws UnavailableError. */
  ping(): Promise<void>
  /** Waits for what is under way, then closes. */
  close(): Promise<void>
}
