import {
  type DemoBusiness,
  type DemoDeclaration,
  type DemoRandom,
  type DemoRow,
  type DemoWorld,
  demoLoggedDays,
  demoRows,
  demoRowsOf,
  hourMs,
} from 'renown'
import { receivedEvents, removedEvent } from '../records/events'
import { Review } from '../records/Review'
import { ReviewObservation } from '../records/ReviewObservation'
import { skipCodes } from '../records/skip-reasons'
import { preparedReply } from '../reply/proposedReply'
import { readingsOf } from './demo-readings'
import { names, type Phrases, phrases } from './demo-texts'

type Made = DemoRow<typeof Review>

const days = 730
const monthDays = 30.4
/** Languages of foreign visitors. */
const travellers = ['en', 'fr', 'de', 'es', 'ja', 'ar']

/** Two years of sample reviews: all ratings and none, with and without reply, removed and shown again. */
export const reviewsDemo: DemoDeclaration = {
  rows: (world) => {
    const made = world.businesses.flatMap((business) =>
      business.source === undefined ? [] : [reviewsOf(world, { ...business, source: business.source })],
    )
    return [
      demoRows(Review, made.flat()),
      demoRows(
        ReviewObservation,
        made.flatMap((reviews) => readingsOf(world, reviews)),
      ),
    ]
  },
  events: (world, rows) =>
    demoRowsOf(rows, Review).flatMap((review) => {
      const at = review.review_created_at ?? review.created_date
      const received = receivedEvents(review).map((each) => ({ ...each, at }))
      const goneAt = review.removed_at_source_at ?? ''
      const removed = { ...removedEvent(review, goneAt), at: goneAt }
      return [...received, removed].filter((each) => each.at >= world.at(demoLoggedDays, 0))
    }),
  proposals(world) {
    const [business] = world.businesses
    if (business?.source === undefined) return []
    const reviews = reviewsOf(world, { ...business, source: business.source })
    const open = reviews.filter(
      (one) =>
        one.needs_response &&
        one.reply_text === undefined &&
        one.removed_at_source_at === undefined &&
        !one.is_flagged &&
        one.review_language === 'en' &&
        (one.star_rating ?? 0) >= 4,
    )
    const text = 'Thank you for coming and for telling others about it. We look forward to your next visit.'
    const reason = 'The review waits for a reply. This one repeats the tone of your last replies.'
    const platform = business.source === 'google' ? 'Google' : 'its platform'
    return (['open', 'expired', 'approved', 'queued', 'failed'] as const).flatMap((state, place) => {
      const review = open[place]
      if (!review) return []
      const prepared = preparedReply(review, { text, platform, business: business.name })
      return [{ workspace_id: review.workspace_id, change: 'review reply', reason, state, prepared }]
    })
  },
}

/** Fewer reviews listed here than the platform shows, so that the page of counts has something to explain. */
const unlisted = 3

/** A business on a platform. */
type Reviewed = DemoBusiness & { readonly source: string }

function reviewsOf(world: DemoWorld, business: Reviewed): Made[] {
  const count = Math.round((business.reviewsPerMonth * days) / monthDays)
  const gone = Math.max(0, count - (Math.round(business.reviewsPerMonth * 24) - unlisted))
  const goneAt = new Set(Array.from({ length: gone }, (_, n) => Math.floor(((n + 1) * count) / (gone + 2))))
  return Array.from({ length: count }, (_, place) => {
    const random = world.random(`review ${business.key} ${place}`)
    const daysAgo = 1 + Math.floor((place * (days - 1)) / count)
    const isSpecial = place % 29 === 3
    const turn = Math.floor(place / 29)
    const edgeCase = isSpecial ? world.edgeCases[turn % world.edgeCases.length] : undefined
    return reviewOf(world, business, random, {
      place,
      daysAgo,
      isSpecial,
      edgeCase,
      isGone: goneAt.has(place),
      isMissed: business.listing === 'map' && place === Math.floor(count / 2) + 5,
    })
  })
}

interface Turn {
  readonly place: number
  readonly daysAgo: number
  /**
   * Whether the text is an edge case or, in the demo that people see, a text that only a person may answer.
   */
  readonly isSpecial: boolean
  readonly edgeCase: string | undefined
  /** Its platform no longer has it. */
  readonly isGone: boolean
  /** The last reading did not return it. */
  readonly isMissed: boolean
}

function reviewOf(world: DemoWorld, business: Reviewed, random: DemoRandom, turn: Turn): Made {
  const { source, quality } = business
  const stars = Number(random.weighted(starWeights(quality)))
  const language = random.chance(0.82) ? business.language : random.pick(travellers)
  const words = phrases[language] ?? (phrases.en as Phrases)
  const written = random.instant(turn.daysAgo)
  const source_id = `demo-${business.key}-${turn.place}`
  const isSilent = !turn.isSpecial && random.chance(0.12)
  const isFlagged = turn.isSpecial && stars < 3
  const usual = isFlagged ? words.lawyer : said(words, stars, business, random)
  const text = turn.edgeCase ?? usual
  return {
    id: world.id(Review, `${business.key} ${turn.place}`),
    workspace_id: business.workspace_id,
    location_id: business.id,
    source,
    source_id,
    ...(source === 'google'
      ? { google_review_id: source_id, star_rating: stars }
      : {
          star_rating: null,
          source_metadata: { recommendation_type: stars > 2 ? 'positive' : 'negative' },
        }),
    reviewer_name: random.pick(names[language] ?? ['A customer']),
    reviewer_is_local_guide: random.chance(0.2),
    ...(isSilent
      ? {}
      : {
          review_text: text,
          review_language: language,
          ...judged(stars, business, random, topicsIn(words, text, business)),
        }),
    review_created_at: written,
    review_updated_at: written,
    is_read: turn.daysAgo > 5,
    is_flagged: isFlagged,
    ...(isFlagged ? { flag_reason: 'The review mentions a lawyer or legal action' } : {}),
    ...answered(words, stars, written, turn, random, world),
    ...kept(world, turn, random),
    created_date: written,
  }
}

/**
 * Returns the weight of each number of stars. Better businesses get more good ratings, but every rating
 * occurs.
 */
const starWeights = (quality: number) => ({
  5: quality * quality * 80,
  4: quality * 22,
  3: 7,
  2: (1 - quality) * 18 + 1,
  1: (1 - quality) * 34 + 2,
})

function said(words: Phrases, stars: number, { services }: DemoBusiness, random: DemoRandom): string {
  const list = stars > 3 ? words.good : stars === 3 ? words.middling : words.bad
  const first = random.pick(list)
  const second = random.pick(list)
  const both = second !== first && random.chance(0.6) ? `${first} ${second}` : first
  return both.replace('{}', random.pick(services)).replace('{}', random.pick(services))
}

/** Returns what a bad review complains about. Undefined if its text is none of the usual ones. */
function topicsIn({ bad, about }: Phrases, text: string, { services }: DemoBusiness): string[] | undefined {
  const found = bad.flatMap((phrase, place) => {
    const parts = phrase.split('{}')
    if (!parts.every((part) => text.includes(part))) return []
    const named = parts.length > 1 ? services.filter((service) => text.includes(service)).slice(0, 1) : []
    return [...named, ...(about[place] ? [about[place]] : [])]
  })
  return found.length === 0 ? undefined : found
}

function judged(
  stars: number,
  { services }: DemoBusiness,
  random: DemoRandom,
  complaint: readonly string[] | undefined,
) {
  const feeling = random.pick(['neutral', 'mixed'] as const)
  const sentiment = stars > 3 ? ('positive' as const) : stars < 3 ? ('negative' as const) : feeling
  const emotion =
    stars > 3
      ? random.weighted({ joy: 8, surprise: 1, neutral: 2 })
      : stars < 3
        ? random.weighted({ anger: 5, sadness: 3, disgust: 1, fear: 1 })
        : ('neutral' as const)
  return {
    sentiment,
    sentiment_score: Math.round(((stars - 3) / 2) * 80 + random.integer(-15, 15)) / 100,
    key_topics: topicsOf([random.pick(services)], stars < 3 ? complaint : undefined),
    emotion,
  }
}

const topicsOf = (usual: readonly string[], complaint: readonly string[] | undefined): string[] => [
  ...(complaint ?? usual),
]

/** Decides whether a sample review has a reply: older and worse reviews have one more often. */
function answered(
  words: Phrases,
  stars: number,
  written: string,
  { daysAgo }: Turn,
  random: DemoRandom,
  world: DemoWorld,
) {
  const hasReply = daysAgo > 3 && random.chance(stars < 3 ? 0.8 : 0.6)
  const replied = new Date(Date.parse(written) + random.integer(1, 60) * hourMs).toISOString()
  const automatic = automaticOf(daysAgo, hasReply, written, random)
  if (hasReply && replied < world.at(0, 0)) {
    return {
      reply_text: stars < 3 ? words.sorry : words.thanks,
      reply_created_at: replied,
      reply_updated_by: automatic.auto_response_status === 'sent' ? 'automatic' : 'owner',
      needs_response: false,
      ...automatic,
    }
  }
  // Old reviews without a reply no longer wait. Bad ones wait longer than good ones.
  if (daysAgo > (stars < 3 ? 120 : 30)) return { needs_response: false, ...automatic }
  const priority = stars === 1 ? 'urgent' : stars === 2 ? 'high' : stars === 3 ? 'medium' : 'low'
  return {
    needs_response: true,
    priority,
    ...automatic,
    ...(stars < 3 && random.chance(0.5) ? { ai_suggested_response: words.sorry } : {}),
  } as const
}

/** Automatic replies started half a year ago. Older rows do not have their fields. */
function automaticOf(daysAgo: number, hasReply: boolean, written: string, random: DemoRandom) {
  if (daysAgo > 180) return random.chance(0.1) ? { auto_response_status: null } : {}
  if (!random.chance(0.3)) return {}
  const due = new Date(Date.parse(written) + random.integer(30, 300) * 60_000).toISOString()
  if (daysAgo <= 1) return { auto_response_status: 'pending' as const, auto_response_scheduled_at: due }
  const status = hasReply
    ? random.pick(['sent', 'skipped'] as const)
    : random.pick(['failed', 'skipped'] as const)
  return {
    auto_response_status: status,
    auto_response_scheduled_at: due,
    ...(status === 'failed'
      ? { auto_response_error: 'The platform answered 403: replies are switched off.' }
      : {}),
    ...(status === 'skipped' ? { auto_response_reason: reasonOf(written, hasReply) } : {}),
  }
}

/** Every reason occurs. It follows from the time, so that the other sample data stays the same. */
function reasonOf(written: string, hasReply: boolean) {
  const fitting = skipCodes.filter((code) => (code === 'answered' || code === 'person_answered') === hasReply)
  return fitting[Math.floor(Date.parse(written) / 1_000) % fitting.length] ?? 'rating'
}

function kept(world: DemoWorld, { daysAgo, place, isGone, isMissed }: Turn, random: DemoRandom) {
  const synced_at = world.at(0, isMissed ? -3 : -2)
  const cameBack = !isGone && place % 97 === 50
  return {
    synced_at,
    ...(random.chance(0.9) || isMissed ? { gbp_api_synced_at: synced_at } : {}),
    // Replies take up to 60 hours, and a removal comes after them.
    ...(isGone ? { removed_at_source_at: world.at(random.integer(1, Math.min(daysAgo - 4, 300))) } : {}),
    ...(cameBack ? { removed_at_source_at: null } : {}),
  }
}
