import type { IgnoredValue } from 'renown'
import { channelNames } from '../records/channel-names'
import { channels } from '../records/channels'
import { stages } from '../records/stage-names'

/** The filters of the board, as in the address. Empty: not set. */
export interface BoardFilters {
  /** Set: one stage as a list. */
  readonly stage: string
  readonly location: string
  readonly source: string
  /** `no`: only leads that nobody has seen. */
  readonly seen: string
  /** `me`, `none`, or the name of a person. */
  readonly assigned: string
  readonly days: string
  /** `1`: only leads whose next step is due. */
  readonly due: string
  /** `1`: only archived leads. */
  readonly archived: string
  /** The selected lead. */
  readonly lead: string
  /** The cursor after which the page of a list starts. */
  readonly after: string
}

type Pairs = readonly (readonly [value: string, words: string])[]

/** The values of the filter for seen leads. */
export const seenChoices: Pairs = [
  ['no', 'Not seen'],
  ['yes', 'Seen'],
]
/** How far back the board goes. */
export const periods: Pairs = [
  ['1', 'Last 24 hours'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['90', 'Last 90 days'],
  ['365', 'Last 365 days'],
]
/** The channels with their names. */
export const sources: Pairs = channels.map((channel) => [channel, channelNames[channel]])

const textMax = 100
const among = (values: readonly string[]) =>
  [(text: string) => values.includes(text), `Use ${values.join(', ')}.`] as const
const valuesOf = (pairs: Pairs) => pairs.map(([value]) => value)
const atMost = (max: number, accepted: string) => [(text: string) => text.length <= max, accepted] as const
const yes = [(text: string) => text === '1', 'Use 1.'] as const

const forms: Readonly<
  Record<keyof BoardFilters, readonly [accepts: (text: string) => boolean, accepted: string]>
> = {
  stage: among(stages),
  source: among(channels),
  seen: among(valuesOf(seenChoices)),
  days: among(valuesOf(periods)),
  due: yes,
  archived: yes,
  location: atMost(textMax, 'Use the id of a location.'),
  assigned: atMost(textMax, 'Use me, none, or the name of a person.'),
  lead: atMost(textMax, 'Use the id of a lead.'),
  after: atMost(200, 'Use the link below the list.'),
}
const names = Object.keys(forms) as (keyof BoardFilters)[]

/** Reads the filters from the address. Returns invalid values separately. */
export function readBoardFilters(query: URLSearchParams): {
  readonly asked: BoardFilters
  readonly ignored: readonly IgnoredValue[]
} {
  const ignored: IgnoredValue[] = []
  const read = (name: keyof BoardFilters): string => {
    const value = (query.get(name) ?? '').trim()
    const [accepts, accepted] = forms[name]
    if (value === '' || accepts(value)) return value
    ignored.push({ name, value: value.slice(0, textMax), accepted })
    return ''
  }
  const asked = Object.fromEntries(names.map((name) => [name, read(name)]))
  return { asked: asked as unknown as BoardFilters, ignored }
}

/** Whether any filter is set. */
export const isFiltered = (asked: BoardFilters): boolean =>
  names.some((name) => asked[name] !== '' && !['lead', 'after', 'stage'].includes(name))

/**
 * Returns the query of the page with some values changed. If a filter changes, the list starts at its first page and
 * shows no lead.
 */
export function boardSearch(asked: BoardFilters, changes: Partial<BoardFilters> = {}): string {
  const stays = Object.keys(changes).every((name) => ['lead', 'after'].includes(name))
  const values = { ...asked, ...(stays ? {} : { lead: '', after: '' }), ...changes }
  return new URLSearchParams(
    names.flatMap((name): [string, string][] => (values[name] === '' ? [] : [[name, values[name]]])),
  ).toString()
}

/** The address of the board. */
export const boardPath = '/app/leads'

/** Returns the address of the board with this query. */
export const boardAddress = (search: string): string => (search === '' ? boardPath : `${boardPath}?${search}`)
