import type { CellType, FileColumn } from '../../contracts/table-file'

/**
 * Returns columns by name, in their order. Null stands for a column without a type.
 *
 * @example fileColumns({ id: null, written_at: 'instant', stars: 'number' })
 */
export const fileColumns = (types: Readonly<Record<string, CellType | null>>): FileColumn[] =>
  Object.entries(types).map(([name, type]) => (type === null ? { name } : { name, type }))
