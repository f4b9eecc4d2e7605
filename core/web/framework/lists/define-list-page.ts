import type { ListQuery } from '../../../contracts/context'
import type { AnyEntity, Row as RowOf } from '../../../contracts/entity'
import type {
  AnyList,
  CountedSource,
  ListData,
  ListDeclaration,
  ListFilters,
  ShownList,
} from '../../../contracts/list'
import type { PageContext, PageDeclaration } from '../../../contracts/page'
import type { Wording } from '../../../contracts/words'
import { fileOf } from './list-file'
import { inWords } from './list-words'
import { severalActions } from './several'
import { shownList } from './shown-list'

/** What a list page declares itself, or has from its list. */
type Given = 'title' | 'module' | 'isStatic' | 'load' | 'download' | 'record' | 'cards' | 'headOf' | 'titleOf'

/** A page with one list. */
export interface ListPageDeclaration<Own> extends Omit<PageDeclaration<ListData<Own>>, Given> {
  readonly title: Wording
  /** What the list contains, below the title. Only without `module`. */
  readonly about?: string | ((ctx: PageContext) => string)
  readonly list: AnyList
  /** A component of its own, for a page that shows more than its list. It shows `data.list` with `Listed`. */
  readonly module?: URL
  /** Loads what the component shows besides the list. */
  load?(ctx: PageContext, query: URLSearchParams, list: ShownList): Promise<Own>
}

const sizeUsual = 100

/** Declares a list: its rows, filters and columns. It is the `list` of a page. */
export const defineList = <Row, const F extends ListFilters, More = undefined, Line = null, Shown = null>(
  declaration: ListDeclaration<Row, F, More, Line, Shown>,
): ListDeclaration<Row, F, More, Line, Shown> => declaration

/** Returns the page of a list. The same rows are at `/app/data/<rest of the path>.csv` and `.xlsx`. */
export function listPage<Own>(declaration: ListPageDeclaration<Own>): PageDeclaration<ListData<Own>> {
  const { list, about, module, load, ...page } = declaration
  const { path, title } = page
  return {
    ...page,
    module: module ?? new URL('./ListPage.tsx', import.meta.url),
    isStatic: true,
    ...(list.several && { actions: { ...page.actions, ...severalActions(list.several) } }),
    async load(ctx, query) {
      const shown: ShownList = await shownList(ctx, query, path, list)
      const own = await load?.(ctx, query, shown)
      // The usual component gets its texts here.
      const text = typeof about === 'function' ? about(ctx) : about
      return { ...(own ?? { title: inWords(ctx, title), about: text }), list: shown } as ListData<Own>
    },
    download: (ctx, query) => fileOf(ctx, query, list),
  }
}

/** Returns the rows of a record type that fulfil a condition, for a list. */
export const listedRows = <E extends AnyEntity>(
  ctx: Pick<PageContext, 'rows'>,
  entity: E,
  query: Pick<ListQuery, 'where' | 'sort'>,
): CountedSource<RowOf<E>> => ({
  list: (part) => ctx.rows(entity).list({ ...query, ...part }),
  pages: () => ctx.rows(entity).pages({ where: query.where, size: sizeUsual }) as AsyncIterable<RowOf<E>[]>,
})
