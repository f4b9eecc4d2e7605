import type { IgnoredValue } from '../../../contracts/ignored-value'
import type { ListColumn, ListSort, ShownFilter, ShownHeading } from '../../../contracts/list'

/** A column that people can sort by. */
type SortColumn<Row> = ListColumn<Row> & {
  readonly label: string
  readonly name: string
  readonly sort: ListSort<Row>
}

/** By which column the rows are sorted, and whether the other way than its first. */
interface Sorting<Row> {
  readonly column: SortColumn<Row>
  readonly isTurned: boolean
}

/** In the address, the other direction of a column is its name after this sign. */
const turned = '-'

const canSort = <Row>(column: ListColumn<Row>): column is SortColumn<Row> =>
  column.sort !== undefined && column.label !== undefined && column.name !== undefined

/** Returns how the address sorts the rows. Null for their usual order, which a value that no column has counts as. */
export function readSorting<Row>(
  text: string,
  columns: readonly ListColumn<Row>[],
): { readonly sorting: Sorting<Row> | null; readonly ignored: readonly IgnoredValue[] } {
  const known = columns.filter(canSort)
  if (text === '' || known.length === 0) return { sorting: null, ignored: [] }
  const isTurned = text.startsWith(turned)
  const column = known.find(({ name }) => name === (isTurned ? text.slice(turned.length) : text))
  if (column) return { sorting: { column, isTurned }, ignored: [] }
  const accepted = `Use ${known.map(({ name }) => name).join(', ')}.`
  return { sorting: null, ignored: [{ name: 'sort', value: text, accepted }] }
}

const directionOf = ({ first }: ListSort<never>, isTurned: boolean) =>
  (first === 'ascending') === isTurned ? 'descending' : 'ascending'

/** Returns all rows in the order that a person chose. */
export function sortedRows<Row>(rows: readonly Row[], sorting: Sorting<Row> | null): readonly Row[] {
  if (!sorting) return rows
  const { column, isTurned } = sorting
  const { kind } = column.sort
  const sign = directionOf(column.sort, isTurned) === 'ascending' ? 1 : -1
  const keyed = rows.map((row) => ({ row, key: keyOf(column, row) }))
  const compare =
    kind === 'number'
      ? (a: Key, b: Key) => Number(a) - Number(b)
      : kind === 'time'
        ? (a: Key, b: Key) => Date.parse(String(a)) - Date.parse(String(b))
        : (a: Key, b: Key) => String(a).localeCompare(String(b))
  return keyed
    .toSorted(({ key: a }, { key: b }) =>
      a === null || b === null ? Number(a === null) - Number(b === null) : sign * compare(a, b),
    )
    .map(({ row }) => row)
}

type Key = string | number

function keyOf<Row>({ sort, value }: SortColumn<Row>, row: Row): Key | null {
  const key = sort.by ? sort.by(row) : (value?.(row) ?? null)
  return typeof key === 'boolean' ? Number(key) : key
}

/** Returns the headings of the columns on the page. `to` makes the address of an order. */
export const headingsOf = <Row>(
  columns: readonly ListColumn<Row>[],
  sorting: Sorting<Row> | null,
  to: (sort: string) => string,
): readonly ShownHeading[] =>
  columns.map((column) => {
    const { label = '' } = column
    if (!canSort(column)) return { label, isNumber: false, href: null, sorted: null }
    const isCurrent = sorting?.column.name === column.name
    return {
      label,
      isNumber: column.sort.kind === 'number',
      href: to(isCurrent && !sorting.isTurned ? `${turned}${column.name}` : column.name),
      sorted: isCurrent ? directionOf(column.sort, sorting.isTurned) : null,
    }
  })

const directions = {
  words: { ascending: 'A to Z', descending: 'Z to A' },
  number: { ascending: 'low to high', descending: 'high to low' },
  time: { ascending: 'oldest first', descending: 'newest first' },
} as const

/** Returns the field that sorts, for phones and for the way back to the usual order. */
export function sortFields<Row>(
  columns: readonly ListColumn<Row>[],
  sorting: Sorting<Row> | null,
  usual = 'Usual order',
): readonly ShownFilter[] {
  const known = columns.filter(canSort)
  if (known.length === 0) return []
  const options = known.flatMap(({ label, name, sort }) =>
    [false, true].map(
      (isTurned) =>
        [
          `${isTurned ? turned : ''}${name}`,
          `${label}, ${directions[sort.kind][directionOf(sort, isTurned)]}`,
        ] as const,
    ),
  )
  const value = sorting ? `${sorting.isTurned ? turned : ''}${sorting.column.name}` : ''
  return [{ kind: 'choice', name: 'sort', label: 'Sort', none: usual, options, value, isPosition: true }]
}
