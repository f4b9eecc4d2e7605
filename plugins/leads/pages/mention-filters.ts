import type { IgnoredValue } from 'renown'
import { channelNames } from '../records/channel-names'
import { channels } from '../records/channels'

/** The filters of the list of mentions, as in the address. Empty: not set. */
export interface MentionFilters {
  /** Empty: new ones. */
  readonly state: string
  /** Empty: all but irrelevant ones. */
  readonly relevance: string
  readonly location: string
  readonly tracker: string
  readonly source: string
  readonly sentiment: string
  /** `1`: only mentions that nobody has read. */
  readonly unread: string
  /** `1`: only mentions with a lead. */
  readonly lead: string
  readonly days: string
  readonly q: string
  /** The selected mention. */
  readonly mention: string
  /** The cursor after which the page starts. */
  readonly after: string
  /** `1`: all mentions are searched, not only the newest. */
  readonly all: string
}

type Pairs = readonly (readonly [value: string, words: string])[]

/** What the list shows by status, beside new mentions. */
export const states: Pairs = [
  ['saved', 'Saved'],
  ['replied', 'Answered'],
  ['dismissed', 'Dismissed'],
  ['removed', 'Deleted'],
  ['any', 'Any state'],
]
/** What the list shows by relevance, beside all but irrelevant mentions. */
export const relevances: Pairs = [
  ['relevant', 'Relevant'],
  ['maybe', 'Maybe relevant'],
  ['irrelevant', 'Not relevant'],
  ['any', 'Any relevance'],
]
/** The values of sentiment. */
export const sentiments: Pairs = [
  ['positive', 'Positive'],
  ['neutral', 'Neutral'],
  ['negative', 'Negative'],
  ['mixed', 'Mixed'],
]
/** How far back the list goes. */
export const periods: Pairs = [
  ['1', 'Last 24 hours'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['90', 'Last 90 days'],
]
/** The channels with their names. */
export const sources: Pairs = channels.map((channel) => [channel, channelNames[channel]])

const textMax = 100
const among = (pairs: Pairs) =>
  [
    (text: string) => pairs.some(([value]) => value === text),
    `Use ${pairs.map(([value]) => value).join(', ')}.`,
  ] as const
const atMost = (max: number, accepted: string) => [(text: string) => text.length <= max, accepted] as const
const yes = [(text: string) => text === '1', 'Use 1.'] as const

const forms: Readonly<
  Record<keyof MentionFilters, readonly [accepts: (text: string) => boolean, accepted: string]>
> = {
  state: among(states),
  relevance: among(relevances),
  sentiment: among(sentiments),
  source: among(sources),
  days: among(periods),
  unread: yes,
  lead: yes,
  all: yes,
  location: atMost(textMax, 'Use the id of a location.'),
  tracker: atMost(textMax, 'Use the id of a tracker.'),
  q: atMost(textMax, `Use at most ${textMax} characters.`),
  mention: atMost(textMax, 'Use the id of a mention.'),
  after: atMost(200, 'Use the link below the list.'),
}
const names = Object.keys(forms) as (keyof MentionFilters)[]

/** Reads the filters from the address. Returns invalid values separately. */
export function readFilters(query: URLSearchParams): {
  readonly asked: MentionFilters
  readonly ignored: readonly IgnoredValue[]
} {
  const ignored: IgnoredValue[] = []
  const read = (name: keyof MentionFilters): string => {
    const value = (query.get(name) ?? '').trim()
    const [accepts, accepted] = forms[name]
    if (value === '' || accepts(value)) return value
    ignored.push({ name, value: value.slice(0, textMax), accepted })
    return ''
  }
  const asked = Object.fromEntries(names.map((name) => [name, read(name)]))
  return { asked: asked as unknown as MentionFilters, ignored }
}

/** Values that do not change which mentions are listed. */
const places = ['mention', 'after'] as const

/** Whether a filter of the list is set. */
export const isFiltered = (asked: MentionFilters): boolean =>
  names.some((name) => asked[name] !== '' && !['mention', 'after', 'all'].includes(name))

/**
 * Returns the query of the page with some values changed. If a filter changes, it goes back to the first page and
 * shows no mention.
 */
export function searchOf(asked: MentionFilters, changes: Partial<MentionFilters> = {}): string {
  const stays = Object.keys(changes).every((name) => (places as readonly string[]).includes(name))
  const values = { ...asked, ...(stays ? {} : { mention: '', after: '' }), ...changes }
  return new URLSearchParams(
    names.flatMap((name): [string, string][] => (values[name] === '' ? [] : [[name, values[name]]])),
  ).toString()
}
