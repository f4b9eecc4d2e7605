import type { FileCell, FileTable } from 'renown/pages'

/** Returns all rows of a table, its headings first. */
export async function tableRows(table: FileTable | undefined): Promise<(readonly FileCell[])[]> {
  const rows: (readonly FileCell[])[] = [table?.columns.map(({ name }) => name) ?? []]
  for await (const row of table?.rows ?? []) rows.push(row)
  return rows
}
