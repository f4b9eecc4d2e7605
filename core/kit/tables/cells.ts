import type { CellType, CellValue, FileCell, FileColumn } from '../../contracts/table-file'

/** A cell with the type that it is written with. Undefined if neither it nor its column has one. */
export interface ReadCell {
  readonly value: CellValue
  readonly type: CellType | undefined
}

/** Returns the value and the type of a cell. Numbers that are not finite are empty. */
export function readCell(cell: FileCell, column: FileColumn | undefined): ReadCell {
  const isTyped = typeof cell === 'object' && cell !== null
  const value = isTyped ? cell.value : cell
  const type = isTyped ? cell.type : column?.type
  return { value: typeof value === 'number' && !Number.isFinite(value) ? null : value, type }
}

/** Whether a spreadsheet could read a text as a formula. */
export const isLikeFormula = (text: string): boolean => /^\s*[=+\-@＝＋－＠]|^[\t\r]/.test(text)
