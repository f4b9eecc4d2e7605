import type {
  AnyList,
  ListCell,
  ListChoice,
  ListColumn,
  ListDeclaration,
  ListFilter,
  ListFilters,
  ListSource,
  ShownBeside,
  ShownFilter,
  ShownList,
} from '../../../contracts/list'
import type { PageContext } from '../../../contracts/page'
import type { Wording } from '../../../contracts/words'
import { chosenItem } from './chosen-item'
import { inWords, isMark } from './list-words'
import { isFiltered, type ListRequest, positionAddress, positionQuery, readRequest } from './read-request'

const perPageUsual = 100

type Declared<Row, F extends ListFilters, More, Line, Shown> = ListDeclaration<Row, F, More, Line, Shown>

/** Returns a page of a list, as its address asks. */
export async function shownList<Row, F extends ListFilters, More, Line, Shown>(
  ctx: PageContext,
  query: URLSearchParams,
  path: string,
  list: Declared<Row, F, More, Line, Shown>,
): Promise<ShownList<Line, Shown>> {
  const read = await readRequest(ctx, query, list)
  const asked = read.asked as Parameters<typeof list.columns>[0]
  const param = list.beside?.param
  const [part, filters, shown] = await Promise.all([
    partOf(list.source(ctx, asked), read, list.perPage ?? perPageUsual),
    filtersOf(ctx, list, read),
    read.chosen === '' ? null : (list.beside?.load(ctx, read.chosen) ?? null),
  ])
  const { rows } = part
  const idOf = list.idOf ?? ownId
  const more = (await list.more?.(ctx, asked, rows)) as More
  const columns = list.columns(asked, more).filter(({ label }) => label !== undefined)
  const hasAny = rows.length > 0 || ((await list.hasAny?.(ctx)) ?? true)
  const { at, after, isWhole, chosen } = read
  const page = { asked, at, after, isWhole, param }
  const to = (changes: object) => positionAddress(path, positionQuery({ ...page, ...changes }))
  const narrowed = isFiltered(list, asked)
  const empty = list.empty(asked, { isFiltered: narrowed })
  return {
    path,
    filters,
    hasAny,
    asked: read.asked,
    rows: list.rows,
    title: list.title,
    ignored: read.ignored,
    query: positionQuery({ asked, isWhole }),
    search: positionQuery(page),
    headings: columns.map(({ label = '' }) => label),
    lines: rows.map((row) => {
      const id = idOf(row)
      return {
        id,
        href: param === undefined ? (list.detail?.(row) ?? null) : to({ chosen: id }),
        cells: columns.map((column) => cellOf(column, row)),
        line: (list.line?.(row, more) ?? null) as Line,
        item: chosenItem(id, list.several?.seen?.(row)),
      }
    }),
    empty:
      typeof empty !== 'string'
        ? empty
        : { text: empty, ...(narrowed && { link: { href: path, words: 'Remove all filters' } }) },
    turns: turnsOf(list, read, part, to).map(({ href, words }) => ({ href, words: inWords(ctx, words) })),
    searched: part.since === null ? null : { since: part.since, href: to({ isWhole: true }) },
    beside: list.beside
      ? besideOf(list.beside.param, chosen, shown, rows.map(idOf), to({ chosen: '' }))
      : null,
    acts: actsOf(ctx, list, asked),
  }
}

/** Rows without an id can be neither opened nor chosen. */
const ownId = (row: unknown): string => {
  const { id } = row as { readonly id?: unknown }
  return typeof id === 'string' ? id : ''
}

/** The acts that the list offers with its filters, to this person. */
const actsOf = (
  ctx: PageContext,
  { several }: Pick<AnyList, 'several'>,
  asked: ListChoice,
): ShownList['acts'] =>
  Object.entries(several?.acts ?? {})
    .filter(([, { act, isFor }]) => {
      const { only, refusesDemo } = isMark(act) ? {} : act.form
      const isAllowed = (!only || ctx.person.role === only) && !(refusesDemo && ctx.isDemo)
      return isAllowed && (isFor?.(asked) ?? true)
    })
    .map(([name, { words, key = null }]) => ({ name, words: inWords(ctx, words), key }))

interface ReadPart<Row> {
  readonly rows: readonly Row[]
  readonly next: string | null
  readonly hasMore: boolean
  readonly since: string | null
}

/** Of counted rows, one more than the page shows is read, to know whether there are more. */
async function partOf<Row>(
  source: ListSource<Row>,
  { at, after, isWhole }: ListRequest,
  perPage: number,
): Promise<ReadPart<Row>> {
  if ('after' in source) {
    const { rows, next, since = null } = await source.after({ after, limit: perPage, isWhole })
    return { rows, next, hasMore: next !== null, since }
  }
  const found = await source.list({ skip: (at - 1) * perPage, limit: perPage + 1 })
  return { rows: found.slice(0, perPage), next: null, hasMore: found.length > perPage, since: null }
}

function turnsOf<Row>(
  { rows, turns }: Pick<ListDeclaration<Row, ListFilters, unknown>, 'rows' | 'turns'>,
  { at, after }: ListRequest,
  { next, hasMore }: ReadPart<Row>,
  to: (changes: { readonly at?: number; readonly after?: string }) => string,
): readonly { readonly href: string; readonly words: Wording }[] {
  if (next !== null || after !== '') {
    const [first, following] = turns ?? ['First page', 'Next page']
    return [
      ...(after === '' ? [] : [{ href: to({ after: '' }), words: first }]),
      ...(next === null ? [] : [{ href: to({ after: next }), words: following }]),
    ]
  }
  const [before, more] = turns ?? ['Before', `More ${rows}`]
  return [
    ...(at > 1 ? [{ href: to({ at: at - 1 }), words: before }] : []),
    ...(hasMore ? [{ href: to({ at: at + 1 }), words: more }] : []),
  ]
}

function besideOf<Shown>(
  noun: string,
  id: string,
  shown: Shown | null,
  ids: readonly string[],
  back: string,
): ShownBeside<Shown> {
  const place = ids.indexOf(id)
  const following = place < 0 ? '' : (ids[place + 1] ?? ids[place - 1] ?? '')
  return { id, noun, shown, following, back }
}

/** A record is chosen once there are two, and stays in view while it is in the address. */
async function filtersOf(
  ctx: PageContext,
  { filters }: { readonly filters: ListFilters },
  { asked }: ListRequest,
): Promise<ShownFilter[]> {
  const shown = await Promise.all(
    Object.entries<ListFilter>(filters).map(async ([name, filter]): Promise<readonly ShownFilter[]> => {
      const value = asked[name] ?? ''
      if (filter.kind === 'link') return []
      if (filter.kind === 'views' || filter.kind === 'find' || filter.kind === 'day')
        return [{ ...filter, name, value }]
      const options = typeof filter.options === 'function' ? await filter.options(ctx) : filter.options
      if (filter.kind === 'choice') return [{ ...filter, options, name, value }]
      if (options.length < 2 && value === '') return []
      const { label, isFolded } = filter
      return [{ kind: 'choice', label, options, name, value, ...(isFolded && { isFolded }) }]
    }),
  )
  return shown.flat()
}

function cellOf<Row>({ show, value }: ListColumn<Row>, row: Row): ListCell {
  if (show) return show(row)
  const plain = value?.(row) ?? null
  return typeof plain === 'boolean' ? (plain ? 'Yes' : 'No') : plain
}
