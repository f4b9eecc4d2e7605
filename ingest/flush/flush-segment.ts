import { hitsTable, touchedTable } from 'renown/contracts'
import type { Segment } from '../journal/segment'
import { aggregate, firstDay, hitsColumns, type MonthRows, receiptSite, touchedColumns } from './aggregate'
import type { Clickhouse } from './clickhouse'

/** Settings of every INSERT: one block per statement, so that rows and receipt are in one part. */
const oneBlock = [
  'async_insert = 0',
  'insert_deduplicate = 1',
  'input_format_parallel_parsing = 0',
  'max_insert_threads = 1',
  'max_insert_block_size = 100000000',
  'min_insert_block_size_rows = 100000000',
  'min_insert_block_size_bytes = 0',
].join(', ')

/**
 * Writes one segment to ClickHouse exactly once. `mayStand` means that an earlier attempt may have succeeded.
 * Then the receipts are read first: a power cut can erase a deduplication token in ClickHouse, but never a
 * row without its receipt.
 */
export async function flushSegment(
  clickhouse: Clickhouse,
  name: string,
  segment: Segment,
  mayStand: boolean,
): Promise<{ readonly hits: number }> {
  const { months, touched, hits } = aggregate(name, segment)
  const standing = mayStand ? await receipts(clickhouse, name, months) : new Set<string>()
  for (const { month, rows } of months) {
    if (!standing.has(month))
      await clickhouse.insert(insertHits(clickhouse.own(hitsTable.name), name, month), rows)
  }
  if (touched) await clickhouse.insert(insertTouched(clickhouse.own(touchedTable.name)), touched)
  return { hits }
}

async function receipts(clickhouse: Clickhouse, name: string, months: readonly MonthRows[]) {
  if (months.length === 0) return new Set<string>()
  const rows = await clickhouse.query<{ month: string }>(
    `SELECT toString(toYYYYMM(date)) AS month FROM ${clickhouse.own(hitsTable.name)}
     WHERE site_id = {site:String} AND date IN {days:Array(Date)} AND kind = 'receipt' AND path = {name:String}
     GROUP BY month HAVING sum(hits) > 0`,
    { site: receiptSite, days: months.map(({ month }) => firstDay(month)), name },
  )
  return new Set(rows.map((row) => row.month))
}

const insertHits = (table: string, name: string, month: string) =>
  `INSERT INTO ${table} (${hitsColumns.join(', ')}) SETTINGS insert_deduplication_token = '${token(name)}:${month}', ${oneBlock} FORMAT TabSeparated`

const insertTouched = (table: string) =>
  `INSERT INTO ${table} (${touchedColumns.join(', ')}) SETTINGS date_time_input_format = 'best_effort', ${oneBlock} FORMAT TabSeparated`

/** Replaces other characters, because names come from a folder and must not end the SQL literal. */
const token = (name: string) => name.replace(/[^\w.-]/g, '_')
