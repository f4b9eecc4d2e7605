import type { AnyCommand } from '../../contracts/plugin'
import { withShownDomains } from '../../kit/shown-domain'
import { harmless, painter, type Terminal } from './terminal'

type Row = Readonly<Record<string, unknown>>

/** Prints the answer of a command: one JSON line with `--json`, otherwise aligned lines. */
export function printAnswer(terminal: Terminal, json: boolean, answer: unknown): void {
  terminal.out(json ? `${escaped(JSON.stringify(answer))}\n` : forPerson(terminal, answer))
}

/**
 * Returns the same JSON without characters that a terminal would execute. JSON itself escapes only the first 32
 * characters.
 */
const escaped = (json: string) =>
  json.replace(
    /[\u007f-\u009f\p{Bidi_Control}]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Whether a person would see a command's secrets. If they would be lost, the command does not run. */
export const showsSecrets = ({ secrets = [] }: AnyCommand, terminal: Terminal, json: boolean): boolean =>
  secrets.length === 0 || json || terminal.outIsTerminal

function forPerson(terminal: Terminal, answer: unknown): string {
  const paint = painter(terminal.outIsTerminal)
  if (Array.isArray(answer)) return table(answer as Row[], paint, terminal.columns)
  const entries = idsLast(Object.entries((answer ?? {}) as Row), ([key]) => key)
  const width = Math.max(0, ...entries.map(([key]) => key.length))
  return entries
    .map(([key, value]) => {
      if (isRows(value)) return value.length === 0 ? `No ${key}.\n` : table(value, paint, terminal.columns)
      return `${paint('dim', key.padEnd(width))}  ${cell(value)}\n`
    })
    .join('')
}

/** Prints a row that is wider than the terminal with one field per line. */
function block(row: Row, paint: ReturnType<typeof painter>): string {
  const width = Math.max(...Object.keys(row).map((name) => name.length))
  return idsLast(Object.entries(row), ([name]) => name)
    .map(([name, value]) => `${paint('dim', name.padEnd(width))}  ${cell(value)}\n`)
    .join('')
}

/** Returns a table with aligned columns. */
function table(rows: readonly Row[], paint: ReturnType<typeof painter>, columns: number): string {
  if (rows.length === 0) return 'Nothing.\n'
  const names = idsLast([...new Set(rows.flatMap((row) => Object.keys(row)))], (name) => name)
  const widths = names.map((name) => Math.max(...[name, ...rows.map((row) => cell(row[name]))].map(widthOf)))
  const total = widths.reduce((sum, width) => sum + width + 2, -2)
  if (total > columns) return rows.map((row) => block(row, paint)).join('\n')
  const line = (cells: readonly string[]) =>
    cells
      .map((text, place) => text + ' '.repeat(Math.max(0, (widths[place] ?? 0) - widthOf(text))))
      .join('  ')
      .trimEnd()
  const lines = rows.map((row) => line(names.map((name) => cell(row[name]))))
  return `${[paint('dim', line(names)), ...lines].join('\n')}\n`
}

/** Returns the number of terminal columns of a text: some letters take two, marks none. */
const widthOf = (text: string) => Bun.stringWidth(text)

/** Sorts names before ids, because people look for names. */
const idsLast = <T>(list: readonly T[], nameOf: (one: T) => string): T[] =>
  list.toSorted((a, b) => Number(isId(nameOf(a))) - Number(isId(nameOf(b))))
const isId = (name: string) => name === 'id' || name.endsWith('_id')

function cell(value: unknown): string {
  if (value === undefined || value === null) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return harmless(withShownDomains(typeof value === 'object' ? JSON.stringify(value) : String(value)))
}

const isRows = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.every((row) => row !== null && typeof row === 'object')
