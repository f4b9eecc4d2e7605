import { type Row, where } from 'renown'
import type { PageContext } from 'renown/pages'
import { draftWarnings } from '../analysis/flagSensitive'
import { sensitiveTopicsOf } from '../analysis/sensitive'
import { splitText } from '../analysis/translation'
import type { ReplyAtSource } from '../contract'
import { whyUnanswered } from '../due/whyUnanswered'
import { doubtOf } from '../evidence/doubt'
import { AutoResponseRules } from '../records/AutoResponseRules'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { ReviewReply } from '../records/ReviewReply'
import { isSkipCode, type SkipCode, skipWords } from '../records/skip-reasons'
import { personBasis, whyNotSent } from '../reply/decideAct'
import { answerableAt, platformOf } from '../reply/whyNoReply'

type ReviewRow = Row<typeof Review>

/** One review with the data of its page. */
export interface ShownReview {
  readonly id: string
  readonly by: string | null
  readonly stars: number | null
  readonly recommends: boolean | null
  readonly platform: string
  readonly location: { readonly id: string; readonly name: string }
  readonly created_at: string | null
  readonly updated_at: string | null
  readonly removed_at: string | null
  readonly text: string
  readonly translation: string | null
  readonly language: string | null
  readonly sentiment: string | null
  readonly emotion: string | null
  readonly topics: readonly string[]
  readonly method: string | null
  readonly priority: string | null
  readonly is_read: boolean
  readonly is_flagged: boolean
  readonly flag_reason: string | null
  readonly notes: string
  /** Digest of the review. A reply to an older version is refused. */
  readonly basis: string
  readonly reply: ShownReply | null
  readonly act: ShownAct | null
  readonly draft: string
  readonly warnings: readonly string[]
  /** Why the draft cannot be approved together with others. Null if it can, or if there is no draft. */
  readonly held: string | null
  /** Why no reply can be sent. Null if one can be sent. */
  readonly why_not: string | null
  /** It belongs to a demo. A reply to it reaches no platform. */
  readonly is_demo: boolean
  readonly can_edit: boolean
  readonly can_delete: boolean
  /** What the automatic reply did with the review, in one or two sentences. */
  readonly automatic: string
  /** When its automatic reply is due. Null without one. */
  readonly automatic_due: string | null
}

export interface ShownReply {
  readonly text: string
  readonly at: string | null
  readonly by: string | null
  readonly state: ReplyAtSource['state']
}

/** The last action of a person on the reply. */
export interface ShownAct {
  readonly act: 'publish' | 'delete'
  readonly state: Row<typeof ReviewReply>['state']
  readonly text: string
  readonly error: string | null
  readonly at: string
}

/** Loads a review. Null if the workspace has no review with that id. */
export async function loadReview(ctx: PageContext, id: string): Promise<ShownReview | null> {
  const review = await ctx.rows(Review).get(id)
  if (!review) return null
  const [location, [act], rules] = await Promise.all([
    ctx.rows(ReviewedLocation).get(review.location_id),
    ctx.rows(ReviewReply).list({ where: where.eq('review_id', id), limit: 1 }),
    ctx.system.rows(AutoResponseRules).get(ctx.workspace.agency_id),
  ])
  const can = answerableAt(ctx.system, review, location)
  const sender = 'why' in can ? null : can.sender
  const { original, translation } = splitText(review.review_text ?? '')
  const draft = review.ai_suggested_response ?? ''
  return {
    id,
    by: review.reviewer_name ?? null,
    stars: review.star_rating ?? null,
    recommends: recommendsOf(review),
    platform: platformOf(ctx.system, review.source).label,
    location: { id: review.location_id, name: location?.business_name ?? review.location_id },
    created_at: review.review_created_at ?? null,
    updated_at: review.review_updated_at ?? null,
    removed_at: review.removed_at_source_at ?? null,
    text: original,
    translation: translation ?? null,
    language: review.review_language ?? null,
    sentiment: review.sentiment ?? null,
    emotion: review.emotion ?? null,
    topics: review.key_topics ?? [],
    method: review.analysis_method ?? null,
    priority: review.priority ?? null,
    is_read: review.is_read ?? false,
    is_flagged: review.is_flagged ?? false,
    flag_reason: review.flag_reason ?? null,
    notes: review.notes ?? '',
    basis: personBasis(review),
    reply: replyOf(review, sender?.stateOf?.(review) ?? null),
    act: act ? actOf(act) : null,
    draft,
    warnings: draftWarnings(review),
    held: draft === '' || !location ? null : await whyNotSent(draft, { review, location }),
    why_not: 'why' in can ? can.why : null,
    is_demo: location?.is_demo === true,
    can_edit: sender?.edit !== undefined,
    can_delete: sender?.remove !== undefined,
    automatic: automaticOf(review, location, rules),
    automatic_due:
      review.auto_response_status === 'pending' ? (review.auto_response_scheduled_at ?? null) : null,
  }
}

/** Returns the recommendation of a review without stars, based on its analysis. */
const recommendsOf = ({ star_rating, analysis_method = '', sentiment }: ReviewRow): boolean | null => {
  if ((star_rating ?? null) !== null || !analysis_method.startsWith('recommendation')) return null
  return sentiment === 'positive' ? true : sentiment === 'negative' ? false : null
}

const replyOf = (review: ReviewRow, at: ReplyAtSource | null): ShownReply | null =>
  review.reply_text === undefined
    ? null
    : {
        text: review.reply_text,
        at: review.reply_created_at ?? null,
        by: review.reply_updated_by ?? null,
        state: at?.state ?? 'published',
      }

const actOf = ({ act, state, text = '', error, requested_at, settled_at }: Row<typeof ReviewReply>) => ({
  act,
  state,
  text,
  error: error ?? null,
  at: settled_at ?? requested_at,
})

/** Returns why a review was, or was not, answered automatically. */
function automaticOf(
  review: ReviewRow,
  location: Row<typeof ReviewedLocation> | null,
  rules: Row<typeof AutoResponseRules> | null,
): string {
  const { auto_response_status: status, auto_response_error: error } = review
  const doubt = location && doubtOf(location)
  if (status === 'pending' && doubt) return `The automatic reply waits. ${doubt.why}`
  if (status === 'pending') return 'An automatic reply is planned. It is skipped if you reply first.'
  if (status === 'sent') return 'Renown answered it automatically.'
  if (status === 'failed') return `The automatic reply failed: ${error ?? 'no reason is known'}`
  if (status === 'skipped' && isSkipCode(review.auto_response_reason))
    return `Not answered automatically: ${skippedBecause(review, review.auto_response_reason)}.`
  // Earlier versions stored some reasons as an error, and no others.
  if (status === 'skipped' && error !== undefined)
    return `Its automatic reply waits for you as a draft: ${error}`
  if (!location) return 'Its location no longer exists.'
  const said = { source_id: review.source_id, star_rating: review.star_rating ?? null }
  const words = { review_text: review.review_text, review_language: review.review_language }
  const known = { ...said, review_created_at: review.review_created_at }
  const reason = whyUnanswered(
    JSON.parse(JSON.stringify({ ...known, ...words })),
    rules,
    location,
    new Date(review.created_date),
  )
  if (reason !== null) return `Not answered automatically: ${skippedBecause(review, reason)}.`
  return status === 'skipped'
    ? 'Not answered automatically: it was answered, flagged, changed or removed before the reply was due.'
    : 'Renown found it before there were rules for automatic replies.'
}

/** Returns why a review got no automatic reply, in words. */
function skippedBecause({ review_text, review_language }: ReviewRow, reason: SkipCode): string {
  const topics = reason === 'sensitive' ? sensitiveTopicsOf(review_text, review_language) : []
  return topics.length === 0
    ? skipWords[reason]
    : `it mentions ${topics.join(', ')}, which a person must answer`
}
