import { type OwnerContext, type Row, where } from 'renown'
import { reviewSource } from 'renown/reviews'
import { type Prospect, Review } from '../records/foreign'
import { answeredShare } from '../records/rates'
import { type Section, section, type UnknownFact } from '../records/section'
import type { ListingLook } from './readListing'

const methodOf = ({ source }: ListingLook) =>
  `Rating and count ${source ? `as ${source.label} shows them (${source.via}) or ` : ''}as last read; answers from the stored reviews whose source tells of replies`
const readMax = 2_000
/** Minimum reviews for a score of the share of answers. */
const scoredFrom = 5

/**
 * Returns the findings about its reviews: the platform's figures, and how many stored reviews have a reply.
 */
export async function findReviews(
  ctx: OwnerContext,
  prospect: Prospect,
  look: ListingLook,
): Promise<Section> {
  const method = methodOf(look)
  const at = ctx.now()
  const figures = figuresOf(prospect, look)
  const stored = await ctx.rows(Review).list({
    where: where.and(where.eq('location_id', prospect.id), where.eq('removed_at_source_at', null)),
    sort: [{ field: 'review_created_at', direction: 'desc' }],
    limit: readMax,
  })
  const telling = stored.filter((row) => hasKnownReply(ctx, row, prospect))
  const answered = answeredShare.of(telling.filter(({ reply_text }) => reply_text).length, telling.length)
  const unknown: UnknownFact[] = [
    ...(figures
      ? []
      : [{ what: 'rating', reason: 'reason' in look ? look.reason : 'The place shows none.' }]),
    ...(telling.length > 0 ? [] : [{ what: 'answered', reason: unanswerable(stored.length) }]),
  ]
  if (!figures && stored.length === 0) return section({ method, at, facts: null, unknown })
  return section({
    method,
    at,
    unknown,
    facts: {
      ...figures,
      stored: stored.length,
      ...(stored.length === readMax ? { stored_is_at_least: true } : {}),
      stars: starsOf(stored),
      ...(telling.length > 0 ? { answered } : {}),
      ...(stored[0]?.review_created_at ? { newest_at: stored[0].review_created_at } : {}),
    },
    score: scoreOf(figures, answered),
  })
}

interface Figures {
  readonly rating: number | null
  readonly total: number
  /** `location`, or the name of the source. */
  readonly figures_from: string
  readonly figures_as_of?: string
}

function figuresOf(prospect: Prospect, look: ListingLook): Figures | null {
  if ('listing' in look) {
    const { rating, ratings: total } = look.listing
    return { rating, total, figures_from: look.source.name }
  }
  const { average_rating: rating = null, total_reviews: total, last_synced_at } = prospect
  if (total === undefined) return null
  const known = { rating, total, figures_from: 'location' } as const
  return last_synced_at === undefined ? known : { ...known, figures_as_of: last_synced_at }
}

/** Whether a review's source also returns replies, so that a review without a reply has none. */
function hasKnownReply(ctx: OwnerContext, row: Row<typeof Review>, prospect: Prospect): boolean {
  const readers = ctx.extensions(reviewSource).filter(({ source }) => source === row.source)
  return row.gbp_api_synced_at !== undefined || !readers.some((one) => one.hidesReplies?.(prospect))
}

const unanswerable = (stored: number) =>
  stored === 0
    ? 'None of its reviews are stored. Renown reads them when the prospect signs.'
    : 'Its reviews come from a source that does not return replies.'

function starsOf(rows: readonly Row<typeof Review>[]) {
  const counts: Record<string, number> = {}
  for (const { star_rating } of rows) {
    if (star_rating) counts[star_rating] = (counts[star_rating] ?? 0) + 1
  }
  return counts
}

/**
 * Returns the score: 60 points for the rating, 20 for the count on a logarithmic scale up to 200, and 20 for
 * the share of answers if it is known.
 */
function scoreOf(figures: Figures | null, answered: { n: number; rate: number | null }): number | null {
  if (!figures) return null
  if (figures.rating === null) return 0
  const isTold = answered.n >= scoredFrom
  const got =
    (60 * Math.max(0, figures.rating - 1)) / 4 +
    20 * Math.min(1, Math.log10(1 + figures.total) / Math.log10(201)) +
    (isTold ? 20 * (answered.rate ?? 0) : 0)
  return (100 * got) / (isTold ? 100 : 80)
}
