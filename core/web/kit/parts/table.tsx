/** @jsxImportSource ../jsx */
import type { Children } from '../jsx/jsx-runtime'

export interface TableProps {
  /** Label of the table for screen readers only. */
  readonly label: string
  readonly columns: readonly string[]
  /** The first cell of each row is its heading. */
  readonly rows: readonly (readonly Children[])[]
  /** Columns of numbers that may also contain words or components, such as “no visits”. */
  readonly numeric?: readonly string[]
  /** Shown instead of a table without rows. */
  readonly empty?: Children
  /** Whether keys go through its rows, as through those of a list. */
  readonly isList?: boolean
}

/** A table whose columns of numbers are aligned right. On a phone it scrolls sideways, also by keyboard. */
export function Table({ label, columns, rows, numeric = [], empty, isList }: TableProps) {
  if (rows.length === 0) return <div class="empty">{empty ?? 'Nothing yet.'}</div>
  const ends = columns.map((name, column) =>
    column > 0 && (numeric.includes(name) || isOfNumbers(rows, column)) ? 'end' : undefined,
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="scroll" aria-label={label} tabIndex={0} data-list={isList ? '' : undefined}>
      <table>
        <thead>
          <tr>
            {columns.map((name, column) => (
              <th key={name} scope="col" class={ends[column]}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, place) => (
            <tr key={place}>
              {cells.map((cell, column) =>
                column === 0 ? (
                  <th scope="row">{cell}</th>
                ) : (
                  <td key={columns[column]} class={ends[column]}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Whether a column contains only numbers, apart from the dash of a missing value. */
function isOfNumbers(rows: TableProps['rows'], column: number): boolean {
  const cells = rows.map((cells) => cells[column])
  return cells.some(isNumber) && cells.every((cell) => isNumber(cell) || cell === '' || cell === '–')
}

/** Whether a cell is a number: 1,234 · 4.6 · −3 · 12 % · 1.2K · ▲ 3 %. */
const isNumber = (cell: Children) =>
  typeof cell === 'number' ||
  (typeof cell === 'string' && /^[▲▼×<≥+−-]? ?\d[\d,.]{0,20} ?[%KMB]?$/.test(cell))
