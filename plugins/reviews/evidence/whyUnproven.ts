import { dayMs, minuteMs, type OwnerContext, ServiceFault, type Where, where } from 'renown'
import type { ReviewRow } from '../analysis/reconcile'
import type { ReplySender, ReviewSource, SourceReview } from '../contract'
import { returnedBy, reviewsOf } from '../proof/storedReviews'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import {
  contradict,
  contradictTexts,
  doubtOf,
  isContradicted,
  listingOf,
  whyMissing,
  whyTextless,
} from './doubt'
import { hasLossElsewhere } from './losses'
import { storedEvidence } from './reply-evidence'

/** The code of a fault: the reply waits because of a doubt. It is judged again, and the wait is no failed attempt. */
export const inDoubtCode = 'in_doubt'
const waitMs = { doubt: 60 * minuteMs, unread: 5 * minuteMs } as const

/** Returns the fault with which an automatic reply waits until a doubt has ended, or until the next complete sync. */
export const waitsInDoubt = (why: string, until: keyof typeof waitMs = 'doubt'): ServiceFault =>
  new ServiceFault('transient', why, { code: inDoubtCode, retryAfterMs: waitMs[until] })

/** How old the proof of a complete sync may be. There is one each day. */
const provenMaxMs = 2 * dayMs

interface Asked {
  readonly location: Parameters<ReplySender['look']>[1] & { readonly business_name: string }
  readonly source: ReviewSource
  readonly sender: ReplySender
  /** The row, and the review as the platform just returned it without a reply. */
  readonly row: ReviewRow
  readonly said: SourceReview
}

/**
 * Returns why it is not certain that a review has no reply, although the platform just returned none. Null if it is certain.
 * Automatic replies need more than replies of people: a day without a doubt, and a complete sync that proves it.
 */
export async function whyUnproven(
  ctx: OwnerContext,
  asked: Asked,
  by: 'automatic' | 'person',
): Promise<string | null> {
  const { location, source, row, said } = asked
  if (row.reply_text !== undefined) {
    await contradict(ctx, asked, [row.source_id])
    return whyMissing(source.label, 1)
  }
  const textless = by === 'person' ? null : await whyTextUnknown(ctx, asked)
  if (textless !== null) return textless
  const current = await ctx.rows(ReviewedLocation).get(location.id)
  const doubt = current && doubtOf(current)
  if (doubt && (by === 'automatic' || isContradicted(current))) return doubt.why
  const rule = source.absences?.fields.reply
  if (rule === undefined || rule.means === 'none' || said.saidNone?.includes('reply')) return null
  if (rule.means === 'unknown') {
    await contradict(ctx, asked, [])
    return whyMissing(source.label, 0)
  }
  return (await whyNotShown(ctx, asked)) ?? (by === 'person' ? null : whyNotRead(ctx, asked))
}

/**
 * Returns why a review that was returned without text may have one: the platform then also leaves out the texts of known
 * reviews, and a complaint would look like stars alone. Null if it returns one of them, or if none is stored.
 */
async function whyTextUnknown(ctx: OwnerContext, asked: Asked): Promise<string | null> {
  const { location, source, sender, row, said } = asked
  // A text that is stored was judged, and an answer that only leaves it out does not change it.
  const isKnown = (said.review_text ?? row.review_text) !== undefined
  if (isKnown || source.absences === undefined) return null
  const known = await knownReviews(ctx, asked, 'review_text')
  if (known.length === 0) return null
  for (const other of known) {
    const found = await sender.look(ctx, location, other)
    if (found.isGone) continue
    if (found.review.review_text !== undefined) return null
  }
  await contradictTexts(ctx, asked)
  return whyTextless(source.label)
}

/** Maximum known reviews that are requested before it stays uncertain. */
const comparedMax = 3

/** Returns other reviews of the location that the platform last returned with this field, to compare an answer with them. */
const knownReviews = (
  ctx: OwnerContext,
  { location, source, row }: Asked,
  field: 'review_text' | 'reply_text',
): Promise<ReviewRow[]> =>
  ctx.rows(Review).list({
    where: where.and(
      reviewsOf({ location_id: location.id, source: source.source }),
      where.ne('id', row.id),
      where.ne(field, null),
      returnedBy(source),
      where.eq('removed_at_source_at', null),
    ),
    sort: [
      { field: 'synced_at', direction: 'desc' },
      { field: 'review_created_at', direction: 'asc' },
    ],
    limit: comparedMax,
  })

/**
 * Requests known replies of the location: while the platform leaves them out, it also leaves out the one of this review.
 * Returns why they prove nothing. Null if one is returned, or if none is stored.
 */
async function whyNotShown(ctx: OwnerContext, asked: Asked): Promise<string | null> {
  const { location, source, sender } = asked
  const known = await knownReviews(ctx, asked, 'reply_text')
  for (const other of known) {
    const found = await sender.look(ctx, location, other)
    if (found.isGone) continue
    if (found.reply !== null) return null
    await contradict(ctx, asked, [other.source_id])
    return whyMissing(source.label, 1)
  }
  return known.length === 0 ? null : `${source.label} could not return a known reply of the location.`
}

/**
 * Returns why no complete sync proves that a review without a reply has none. Reads stored rows only. A location whose only
 * replies are from Renown needs no such sync, because `whyNotShown` requests one of them right before.
 */
export async function whyNotRead(
  ctx: OwnerContext,
  { location, source }: Pick<Asked, 'source'> & { readonly location: Pick<Asked['location'], 'id'> },
): Promise<string | null> {
  if (source.absences?.fields.reply?.means !== 'none_if_shown') return null
  const answered = where.and(
    reviewsOf({ location_id: location.id, source: source.source }),
    where.ne('reply_text', null),
    returnedBy(source),
    where.eq('removed_at_source_at', null),
  )
  const has = async (...more: Where[]) =>
    (await ctx.rows(Review).list({ where: where.and(answered, ...more), limit: 1 })).length > 0
  if (await has(where.eq('reply_updated_by', null))) {
    const listing = await listingOf(ctx, location.id)
    const { proven_at = '' } = storedEvidence(listing?.replies)
    const oldest = new Date(ctx.now().getTime() - provenMaxMs).toISOString()
    const isProven = proven_at >= oldest && proven_at > (listing?.replies_lost_at ?? '')
    return isProven
      ? null
      : `The next complete sync must show that ${source.label} returns the replies of the location.`
  }
  const isLost = !(await has()) && (await hasLossElsewhere(ctx, source, location.id))
  return isLost
    ? `${source.label} lost replies of another location within a day, and this location has none that could prove that it returns them.`
    : null
}
