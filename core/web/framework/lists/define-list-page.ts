import type { ListQuery } from '../../../contracts/context'
import type { AnyEntity, Row as RowOf } from '../../../contracts/entity'
import type {
  AnyList,
  ListCell,
  ListChoice,
  ListColumn,
  ListData,
  ListDeclaration,
  ListFilters,
  ListSource,
  ShownList,
} from '../../../contracts/list'
import type { PageContext, PageDeclaration } from '../../../contracts/page'
import type { FileTable } from '../../../contracts/table-file'
import { refuseOthers } from '../../../kit/refuse-ignored'

/** What a list page declares itself, or has from its list. */
type Given = 'title' | 'module' | 'isStatic' | 'load' | 'download' | 'record' | 'cards' | 'headOf' | 'titleOf'

/** A page with one list. */
export interface ListPageDeclaration<Own> extends Omit<PageDeclaration<ListData<Own>>, Given> {
  readonly title: string
  /** What the list contains, below the title. Only without `module`. */
  readonly about?: string | ((ctx: PageContext) => string)
  readonly list: AnyList
  /** A component of its own, for a page that shows more than its list. It shows `data.list` with `Listed`. */
  readonly module?: URL
  /** Loads what the component shows besides the list. */
  load?(ctx: PageContext, query: URLSearchParams): Promise<Own>
}

const perPageUsual = 100
const pagesMax = 10_000

/** Declares a list: its rows, filters and columns. It is the `list` of a page. */
export const defineList = <Row, const F extends ListFilters, More = undefined>(
  declaration: ListDeclaration<Row, F, More>,
): ListDeclaration<Row, F, More> => declaration

/** Returns the page of a list. The same rows are at `/app/data/<rest of the path>.csv` and `.xlsx`. */
export function listPage<Own>(declaration: ListPageDeclaration<Own>): PageDeclaration<ListData<Own>> {
  const { list, about, module, load, ...page } = declaration
  const { path, title } = page
  return {
    ...page,
    module: module ?? new URL('./ListPage.tsx', import.meta.url),
    isStatic: true,
    async load(ctx, query) {
      const [shown, own] = await Promise.all([shownList(ctx, query, path, list), load?.(ctx, query)])
      // The usual component gets its texts here.
      const text = typeof about === 'function' ? about(ctx) : about
      return { ...(own ?? { title, about: text }), list: shown } as ListData<Own>
    },
    download: (ctx, query) => fileOf(ctx, query, list),
  }
}

/** Returns the rows of a record type that fulfil a condition, for a list. */
export const listedRows = <E extends AnyEntity>(
  ctx: Pick<PageContext, 'rows'>,
  entity: E,
  query: Pick<ListQuery, 'where' | 'sort'>,
): ListSource<RowOf<E>> => ({
  list: (part) => ctx.rows(entity).list({ ...query, ...part }),
  pages: () =>
    ctx.rows(entity).pages({ where: query.where, size: perPageUsual }) as AsyncIterable<RowOf<E>[]>,
})

function askedOf<F extends ListFilters>(filters: F, query: URLSearchParams): ListChoice<F> {
  const entries = Object.entries(filters).map(([name, filter]) => {
    const text = (query.get(name) ?? '').trim().slice(0, 200)
    const isKnown = filter.kind === 'find' || filter.options.some(([value]) => value === text)
    return [name, isKnown ? text : '']
  })
  return Object.fromEntries(entries) as ListChoice<F>
}

const pageOf = (query: URLSearchParams): number => {
  const at = Number.parseInt(query.get('at') ?? '1', 10)
  return at >= 1 && at <= pagesMax ? at : 1
}

/** Reads one row more than the page shows, to know whether there are more. */
async function shownList<Row, F extends ListFilters, More>(
  ctx: PageContext,
  query: URLSearchParams,
  path: string,
  list: ListDeclaration<Row, F, More>,
): Promise<ShownList> {
  const asked = askedOf(list.filters, query)
  const at = pageOf(query)
  const perPage = list.perPage ?? perPageUsual
  const found = await list.source(ctx, asked).list({ skip: (at - 1) * perPage, limit: perPage + 1 })
  const rows = found.slice(0, perPage)
  const columns = await columnsOf(ctx, asked, rows, list)
  const shown = columns.filter(({ label }) => label !== undefined)
  return {
    path,
    rows: list.rows,
    title: list.title,
    filters: Object.entries(list.filters).map(([name, filter]) => ({
      ...filter,
      name,
      value: asked[name] ?? '',
    })),
    at,
    hasMore: found.length > perPage,
    headings: shown.map(({ label = '' }) => label),
    lines: rows.map((row) => ({
      href: list.detail?.(row) ?? null,
      cells: shown.map((column) => cellOf(column, row)),
    })),
    empty: list.empty(asked),
    turns: list.turns ?? ['Before', `More ${list.rows}`],
  }
}

/** Returns all rows of the list as a table. A value that no filter has is refused, because a file cannot say so. */
async function fileOf<Row, F extends ListFilters, More>(
  ctx: PageContext,
  query: URLSearchParams,
  list: ListDeclaration<Row, F, More>,
): Promise<FileTable> {
  for (const [name, filter] of Object.entries(list.filters))
    if (filter.kind === 'views') {
      const values = filter.options.map(([value]) => value).filter((value) => value !== '')
      refuseOthers(query, name, values)
    }
  const asked = askedOf(list.filters, query)
  const named = async (rows: readonly Row[]) =>
    (await columnsOf(ctx, asked, rows, list)).filter(({ name }) => name !== undefined)
  return {
    columns: (await named([])).map(({ name = '', type }) => (type === undefined ? { name } : { name, type })),
    rows: (async function* () {
      for await (const rows of list.source(ctx, asked).pages()) {
        const columns = await named(rows)
        yield* rows.map((row) => columns.map(({ value }) => value?.(row) ?? null))
      }
    })(),
  }
}

async function columnsOf<Row, F extends ListFilters, More>(
  ctx: PageContext,
  asked: ListChoice<F>,
  rows: readonly Row[],
  { more, columns }: ListDeclaration<Row, F, More>,
): Promise<readonly ListColumn<Row>[]> {
  return columns(asked, (await more?.(ctx, asked, rows)) as More)
}

function cellOf<Row>({ show, value }: ListColumn<Row>, row: Row): ListCell {
  if (show) return show(row)
  const plain = value?.(row) ?? null
  return typeof plain === 'boolean' ? (plain ? 'Yes' : 'No') : plain
}
