import { type IgnoredValue, isDay } from 'renown'
import { formatCount } from 'renown/web'
/** The filters of the list of reviews, as in the address. Empty: not set. */
export interface ReviewListFilters {
  /** Whether to list only reviews that wait for a reply. */
  readonly needs: boolean
  readonly rating: string
  readonly source: string
  readonly location: string
  readonly language: string
  readonly theme: string
  readonly q: string
  readonly from: string
  readonly to: string
  readonly state: string
  readonly sort: Sort
  /** The selected review. */
  readonly review: string
  /** The cursor after which the page starts. */
  readonly after: string
  /** Whether to search all reviews, not only the newest. */
  readonly all: boolean
  /** Whether to show the history of the selected review. */
  readonly history: boolean
}

export type Sort = 'newest' | 'oldest' | 'worst'

export const sorts: readonly (readonly [Sort, string])[] = [
  ['newest', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['worst', 'Worst rating first'],
]

export const ratings: readonly (readonly [string, string])[] = [
  ...[5, 4, 3, 2, 1].map((stars) => [String(stars), formatCount(stars, 'star')] as const),
  ['none', 'Without stars'],
]

export const states: readonly (readonly [string, string])[] = [
  ['unread', 'Unread'],
  ['flagged', 'Flagged'],
  ['drafted', 'With a draft'],
  ['answered', 'Answered'],
  ['failed', 'Automatic reply failed'],
]

const textMax = 100
const among = (pairs: readonly (readonly [string, string])[]) => (text: string) =>
  pairs.some(([value]) => value === text)

const forms = {
  rating: [among(ratings), 'Use 1 to 5, or none.'],
  state: [among(states), `Use ${states.map(([value]) => value).join(', ')}.`],
  sort: [among(sorts), 'Use newest, oldest or worst.'],
  from: [isDay, 'Use a day such as 2026-03-14.'],
  to: [isDay, 'Use a day such as 2026-03-14.'],
  source: [(text) => /^[a-z][a-z0-9_-]{0,39}$/.test(text), 'Use the name of a platform, such as google.'],
  language: [(text) => /^[A-Za-z0-9-]{2,35}$/.test(text), 'Use a language tag, such as de.'],
  location: [(text) => text.length <= textMax, 'Use the id of a location.'],
  theme: [(text) => text.length <= textMax, `Use at most ${textMax} characters.`],
  q: [(text) => text.length <= textMax, `Use at most ${textMax} characters.`],
  review: [(text) => text.length <= textMax, 'Use the id of a review.'],
  after: [(text) => text.length <= 200, 'Use the link below the list.'],
} satisfies Readonly<Record<string, readonly [accepts: (text: string) => boolean, accepted: string]>>

/** Reads the filters from the address. Returns invalid values separately. */
export function readFilters(query: URLSearchParams): {
  readonly asked: ReviewListFilters
  readonly ignored: readonly IgnoredValue[]
} {
  const ignored: IgnoredValue[] = []
  const read = (name: keyof typeof forms) => {
    const value = (query.get(name) ?? '').trim()
    const [accepts, accepted] = forms[name]
    if (value === '' || accepts(value)) return value
    ignored.push({ name, value: value.slice(0, textMax), accepted })
    return ''
  }
  return {
    asked: {
      needs: query.get('needs') === '1',
      rating: read('rating'),
      source: read('source'),
      location: read('location'),
      q: read('q'),
      language: read('language'),
      theme: read('theme'),
      from: read('from'),
      to: read('to'),
      state: read('state'),
      review: read('review'),
      after: read('after'),
      sort: (read('sort') || 'newest') as Sort,
      all: query.get('all') === '1',
      history: query.get('history') === '1',
    },
    ignored,
  }
}

/**
 * Returns the query of the page with some values changed. If a filter changes, it goes back to the first page
 * and shows no review.
 */
export function searchOf(asked: ReviewListFilters, changes: Partial<ReviewListFilters> = {}): string {
  const keeps = Object.keys(changes).every((name) => ['review', 'history', 'after'].includes(name))
  const all = {
    ...asked,
    history: false,
    all: false,
    ...(keeps ? {} : { review: '', after: '' }),
    ...changes,
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(all)) {
    if (value === '' || value === false || (name === 'sort' && value === 'newest')) continue
    query.set(name, value === true ? '1' : String(value))
  }
  return query.toString()
}
