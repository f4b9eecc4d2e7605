/** @jsxImportSource ../jsx */
import type { Children } from '../jsx/jsx-runtime'

/** The heading of a column that sorts. */
export interface TableHeading {
  readonly name: string
  /** The address that sorts by the column. */
  readonly href: string
  /** How the rows are sorted by it. Null if they are not. */
  readonly sorted: 'ascending' | 'descending' | null
}

export interface TableProps {
  /** Label of the table for screen readers only. */
  readonly label: string
  readonly columns: readonly (string | TableHeading)[]
  /** The first cell of each row is its heading. */
  readonly rows: readonly (readonly Children[])[]
  /** Columns of numbers that may also contain words or components, such as “no visits”. */
  readonly numeric?: readonly string[]
  /** Shown instead of a table without rows. */
  readonly empty?: Children
  /** Whether it is a list: keys go through its rows, and on a phone each row is a card. */
  readonly isList?: boolean
}

/** A table whose columns of numbers are aligned right. On a phone it scrolls sideways, also by keyboard. */
export function Table({ label, columns, rows, numeric = [], empty, isList }: TableProps) {
  if (rows.length === 0) return <div class="empty">{empty ?? 'Nothing yet.'}</div>
  const names = columns.map((column) => (typeof column === 'string' ? column : column.name))
  const ends = names.map((name, column) =>
    column > 0 && (numeric.includes(name) || isOfNumbers(rows, column)) ? 'end' : undefined,
  )
  return (
    <section
      class={isList ? 'scroll cards-on-phone' : 'scroll'}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      data-list={isList ? '' : undefined}
    >
      <table>
        <thead>
          <tr>
            {columns.map((heading, column) => (
              <Heading key={names[column]} of={heading} side={ends[column]} />
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
                  <td
                    key={names[column]}
                    class={ends[column]}
                    data-label={isList ? names[column] : undefined}
                  >
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

/** A heading that sorts by its column, or a word. */
function Heading({ of, side }: { readonly of: string | TableHeading; readonly side: string | undefined }) {
  if (typeof of === 'string')
    return (
      <th scope="col" class={side}>
        {of}
      </th>
    )
  const { name, href, sorted } = of
  return (
    <th scope="col" class={side} aria-sort={sorted ?? undefined}>
      <a href={href}>
        {name}
        {sorted !== null && <span aria-hidden="true">{sorted === 'ascending' ? ' ↑' : ' ↓'}</span>}
      </a>
    </th>
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
