import type { CellType, FileCell } from 'renown/pages'
import type { BlockOf, TableCell, Unit } from '../blocks/block'

type ColumnType = BlockOf<'table'>['columns'][number]['type']

const types: Readonly<Record<Unit, CellType>> = {
  count: 'count',
  share: 'percent',
  rating: 'rating',
  score: 'number',
  hours: 'hours',
  usd: 'usd',
}

/** Returns the type of the cells of a column. */
export const cellType = (type: ColumnType): CellType =>
  type === 'text' || type === 'day' ? type : types[type]

/** Returns a cell of a table. Unknown values are empty. */
export const fileCell = (cell: TableCell, type: ColumnType): FileCell => {
  if (cell === null) return null
  if (typeof cell === 'object') return cell.quote
  return typeof cell === 'number' ? { value: cell, type: cellType(type) } : cell
}

/** Returns a number with its unit. Unknown values are empty. */
export const numberCell = (value: number | null | undefined, unit: Unit): FileCell =>
  value === null || value === undefined ? null : { value, type: types[unit] }
