import type { OwnerContext, Row } from 'renown'
import type { ReviewRow } from '../analysis/reconcile'
import { type ReplySender, type ReviewSource, reviewSource } from '../contract'
import { isContradicted, whyNotNow } from '../evidence/doubt'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { sourceOf } from '../sources/source-of'
import { recordedPlatform } from './recorded-platform'

/** A review that a person can answer, with the data for it. */
export interface Answerable {
  readonly location: Row<typeof ReviewedLocation>
  readonly source: ReviewSource
  readonly sender: ReplySender
}

/** Returns whether a person can answer a review in Renown, and what to do if not. */
export async function answerable(
  ctx: OwnerContext,
  review: ReviewRow,
): Promise<Answerable | { readonly why: string }> {
  return answerableAt(ctx, review, await ctx.rows(ReviewedLocation).get(review.location_id))
}

/** Like `answerable`, for a review whose location is already loaded. */
export function answerableAt(
  ctx: Pick<OwnerContext, 'extensions' | 'settings'>,
  review: ReviewRow,
  location: Row<typeof ReviewedLocation> | null,
): Answerable | { readonly why: string } {
  if (!location) return { why: 'The location of this review no longer exists.' }
  const { label } = platformOf(ctx, review.source)
  if (typeof review.removed_at_source_at === 'string') {
    return { why: `${label} no longer shows this review, so it cannot be answered.` }
  }
  const source = replySourceOf(ctx, location, review)
  const sender = source?.source === review.source ? source.replies : undefined
  if (!source || !sender) {
    return { why: `Connect the account of this location at ${label} first: Settings, Connections.` }
  }
  if (!(sender.takes?.(review) ?? true)) return { why: `${label} takes no reply to this review.` }
  // A reply that exists can be changed: the platform must show it right before.
  if (review.reply_text === undefined && isContradicted(location)) return { why: whyNotNow(location, label) }
  return { location, source, sender }
}

/**
 * Returns the source that a person's reply to a review goes to. In a demo that is always a platform inside this process:
 * nobody can answer a sample review in public.
 */
export const replySourceOf = (
  ctx: Pick<OwnerContext, 'extensions' | 'settings'>,
  location: Row<typeof ReviewedLocation>,
  { source }: Pick<ReviewRow, 'source'>,
): ReviewSource | null =>
  location.is_demo ? recordedPlatform(source, platformOf(ctx, source).label) : sourceOf(ctx, location)

/** Returns the name of a platform for people. */
export const platformOf = (
  ctx: Pick<OwnerContext, 'extensions'>,
  source: string,
): { readonly label: string } => ({
  label: ctx.extensions(reviewSource).find((one) => one.source === source)?.label ?? source,
})
