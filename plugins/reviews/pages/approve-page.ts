import { isRefusal, recoverIf, where } from 'renown'
import { defineAction, definePage, type PageContext } from 'renown/pages'
import * as v from 'valibot'
import { approveDraft } from '../acts/reply-acts'
import { originalOf } from '../analysis/translation'
import { visibleReviews, waitsForReply } from '../operations/visible'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { personBasis, whyNotSent } from '../reply/decideAct'
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
  return {
    drafts: rows.slice(0, draftsMax).map((review) => {
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
        mark: markOf(review),
        held: 'why' in can ? can.why : whyNotSent(draft, { review, location: can.location }),
      }
    }),
    has_more: rows.length > draftsMax,
    is_demo: ctx.isDemo,
  }
}

type Drafted = Parameters<typeof personBasis>[0] & {
  readonly id: string
  readonly ai_suggested_response?: string
}

const markOf = (review: Drafted) =>
  `${review.id}~${personBasis(review)}~${Bun.hash.crc32(review.ai_suggested_response ?? '').toString(36)}`

const mark = v.pipe(v.string(), v.maxLength(200))

const approve = defineAction({
  auth: 'session',
  done: String(approveDraft.declared.done),
  input: v.strictObject({
    drafts: v.pipe(
      v.optional(v.union([mark, v.array(mark)]), []),
      v.transform((value) => [value].flat()),
      v.minLength(1, 'Choose at least one draft.'),
      v.maxLength(draftsMax, `Choose at most ${draftsMax} drafts.`),
    ),
  }),
  async run(ctx, { drafts }) {
    const refused: { readonly id: string; readonly why: string }[] = []
    for (const one of drafts) {
      const [id = ''] = one.split('~')
      const review = await ctx.rows(Review).get(id)
      if (!review || markOf(review) !== one) {
        refused.push({ id, why: 'The review or its draft changed since you opened this page.' })
        continue
      }
      await approveDraft
        .perform(ctx.owner, { row: review, input: {} })
        .catch(recoverIf(isRefusal, ({ message: why }) => void refused.push({ id, why })))
    }
    const done = drafts.length - refused.length
    if (refused.length > 0) return { shown: { done, refused } }
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
