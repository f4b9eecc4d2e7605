import type { FileCell, FileTable } from '../../../contracts/table-file'

/** Maximum rows of a download. */
const downloadRowsMax = 50_000

/** A table with at most `max` rows. If there are more, a note says so. */
export function boundedTable(table: FileTable, max = downloadRowsMax): FileTable {
  let isCut = false
  const shown = max.toLocaleString('en')
  const cut = `Only the first ${shown} rows are in this file. Use the filters of the page for the others.`
  return {
    columns: table.columns,
    rows: firstRows(table.rows, max, () => {
      isCut = true
    }),
    notes: () => [...(table.notes?.() ?? []), ...(isCut ? [cut] : [])],
  }
}

async function* firstRows(
  rows: FileTable['rows'],
  max: number,
  onMore: () => void,
): AsyncGenerator<readonly FileCell[]> {
  let count = 0
  for await (const row of rows) {
    if (count === max) return onMore()
    count++
    yield row
  }
}
