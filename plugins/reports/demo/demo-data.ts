import { type DemoBusiness, type DemoWorld, shiftDay } from 'renown'
import { namedPeriod } from '../data/report-period'
import { builtinTemplates } from '../templates/template'
import { type DemoMonth, demoMonth, rateOf } from './demo-month'
import { demoParts } from './demo-parts'

interface Asked {
  readonly start: string
  readonly end: string
  readonly at: string
  readonly template: string
}

/** Returns the data of a sample report, as the sections of its template store it. */
export function demoData(world: DemoWorld, business: DemoBusiness, { start, end, at, template }: Asked) {
  const { period, previous, label } = namedPeriod(start, end)
  const months = {
    now: demoMonth(world, business, start, end),
    before: demoMonth(world, business, previous.date_from, previous.date_to),
  }
  const now = totalsOf(months.now)
  const before = totalsOf(months.before)
  const notable = notableOf(world, business, `${shiftDay(start, 11)}T10:00:00.000Z`)
  const parts = demoParts(world, business, months)
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
        is_whole: true,
        totals: now,
        previous: before,
        notable,
        by_rating: [5, 4, 3, 2, 1, null].map((stars, place) => ({
          stars,
          reviews: months.now.stars[place] ?? 0,
          previous_reviews: months.before.stars[place] ?? 0,
        })),
        by_source: [
          { source: platformOf(business), reviews: now.reviews, average_rating: now.average_rating },
        ],
        trend: months.now.reviewsByWeek.map(({ from, count }) => ({
          from,
          reviews: count,
          average_rating: null,
        })),
        topics: business.services.slice(0, 5).map((topic, place) => ({
          topic,
          reviews: Math.max(1, Math.round(now.reviews / (place + 2))),
          negative: Math.min(place % 2, now.negative_share.k),
        })),
        unanswered: now.reviews - now.replied,
      },
      responses: {
        rate: now.response_rate,
        previous_rate: before.response_rate,
        answered: now.replied,
        median_hours: months.now.median_hours,
        previous_median_hours: months.before.median_hours,
      },
      ...parts,
    }),
    insights: {
      ...modelInsights(business, sections),
      notableReviews: sections.includes('reviews') ? notable.map(quoted) : null,
      notableMentions: sections.includes('mentions') ? parts.mentions.quotes.map(quoted) : null,
    },
    collected_at: at,
    ...(world.edgeCases.length > 0 ? { something_of_tomorrow: { unknown: true } } : {}),
  }
}

/** Returns what a language model would say about the texts of the report. */
function modelInsights({ services }: DemoBusiness, sections: readonly string[]) {
  if (!sections.includes('reviews')) {
    return { topThemes: null, recommendations: null, unknown_because: 'there is no text to read' }
  }
  return {
    topThemes: services.slice(0, 3),
    recommendations: [
      `Write about the ${services[0]} on the website: reviews praise it, and assistants cite the site.`,
      'Answer reviews with two stars or less within a day.',
    ],
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

function totalsOf({ stars, reviews, replied }: DemoMonth) {
  const [five = 0, four = 0, , two = 0, one = 0] = stars
  const all = stars.reduce((sum, n, place) => sum + n * (5 - place), 0)
  return {
    reviews,
    rated: reviews,
    average_rating: all / reviews,
    replied,
    response_rate: rateOf('reviews.response_rate@1', replied, reviews),
    positive_share: rateOf('reviews.positive_share@1', five + four, reviews),
    negative_share: rateOf('reviews.negative_share@1', two + one, reviews),
  }
}

const platformOf = ({ source = 'google' }: DemoBusiness) =>
  `${source.charAt(0).toUpperCase()}${source.slice(1)}`

const notableOf = (world: DemoWorld, business: DemoBusiness, at: string) => [
  {
    text: world.edgeCases[0] ?? `Five stars for the ${business.services[0]}. We come back.`,
    source: platformOf(business),
    at,
    author: 'Robin',
    stars: 5,
    lang: business.language,
  },
  {
    text: 'We waited for a long time, and nobody told us why.',
    source: platformOf(business),
    at,
    author: 'Kim',
    stars: 2,
    lang: 'en',
  },
]
