import { Refusal } from 'renown'
import { englishText, type InboxAction } from 'renown/pages'
import { replyToReview } from '../acts/reply-acts'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { personBasis } from '../reply/decideAct'
import { answerableAt } from '../reply/whyNoReply'
import { reviewWords } from '../words'

/** Returns a digest that identifies a draft. A new draft changes the state of the inbox entry. */
export const draftMark = (draft: string): string => Bun.hash(draft).toString(36)

/** Sends a draft as shown, in the same way as the page of the review. */
export const sendDraft: InboxAction = {
  async label(ctx, { id }) {
    const review = await ctx.rows(Review).get(id)
    if (!review) return null
    const location = await ctx.rows(ReviewedLocation).get(review.location_id)
    return 'why' in answerableAt(ctx.system, review, location) ? null : reviewWords('sendReply')
  },
  async run(ctx, entry) {
    const review = await ctx.rows(Review).get(entry.id)
    const draft = review?.ai_suggested_response ?? ''
    if (!review || !entry.state.endsWith(` ${draftMark(draft)}`)) {
      const phrase = reviewWords('draftChanged')
      throw new Refusal('conflict', englishText(phrase), { phrase })
    }
    await replyToReview.perform(ctx.owner, {
      row: review,
      input: { text: draft, replace: false },
      seen: { basis: personBasis(review), replaces: '' },
    })
  },
}
