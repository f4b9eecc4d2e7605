import type {
  CountedSource,
  KeyedSource,
  ListDeclaration,
  ListFilters,
  WholeSource,
} from '../../../contracts/list'
import type { PageContext } from '../../../contracts/page'
import type { FileTable } from '../../../contracts/table-file'
import { refuseIgnored } from '../../../kit/refuse-ignored'
import { eachPage } from '../../../kit/tables/each-page'
import { currentWork } from '../../../work/scope'
import { readRequest } from './read-request'
import { readSorting, sortedRows } from './sorting'

/** Rows that are read at once. */
const size = 200

/** Returns all rows of the list as a table. A value that no filter takes is refused, because a file cannot say so. */
export async function fileOf<Row, F extends ListFilters, More>(
  ctx: PageContext,
  query: URLSearchParams,
  list: ListDeclaration<Row, F, More, unknown, unknown>,
): Promise<FileTable> {
  const { asked: values, sort } = refuseIgnored(await readRequest(ctx, query, list))
  const asked = values as Parameters<typeof list.columns>[0]
  const columnsFor = async (rows: readonly Row[]) =>
    list.columns(asked, (await list.more?.(ctx, asked, rows)) as More)
  const named = async (rows: readonly Row[]) =>
    (await columnsFor(rows)).filter(({ name }) => name !== undefined)
  const source = list.source(ctx, asked)
  /** A file of all rows is in the order that the address asks for. Its rows are read before it begins. */
  const inOrder = async ({ all }: WholeSource<Row>) => {
    currentWork().takeTime()
    const rows = await all()
    return sortedRows(rows, refuseIgnored(readSorting(sort, await columnsFor(rows))).sorting)
  }
  const parts = 'all' in source ? [await inOrder(source)] : partsOf(source)
  const counts = new Map<string, number>()
  const count = (row: Row) => {
    const what = list.notes?.of(row) ?? null
    if (what !== null) counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  return {
    columns: (await named([])).map(({ name = '', type }) => (type === undefined ? { name } : { name, type })),
    rows: (async function* () {
      for await (const rows of parts) {
        const columns = await named(rows)
        for (const row of rows) {
          count(row)
          yield columns.map(({ value }) => value?.(row) ?? null)
        }
      }
    })(),
    ...(list.notes && { notes: () => list.notes?.say(counts) ?? [] }),
  }
}

async function* partsOf<Row>(source: CountedSource<Row> | KeyedSource<Row>): AsyncIterable<readonly Row[]> {
  if ('after' in source && !source.pages) {
    const parts = eachPage((after) => source.after({ after, limit: size, isWhole: true }))
    for await (const { rows } of parts) yield rows
  } else if (source.pages) yield* source.pages()
}
