import { type IgnoredValue, where } from 'renown'
import type { ListChoice, ListChoices, ListFilters, PageContext } from 'renown/pages'
import { formatCount } from 'renown/web'
import { reviewSource } from '../contract'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { languageChoices, themeChoices } from './choices'

const locationsMax = 500

const ratings: ListChoices = [
  ...[5, 4, 3, 2, 1].map((stars) => [String(stars), formatCount(stars, 'star')] as const),
  ['none', 'Without stars'],
]

/** The filters of the list of reviews. */
export const reviewFilters = {
  q: { kind: 'find', label: 'Search' },
  needs: { kind: 'choice', label: 'Reply', options: [['1', 'Needs a reply']] },
  rating: { kind: 'choice', label: 'Rating', options: ratings },
  order: {
    kind: 'choice',
    label: 'Order',
    none: 'Newest first',
    isPosition: true,
    options: [
      ['oldest', 'Oldest first'],
      ['worst', 'Worst rating first'],
    ],
  },
  location: { kind: 'record', label: 'Location', called: 'location', options: locations, isFolded: true },
  source: { kind: 'choice', label: 'Source', options: sources, isFolded: true },
  state: {
    kind: 'choice',
    label: 'State',
    isFolded: true,
    options: [
      ['unread', 'Unread'],
      ['flagged', 'Flagged'],
      ['drafted', 'With a draft'],
      ['answered', 'Answered'],
      ['failed', 'Automatic reply failed'],
    ],
  },
  language: {
    kind: 'record',
    label: 'Language',
    called: 'language',
    options: languageChoices,
    isFolded: true,
  },
  theme: { kind: 'record', label: 'Theme', called: 'theme', options: themeChoices, isFolded: true },
  from: { kind: 'day', label: 'From day', isFolded: true },
  to: { kind: 'day', label: 'To day', isFolded: true },
} as const satisfies ListFilters

/** The filters of the list of reviews, as in the address. Empty: not set. */
export type ReviewChoice = ListChoice<typeof reviewFilters>

/** Returns a language that is not the tag of one. */
export async function wrongFilters(
  _: PageContext,
  { language }: ReviewChoice,
): Promise<readonly IgnoredValue[]> {
  if (language === '' || /^[A-Za-z0-9-]{2,35}$/.test(language)) return []
  return [{ name: 'language', value: language, accepted: 'Use a language tag, such as de.' }]
}

/** Returns the ids and names of the locations whose reviews are read. */
export async function locationNames(ctx: Pick<PageContext, 'rows'>): Promise<ListChoices> {
  const rows = await ctx.rows(ReviewedLocation).list({
    where: where.eq('is_prospect', false),
    sort: [{ field: 'id', direction: 'asc' }],
    limit: locationsMax,
    fields: ['business_name'],
  })
  return rows.map(({ id, business_name }) => [id, business_name] as const)
}

async function locations(ctx: PageContext): Promise<ListChoices> {
  return (await locationNames(ctx)).toSorted(([, a], [, b]) => a.localeCompare(b))
}

function sources(ctx: PageContext): ListChoices {
  const inOrder = ctx.system.extensions(reviewSource).toSorted((a, b) => a.order - b.order)
  return [...new Map(inOrder.map(({ source, label }) => [source, label]))]
}
