import { where } from 'renown'
import { actForEach, definePage, type PageContext } from 'renown/pages'
import * as v from 'valibot'
import { approveDraft, draftMark, reviewOfMark } from '../acts/reply-acts'
import { originalOf } from '../analysis/translation'
import { visibleReviews, waitsForReply } from '../operations/visible'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { whyNotSent } from '../reply/decideAct'
import { answerableAt, platformOf } from '../reply/whyNoReply'
import { reviewsStyle } from './reviews-style'

/** A draft that waits for a person. */
export interface WaitingDraft {
  readonly id: string
  readonly by: string | null
  readonly stars: number | null
  readonly text: string
  readonly language: string | null
  readonly platform: string
  readonly location: string
  readonly at: string | null
  readonly draft: string
  /** Identifies the draft and the version of the review that the person approves. */
  readonly mark: string
  /** Why it cannot be approved together with others. Null if it can. */
  readonly held: string | null
}

export interface ApproveData {
  readonly drafts: readonly WaitingDraft[]
  readonly has_more: boolean
  readonly is_demo: boolean
}

const path = '/app/reviews/approve'
const draftsMax = 25

async function loadDrafts(ctx: PageContext): Promise<ApproveData> {
  const rows = await ctx.rows(Review).list({
    where: visibleReviews({}, waitsForReply, where.ne('ai_suggested_response', null)),
    sort: [{ field: 'review_created_at', direction: 'desc' }],
    limit: draftsMax + 1,
  })
  const ids = [...new Set(rows.map(({ location_id }) => location_id))]
  const found = await ctx.rows(ReviewedLocation).list({ where: where.in('id', ids), limit: ids.length || 1 })
  const locations = new Map(found.map((location) => [location.id, location]))
  const drafts = await Promise.all(
    rows.slice(0, draftsMax).map(async (review) => {
      const location = locations.get(review.location_id) ?? null
      const can = answerableAt(ctx.system, review, location)
      const draft = review.ai_suggested_response ?? ''
      return {
        id: review.id,
        by: review.reviewer_name ?? null,
        stars: review.star_rating ?? null,
        text: originalOf(review.review_text),
        language: review.review_language ?? null,
        platform: platformOf(ctx.system, review.source).label,
        location: location?.business_name ?? review.location_id,
        at: review.review_created_at ?? null,
        draft,
        mark: draftMark(review),
        held: 'why' in can ? can.why : await whyNotSent(draft, { review, location: can.location }),
      }
    }),
  )
  return {
    drafts,
    has_more: rows.length > draftsMax,
    is_demo: ctx.isDemo,
  }
}

const mark = v.pipe(v.string(), v.maxLength(200))

/** Sends each of the chosen drafts, and shows those that were refused. */
const approve = actForEach(approveDraft, {
  field: 'drafts',
  list: v.pipe(
    v.optional(v.union([mark, v.array(mark)]), []),
    v.transform((value) => [value].flat()),
    v.minLength(1, 'Choose at least one draft.'),
    v.maxLength(draftsMax, `Choose at most ${draftsMax} drafts.`),
  ),
  gives: ['review', 'mark'],
  given: (chosen) => ({ review: reviewOfMark(chosen), mark: chosen }),
  after(outcomes) {
    const refused = outcomes.flatMap((one) =>
      'refusal' in one ? [{ id: reviewOfMark(one.item), why: one.refusal.message }] : [],
    )
    if (refused.length > 0) return { shown: { done: outcomes.length - refused.length, refused } }
  },
})

/** A page for reading drafts and sending several at once. */
export const approvePage = definePage<ApproveData>({
  path,
  title: 'Approve drafts',
  module: new URL('./ApprovePage.tsx', import.meta.url),
  isStatic: true,
  load: loadDrafts,
  actions: { send: approve },
  style: reviewsStyle,
})
