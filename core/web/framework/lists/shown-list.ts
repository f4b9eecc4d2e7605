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
import { currentWork } from '../../../work/scope'
import { chosenItem } from './chosen-item'
import { inWords, isMark } from './list-words'
import { isFiltered, type ListRequest, positionAddress, positionQuery, readRequest } from './read-request'
import { headingsOf, readSorting, sortedRows, sortFields } from './sorting'

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
  const perPage = list.perPage ?? perPageUsual
  const [found, filters, shown] = await Promise.all([
    partOf(list.source(ctx, asked), read, perPage),
    filtersOf(ctx, list, read),
    read.chosen === '' ? null : (list.beside?.load(ctx, read.chosen) ?? null),
  ])
  const idOf = list.idOf ?? ownId
  const more = (await list.more?.(ctx, asked, found.rows)) as More
  const columns = list.columns(asked, more).filter(({ label }) => label !== undefined)
  const { sorting, ignored } = readSorting(read.sort, columns)
  const part = found.isWhole ? onePage(sortedRows(found.rows, sorting), read.at, perPage) : found
  const { rows, at } = part
  const hasAny = rows.length > 0 || ((await list.hasAny?.(ctx)) ?? true)
  const { after, isWhole, chosen } = read
  const sort = sorting ? read.sort : ''
  const page = { asked, at, after, isWhole, param, sort }
  const to = (changes: object) => positionAddress(path, positionQuery({ ...page, ...changes }))
  const narrowed = isFiltered(list, asked)
  const empty = list.empty(asked, { isFiltered: narrowed })
  return {
    path,
    hasAny,
    filters: [...filters, ...sortFields(columns, sorting, list.order)],
    asked: read.asked,
    rows: list.rows,
    title: list.title,
    ignored: [...read.ignored, ...ignored],
    query: positionQuery({ asked, isWhole, sort }),
    search: positionQuery(page),
    headings: headingsOf(columns, sorting, (by) => to({ sort: by, at: 1, after: '' })),
    total: part.total,
    counted: part.counted,
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
    turns: turnsOf(list, { at, after }, part, to).map(({ href, words }) => ({
      href,
      words: inWords(ctx, words),
    })),
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
  /** The page, from 1. */
  readonly at: number
  readonly next: string | null
  readonly hasMore: boolean
  readonly since: string | null
  /** Whether these are the rows of all pages. */
  readonly isWhole: boolean
  readonly total: ShownList['total']
  readonly counted: ShownList['counted']
}

const uncounted = {
  next: null,
  hasMore: false,
  since: null,
  isWhole: false,
  total: null,
  counted: null,
} as const

/** Returns one page of all rows. A page after the last one is the last one. */
function onePage<Row>(all: readonly Row[], asked: number, perPage: number): ReadPart<Row> {
  const at = Math.min(asked, Math.max(1, Math.ceil(all.length / perPage)))
  const first = (at - 1) * perPage
  const rows = all.slice(first, first + perPage)
  const last = first + rows.length
  return {
    ...uncounted,
    at,
    rows,
    hasMore: last < all.length,
    total: all.length,
    counted: rows.length === 0 ? null : { first: first + 1, last },
  }
}

/** Of counted rows, one more than the page shows is read, to know whether there are more. */
async function partOf<Row>(
  source: ListSource<Row>,
  { at, after, isWhole }: ListRequest,
  perPage: number,
): Promise<ReadPart<Row>> {
  if ('all' in source) {
    currentWork().takeTime()
    return { ...uncounted, at, rows: await source.all(), isWhole: true }
  }
  if ('after' in source) {
    const part = await source.after({ after, limit: perPage, isWhole })
    const { rows, next, since = null, total = null } = part
    return { ...uncounted, at, rows, next, hasMore: next !== null, since, total }
  }
  const found = await source.list({ skip: (at - 1) * perPage, limit: perPage + 1 })
  return { ...uncounted, at, rows: found.slice(0, perPage), hasMore: found.length > perPage }
}

function turnsOf<Row>(
  { rows, turns }: Pick<ListDeclaration<Row, ListFilters, unknown>, 'rows' | 'turns'>,
  { at, after }: Pick<ListRequest, 'at' | 'after'>,
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
      // The field would otherwise say that nothing is chosen.
      const isKnown = value === '' || options.some(([one]) => one === value)
      const all = isKnown ? options : [...options, [value, value] as const]
      return [{ kind: 'choice', label, options: all, name, value, ...(isFolded && { isFolded }) }]
    }),
  )
  return shown.flat()
}

function cellOf<Row>({ show, value }: ListColumn<Row>, row: Row): ListCell {
  if (show) return show(row)
  const plain = value?.(row) ?? null
  return typeof plain === 'boolean' ? (plain ? 'Yes' : 'No') : plain
}
