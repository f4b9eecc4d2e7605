import type { FileCell, FileTable } from '../../contracts/table-file'
import { isLikeFormula, readCell } from './cells'

/** The part of a file that is written at once, in characters. */
const partSize = 64 * 1024

/** How CSV is written. */
export interface CsvOptions {
  /** Whether to begin with the byte order mark by which spreadsheets recognize UTF-8. Default: true. */
  readonly hasMark?: boolean
}

/**
 * Writes CSV (RFC 4180) in parts. A text that a spreadsheet would read as a formula gets an apostrophe in front, and so does
 * a part of a text after a line break, semicolon or tab. Notes come last, each in a row of its own after an empty row.
 */
export async function* csvParts(
  table: FileTable,
  { hasMark = true }: CsvOptions = {},
): AsyncGenerator<string> {
  const { columns } = table
  let part = `${hasMark ? '\uFEFF' : ''}${lineOf(columns.map(({ name }) => name))}`
  for await (const row of table.rows) {
    part += lineOf(row.map((cell, place) => textOf(cell, columns[place])))
    if (part.length < partSize) continue
    yield part
    part = ''
  }
  const notes = table.notes?.() ?? []
  if (notes.length > 0) part += `\r\n${notes.map((note) => lineOf([note])).join('')}`
  yield part
}

function textOf(cell: FileCell, column: FileTable['columns'][number] | undefined): string | number {
  const { value } = readCell(cell, column)
  if (value === null) return ''
  return typeof value === 'boolean' ? String(value) : value
}

/**
 * Ends of lines, semicolons and tabs inside a text, before what looks like a formula. A spreadsheet that separates cells by
 * semicolons or tabs does not see the quotes around the text, and begins a cell there.
 */
const laterFormula = /(?:\r\n|[\r\n;\t])(?=(?:"|[^\S\r\n\t])*[=+\-@＝＋－＠])/g

const lineOf = (cells: readonly (string | number)[]) => `${cells.map(quoted).join(',')}\r\n`

function quoted(cell: string | number): string {
  if (typeof cell === 'number') return String(cell)
  const known = cell.toWellFormed().replaceAll('\0', '')
  const text = `${isLikeFormula(known) ? "'" : ''}${known.replaceAll(laterFormula, "$&'")}`
  const isQuoted = /[",\r\n]/.test(text) || /^\s/.test(text) || /\s$/.test(text)
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
}
