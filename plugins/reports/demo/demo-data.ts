import { type DemoBusiness, type DemoRandom, type DemoWorld, wilson } from 'renown'
import { namedPeriod } from '../data/report-period'
import { builtinTemplates } from '../templates/template'
import { demoParts } from './demo-parts'

interface Asked {
  readonly start: string
  readonly end: string
  readonly at: string
  readonly template: string
}

/** Returns the data of a sample report, as the sections of its template store it. */
export function demoData(world: DemoWorld, business: DemoBusiness, { start, end, at, template }: Asked) {
  const random = world.random(`report data ${business.key} ${start}`)
  const { period, previous, label } = namedPeriod(start, end)
  const now = totalsOf(random, business)
  const before = totalsOf(random, business)
  const notable = notableOf(world, business, at)
  const parts = demoParts(world, business, { start, end })
  const sections = builtinTemplates.find((one) => one.template === template)?.sections ?? []
  const ofSections = (all: Readonly<Record<string, object>>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => sections.includes(name)))
  return {
    workspace: { id: business.workspace_id, name: business.name, timezone: business.timezone },
    agency: { id: world.agency_id, name: 'Lantern Street Agency (demo)' },
    period: { ...period, label },
    previousPeriod: previous,
    business_location: {
      id: business.id,
      name: business.name,
      city: business.city,
      country: business.country,
    },
    reputationScore: scoreOf(now, parts.mentions, sections),
    ...ofSections({
      reviews: {
        ...{ is_whole: true, totals: now, previous: before, notable },
        by_rating: [5, 4, 3, 2, 1, null].map((stars, place) => ({
          ...{ stars, reviews: now.counts[place] ?? 0, previous_reviews: before.counts[place] ?? 0 },
        })),
        by_source: [
          { source: business.source ?? 'google', reviews: now.reviews, average_rating: now.average_rating },
        ],
        trend: trendOf(random, start, now.reviews),
        topics: business.services.slice(0, 5).map((topic, place) => ({
          ...{ topic, reviews: Math.max(1, Math.round(now.reviews / (place + 2))), negative: place % 2 },
        })),
        unanswered: now.reviews - now.replied,
      },
      responses: {
        ...{ rate: now.response_rate, previous_rate: before.response_rate, answered: now.replied },
        ...{ median_hours: random.integer(2, 40), previous_median_hours: random.integer(2, 60) },
      },
      ...parts,
    }),
    insights: {
      topThemes: [...business.services].slice(0, 3),
      notableReviews: sections.includes('reviews') ? notable.map(quoted) : null,
      notableMentions: sections.includes('mentions') ? parts.mentions.quotes.map(quoted) : null,
      recommendations: null,
    },
    collected_at: at,
    ...(world.edgeCases.length > 0 ? { something_of_tomorrow: { unknown: true } } : {}),
  }
}

const quoted = ({ text, ...rest }: { readonly text: string }) => ({ quote: text, ...rest })

type Totals = ReturnType<typeof totalsOf>

/** Returns the weighted mean of the known parts, as a real report has it. */
function scoreOf(
  { average_rating, response_rate }: Totals,
  { now }: ReturnType<typeof demoParts>['mentions'],
  sections: readonly string[],
): number | null {
  const known = [
    { name: 'reviews', value: (average_rating - 1) / 4, weight: 3 },
    { name: 'responses', value: response_rate.rate ?? 0, weight: 1 },
    { name: 'mentions', value: 1 - (now.negative.rate ?? 0), weight: 1 },
  ].filter(({ name }) => sections.includes(name))
  const weight = known.reduce((sum, one) => sum + one.weight, 0)
  if (weight === 0) return null
  return Math.round((known.reduce((sum, one) => sum + one.value * one.weight, 0) / weight) * 100)
}

function totalsOf(random: DemoRandom, { quality, reviewsPerMonth }: DemoBusiness) {
  const best = Math.round(reviewsPerMonth * quality * (0.8 + random.next() * 0.4)) + 2
  const counts = [
    best,
    random.integer(1, 4),
    random.integer(0, 2),
    random.integer(0, 2),
    random.integer(0, 2),
    0,
  ]
  const reviews = counts.reduce((sum, n) => sum + n, 0)
  const stars = counts.reduce((sum, n, place) => sum + n * (5 - place), 0)
  const positive = (counts[0] ?? 0) + (counts[1] ?? 0)
  const negative = (counts[3] ?? 0) + (counts[4] ?? 0)
  const replied = Math.round(reviews * (0.5 + random.next() * 0.5))
  return {
    ...{ counts, reviews, rated: reviews, average_rating: stars / reviews, replied },
    response_rate: rateOf('reviews.response_rate@1', replied, reviews),
    positive_share: rateOf('reviews.positive_share@1', positive, reviews),
    negative_share: rateOf('reviews.negative_share@1', negative, reviews),
  }
}

const rateOf = (definition: string, k: number, n: number) => ({
  ...{ definition, k, n, rate: n === 0 ? null : k / n },
  ci95: wilson(k, n),
})

function trendOf(random: DemoRandom, start: string, reviews: number) {
  const month = start.slice(0, 8)
  const days = ['01', '08', '15', '22', '29']
  let left = reviews
  return days.map((day, place) => {
    const some = place === days.length - 1 ? left : Math.min(left, random.integer(0, Math.ceil(reviews / 3)))
    left -= some
    return { from: `${month}${day}`, reviews: some, average_rating: null }
  })
}

const notableOf = (
  world: DemoWorld,
  { services, source = 'google', language: lang }: DemoBusiness,
  at: string,
) => [
  {
    text: world.edgeCases[0] ?? `Five stars for the ${services[0]}. We come back.`,
    source,
    at,
    author: 'Robin',
    stars: 5,
    lang,
  },
  {
    text: 'We waited for a long time, and nobody told us why.',
    source,
    at,
    author: 'Kim',
    stars: 2,
    lang: 'en',
  },
]
