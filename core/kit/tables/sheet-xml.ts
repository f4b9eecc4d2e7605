import type { CellType, FileCell, FileColumn, FileTable } from '../../contracts/table-file'
import { dayMs } from '../../contracts/time'
import { isLikeFormula, readCell } from './cells'

/** Maximum rows of a sheet, with its heading. */
export const rowsMax = 1_048_576
/** Maximum columns of a sheet. */
const columnsMax = 16_384
/** Maximum length of the text of a cell, in UTF-16 units. */
const textMax = 32_767
/** The part of a sheet that is written at once, in characters. */
const partSize = 256 * 1024

/** The formats of cells, in the order of `cellXfs` of the style sheet. */
const styles = [
  '',
  'heading',
  'quoted',
  'count',
  'percent',
  'rating',
  'hours',
  'usd',
  'day',
  'instant',
] as const
const styleOf = new Map<string, number>(styles.map((name, place) => [name, place]))
const formats: readonly string[] = [
  '#,##0',
  '0.0%',
  '0.00',
  '#,##0.0',
  '"$"#,##0.00',
  'yyyy-mm-dd',
  'yyyy-mm-dd hh:mm:ss "UTC"',
]
const firstFormat = 164

/** The style sheet of a workbook: one format for each type of a cell. */
export const stylesXml = [
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n',
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
  `<numFmts count="${formats.length}">`,
  ...formats.map(
    (code, place) =>
      `<numFmt numFmtId="${firstFormat + place}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  ),
  '</numFmts>',
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>',
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
  '<fills count="2"><fill><patternFill patternType="none"/></fill>',
  '<fill><patternFill patternType="gray125"/></fill></fills>',
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  `<cellXfs count="${styles.length}">`,
  ...styles.map((name, place) => {
    const format = place < 3 ? 0 : firstFormat + place - 3
    const more = name === 'heading' ? ' applyFont="1"' : name === 'quoted' ? ' quotePrefix="1"' : ''
    const applied = format === 0 ? more : ' applyNumberFormat="1"'
    const font = name === 'heading' ? 1 : 0
    return `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0"${applied}/>`
  }),
  '</cellXfs></styleSheet>',
].join('')

/**
 * Writes the XML of a sheet in parts: a heading that stays in place, and typed cells. Texts are always texts, so none
 * becomes a formula. Throws if the table has too many rows or columns for a sheet.
 */
export async function* sheetParts({ columns, rows }: FileTable): AsyncGenerator<string> {
  if (columns.length > columnsMax) throw new RangeError(`A sheet has at most ${columnsMax} columns.`)
  const letters = columns.map((_, place) => columnName(place))
  let part = `${openXml(columns)}${rowXml(
    1,
    columns.map(({ name }) => name),
    { letters, columns: [], style: 'heading' },
  )}`
  let number = 1
  for await (const row of rows) {
    number++
    if (number > rowsMax) throw new RangeError(`A sheet has at most ${rowsMax - 1} rows. Choose fewer rows.`)
    part += rowXml(number, row, { letters, columns })
    if (part.length < partSize) continue
    yield part
    part = ''
  }
  yield `${part}</sheetData></worksheet>`
}

function openXml(columns: readonly FileColumn[]): string {
  const widths = columns.map(
    ({ name, type }, place) =>
      `<col min="${place + 1}" max="${place + 1}" width="${widthOf(name, type)}" customWidth="1"/>`,
  )
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n',
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
    '<sheetViews><sheetView workbookViewId="0">',
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
    '</sheetView></sheetViews>',
    ...(widths.length === 0 ? [] : ['<cols>', ...widths, '</cols>']),
    '<sheetData>',
  ].join('')
}

const widths: Partial<Readonly<Record<CellType, number>>> = { day: 12, instant: 24, text: 28 }
const widthOf = (name: string, type: CellType | undefined) =>
  Math.max(10, Math.min(40, name.length + 2), type === undefined ? 0 : (widths[type] ?? 0))

interface RowParts {
  readonly letters: readonly string[]
  readonly columns: readonly FileColumn[]
  readonly style?: string
}

function rowXml(number: number, cells: readonly FileCell[], { letters, columns, style }: RowParts): string {
  let text = `<row r="${number}">`
  for (let place = 0; place < letters.length; place++) {
    const cell = cells[place]
    if (cell === undefined || cell === null) continue
    text += cellXml(`${letters[place]}${number}`, cell, columns[place], style)
  }
  return `${text}</row>`
}

function cellXml(
  at: string,
  cell: FileCell,
  column: FileColumn | undefined,
  style: string | undefined,
): string {
  const { value, type = '' } = readCell(cell, column)
  if (value === null) return ''
  if (typeof value === 'boolean') return `<c r="${at}" t="b"><v>${value ? 1 : 0}</v></c>`
  if (typeof value === 'number') return numberXml(at, value, type)
  const serial = type === 'day' || type === 'instant' ? serialOf(value) : null
  if (serial !== null) return numberXml(at, serial, type)
  const text = cleanText(value)
  if (text === '') return ''
  const found = styleOf.get(style ?? (isLikeFormula(text) ? 'quoted' : '')) ?? 0
  const styled = found === 0 ? '' : ` s="${found}"`
  return `<c r="${at}"${styled} t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`
}

function numberXml(at: string, value: number, type: CellType | ''): string {
  const style = styleOf.get(type) ?? 0
  return `<c r="${at}"${style === 0 ? '' : ` s="${style}"`}><v>${value}</v></c>`
}

/** Spreadsheets count days from 30 December 1899. Days before March 1900 stay texts, because they count those wrongly. */
const epoch = Date.UTC(1899, 11, 30)
const firstSerial = 61

function serialOf(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}(?:$|T)/.test(text)) return null
  const at = Date.parse(text)
  if (Number.isNaN(at)) return null
  const serial = (at - epoch) / dayMs
  return serial < firstSerial ? null : Math.round(serial * 100_000_000) / 100_000_000
}

/** Leaves out what XML cannot contain, and cuts what is too long for a cell. */
function cleanText(text: string): string {
  const known = text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '')
  if (known.length <= textMax) return known
  return `${known.slice(0, textMax - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Escapes a text for XML, and what spreadsheets would read as the code of a character, such as `_x0041_`. */
const escaped = (text: string): string => {
  const known = text.includes('_x') ? text.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_') : text
  return /[&<>]/.test(known)
    ? known.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    : known
}

/** Returns the letters of a column: A, B, … Z, AA. */
function columnName(place: number): string {
  let name = ''
  for (let rest = place + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name
  }
  return name
}
