import type { IgnoredValue } from '../../../contracts/ignored-value'
import type { AnyList, ListChoice, ListFilter } from '../../../contracts/list'
import type { PageContext } from '../../../contracts/page'
import { isDay } from '../../../contracts/values'

/** What an address asks of a list. */
export interface ListRequest {
  readonly asked: ListChoice
  /** Values that the list does not take. They are empty in `asked`. */
  readonly ignored: readonly IgnoredValue[]
  /** The page of a list whose rows are counted, from 1. */
  readonly at: number
  /** The cursor of a page of any other list. Empty for the first one. */
  readonly after: string
  /** Whether all rows are searched, not only the newest. */
  readonly isWhole: boolean
  /** The id of the row next to the list. Empty without one. */
  readonly chosen: string
  /** The order of the rows. Empty for their usual order. Only the columns know which there are. */
  readonly sort: string
}

const textMax = 100
const cursorMax = 200
const pagesMax = 10_000

type Check = readonly [accepts: (text: string) => boolean, accepted: string]

const atMost = (max: number, accepted: string): Check => [(text) => text.length <= max, accepted]

function checkOf(filter: ListFilter, ctx: PageContext): Check {
  if (filter.kind === 'find') return atMost(textMax, `Use at most ${textMax} characters.`)
  if (filter.kind === 'day') return [isDay, 'Use a day such as 2026-03-14.']
  if (filter.kind === 'record') return atMost(textMax, `Use the id of a ${filter.called}.`)
  if (filter.kind === 'link') return [(text) => filter.accepts(text, ctx), filter.accepted(ctx)]
  const options = typeof filter.options === 'function' ? filter.options(ctx) : filter.options
  const values = options.map(([value]) => value).filter((value) => value !== '')
  return [(text) => values.includes(text), `Use ${values.join(values.length === 2 ? ' or ' : ', ')}.`]
}

/** Reads the address of a list. Values that it does not take are left out and named. */
export async function readRequest(
  ctx: PageContext,
  query: URLSearchParams,
  list: AnyList,
): Promise<ListRequest> {
  const ignored: IgnoredValue[] = []
  const read = (name: string, [accepts, accepted]: Check): string => {
    const value = (query.get(name) ?? '').trim()
    if (value === '' || accepts(value)) return value
    ignored.push({ name, value: value.slice(0, textMax), accepted })
    return ''
  }
  const entries = Object.entries<ListFilter>(list.filters)
  const read_ = Object.fromEntries(entries.map(([name, filter]) => [name, read(name, checkOf(filter, ctx))]))
  const param = list.beside?.param
  const chosen = param === undefined ? '' : read(param, atMost(textMax, `Use the id of a ${param}.`))
  const after = read('after', atMost(cursorMax, 'Use the link below the list.'))
  const isWhole = read('all', [(text) => text === '1', 'Use 1.']) === '1'
  const further = (await list.check?.(ctx, read_, query)) ?? []
  const asked = { ...read_, ...Object.fromEntries(further.map(({ name }) => [name, ''])) }
  const sort = (query.get('sort') ?? '').trim().slice(0, textMax)
  return { asked, ignored: [...ignored, ...further], at: pageOf(query), after, isWhole, chosen, sort }
}

const pageOf = (query: URLSearchParams): number => {
  const at = Number.parseInt(query.get('at') ?? '1', 10)
  return at >= 1 && at <= pagesMax ? at : 1
}

/** Whether a filter leaves out rows. The first view of a list leaves out none. */
export const isFiltered = ({ filters }: Pick<AnyList, 'filters'>, asked: ListChoice): boolean =>
  Object.entries<ListFilter>(filters).some(
    ([name, filter]) => asked[name] !== '' && !('isPosition' in filter && filter.isPosition),
  )

/** A position in a list: its filters, its page and the row next to it. */
interface Position {
  readonly asked: ListChoice
  readonly at?: number
  readonly after?: string
  readonly isWhole?: boolean
  readonly param?: string | undefined
  readonly chosen?: string
  readonly sort?: string
}

/** Returns the query of a position in a list, without `?`. */
export function positionQuery({
  asked,
  isWhole,
  param,
  chosen = '',
  at = 1,
  after = '',
  sort = '',
}: Position): string {
  const pairs: readonly (readonly [string, string])[] = [
    ...Object.entries(asked),
    ['sort', sort],
    ['all', isWhole ? '1' : ''],
    ...(param === undefined ? [] : [[param, chosen] as const]),
    ['at', at > 1 ? String(at) : ''],
    ['after', after],
  ]
  const query = new URLSearchParams()
  for (const [name, value] of pairs) if (value !== '') query.set(name, value)
  return query.toString()
}

/** Returns the address of a query. */
export const positionAddress = (path: string, query: string): string =>
  query === '' ? path : `${path}?${query}`
