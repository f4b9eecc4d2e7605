import type { Row } from 'renown'
import { type DraftWish, defineDraft } from 'renown/sending'
import type { Model } from 'renown/sources'
import type { tones } from '../records/AutoResponseRules'
import type { Review } from '../records/Review'
import { draftReply, type ReplyDraft } from './draftReply'
import type { ReplyingBusiness } from './reply-parties'

/** Longest draft of a caller. Platforms accept at most so many characters. */
export const draftMax = 4_096

/** The draft of a review. */
export const reviewDraft = defineDraft({
  name: 'suggested_response',
  textOf: (review: Row<typeof Review>) => review.ai_suggested_response,
  replacedOf: ({ previous_draft: text }) => (text ? { text } : null),
})

/** The wanted draft: generated in a tone, the caller's own text, or the one that the last draft replaced. */
interface ReplyWish extends DraftWish {
  readonly tone: (typeof tones)[number]
}

/** Returns the wanted draft. Throws a Refusal if the present draft is not the one that the caller expects. */
export async function wishedReply(
  model: Model,
  review: Row<typeof Review>,
  business: ReplyingBusiness,
  wish: ReplyWish,
): Promise<ReplyDraft> {
  const own = reviewDraft.own(review, wish)
  return own ? { ...own, tone: null } : draftReply(model, review, business, wish.tone)
}
