import { hitsTable, touchedTable } from 'renown/contracts'
import type { Segment } from '../journal/segment'
import {
  aggregateBlock,
  firstDay,
  hitsColumns,
  monthOf,
  type NamedSegment,
  receiptKey,
  receiptSite,
  touchedColumns,
} from './aggregate'
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

/** Several segments that go to ClickHouse together, each month as one block. */
export interface Block {
  /** Names the block in its deduplication tokens. Another attempt for the same segments has the same name. */
  readonly name: string
  readonly parts: readonly NamedSegment[]
  /** The segments that an earlier attempt may have stored. */
  readonly mayStand: ReadonlySet<string>
}

/** Writes one segment to ClickHouse exactly once. `mayStand` means that an earlier attempt may have succeeded. */
export const flushSegment = (
  clickhouse: Clickhouse,
  name: string,
  segment: Segment,
  mayStand: boolean,
): Promise<{ readonly hits: number }> =>
  flushBlock(clickhouse, { name, parts: [{ name, segment }], mayStand: new Set(mayStand ? [name] : []) })

/**
 * Writes the segments of a block to ClickHouse, each exactly once. Every segment has a receipt of its own in the part that has its
 * hits, so a receipt says that they stand, whatever block they came with. Where an earlier attempt may have succeeded, the receipts
 * are read first: a power cut can erase a deduplication token in ClickHouse, but never a row without its receipt.
 */
export async function flushBlock(
  clickhouse: Clickhouse,
  { name, parts, mayStand }: Block,
): Promise<{ readonly hits: number }> {
  const doubtful = mayStand.size > 0 ? parts.filter((part) => mayStand.has(part.name)) : []
  const { months, touched, hits } = aggregateBlock(parts, await receipts(clickhouse, doubtful))
  for (const { month, rows } of months)
    await clickhouse.insert(insertHits(clickhouse.own(hitsTable.name), name, month), rows)
  if (touched) await clickhouse.insert(insertTouched(clickhouse.own(touchedTable.name)), touched)
  return { hits }
}

async function receipts(clickhouse: Clickhouse, parts: readonly NamedSegment[]): Promise<Set<string>> {
  const dates = new Set<string>()
  for (const { segment } of parts)
    for (const { hits } of segment.frames) for (const { date } of hits) dates.add(date)
  if (dates.size === 0) return new Set<string>()
  // In the statement, because hundreds of names are too long for an address.
  const names = parts.map(({ name }) => `'${name.replace(/[\\']/g, (sign) => `\\${sign}`)}'`)
  const rows = await clickhouse.query<{ name: string; month: string }>(
    `SELECT path AS name, toString(toYYYYMM(date)) AS month FROM ${clickhouse.own(hitsTable.name)}
     WHERE site_id = {site:String} AND date IN {days:Array(Date)} AND kind = 'receipt' AND path IN (${names.join(', ')})
     GROUP BY name, month HAVING sum(hits) > 0`,
    { site: receiptSite, days: [...new Set([...dates].map(monthOf))].map(firstDay) },
  )
  return new Set(rows.map((row) => receiptKey(row.name, row.month)))
}

const insertHits = (table: string, name: string, month: string) =>
  `INSERT INTO ${table} (${hitsColumns.join(', ')}) SETTINGS insert_deduplication_token = '${token(name)}:${month}', ${oneBlock} FORMAT TabSeparated`

const insertTouched = (table: string) =>
  `INSERT INTO ${table} (${touchedColumns.join(', ')}) SETTINGS date_time_input_format = 'best_effort', ${oneBlock} FORMAT TabSeparated`

/** Replaces other characters, because names come from a folder and must not end the SQL literal. */
const token = (name: string) => name.replace(/[^\w.-]/g, '_')
