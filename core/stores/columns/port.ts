import type { Columns, TableDeclaration } from '../../contracts/plugin'

/** ClickHouse or chDB through @clickhouse/client. All DDL of the product is derived and applied here. */
export interface ColumnsStore extends Columns {
  readonly kind: 'clickhouse' | 'chdb'
  /** Creates tables and adds columns that declarations gained; idempotent. */
  ensure(tables: readonly TableDeclaration[]): Promise<void>
  ping(): Promise<void>
  close(): Promise<void>
}
