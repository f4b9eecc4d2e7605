import { Refusal, type Row, requireRow } from 'renown'
import {
  type ChangeOutcome,
  type PreparedChange,
  type ProposalReads,
  type QueuedChange,
  visible,
} from 'renown/pages'
import { formatCount } from 'renown/web'
import { originalOf } from '../analysis/translation'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { personBasis } from './decideAct'
import { isSameReply, personText } from './personText'
import { actOf } from './requestReply'
import { answerableAt } from './whyNoReply'

export interface WantedReply extends Record<string, unknown> {
  readonly review_id: string
  readonly text?: string | undefined
  readonly replace: boolean
}

type Answered = Pick<
  Row<typeof Review>,
  'id' | 'star_rating' | 'review_text' | 'reviewer_name' | 'is_flagged' | 'flag_reason'
>

interface Sending {
  readonly text: string
  readonly platform: string
  /** Name of the business location in whose name the reply appears. */
  readonly business: string
  readonly act?: string
}

/**
 * Returns a reply as a person decides about it. The basis also names the last action on the reply, so that each request makes
 * it another one.
 */
export function preparedReply(
  review: Answered,
  { text, platform, business, act = '' }: Sending,
): PreparedChange<WantedReply> {
  const stars = review.star_rating ?? null
  const rating = stars === null ? 'no stars' : formatCount(stars, 'star')
  const said = visible(originalOf(review.review_text ?? '')).slice(0, 1_000)
  const flag = visible(`The review is flagged: ${review.flag_reason ?? 'somebody should check it'}`)
  // The reply is last and the review is quoted, so that neither can pretend to be the other.
  const parts = [
    ...(said === '' ? [] : [`The review:\n${quoted(said)}`]),
    ...(review.is_flagged ? [flag] : []),
    `Sends all text below to ${platform} as the reply of ${inOneLine(business)}:\n${text}`,
  ]
  return {
    input: { review_id: review.id, text, replace: false },
    basis: [personBasis(review), act].join(' '),
    record: { entity: 'Review', id: review.id },
    title: `Reply to ${rating} from ${(review.reviewer_name ?? 'Anonymous').slice(0, 100)}`,
    effect: parts.join('\n\n'),
    href: `/app/reviews?${new URLSearchParams({ review: review.id })}`,
  }
}

/** A name with line breaks could pretend to be a part of its own. */
const inOneLine = (name: string) => visible(name).replace(/\s+/g, ' ').trim().slice(0, 200)

const replaced = 'A later action on the reply took the place of this one. Look at the review.'

const quoted = (text: string) => text.replace(/^/gm, '> ')

/** Prepares a reply that an agent proposes. */
export async function prepareReply(
  ctx: ProposalReads,
  review_id: string,
  text: string | undefined,
): Promise<PreparedChange<WantedReply>> {
  const review = await requireRow(ctx.rows(Review), 'review', review_id)
  const location = await ctx.rows(ReviewedLocation).get(review.location_id)
  const can = answerableAt(ctx, review, location)
  if ('why' in can) throw new Refusal('conflict', can.why)
  const { label: platform } = can.source
  if (review.reply_text !== undefined) throw new Refusal('conflict', 'The review has a reply.')
  const given = text ?? review.ai_suggested_response
  if (given === undefined) {
    throw new Refusal('invalid_field', 'The review has no draft. Give the reply as `text`.')
  }
  const act = await actOf(ctx, review)
  if (act?.state === 'queued') throw new Refusal('conflict', 'A reply to this review is being sent.')
  return preparedReply(review, {
    text: personText(given, can.sender),
    platform,
    act: act?.act_id ?? '',
    business: location?.business_name ?? 'the business',
  })
}

/** Reads how far an approved reply is. */
export async function outcomeOfReply(
  ctx: ProposalReads,
  { input, act, record }: QueuedChange<Readonly<Record<string, unknown>>>,
): Promise<ChangeOutcome> {
  const found = await actOf(ctx, { id: record.id, workspace_id: ctx.workspace.id })
  if (found?.act_id !== act)
    return isSameReply(found?.replaces ?? '', String(input.text ?? ''))
      ? { state: 'done' }
      : { state: 'unknown', why: replaced }
  const { state, error = 'The platform gave no reason.' } = found
  if (state === 'sent') return { state: 'done' }
  if (state === 'queued')
    return found.error === undefined ? { state } : { state, why: `It is tried again: ${error}` }
  if (state === 'cancelled')
    return { state: 'failed', why: 'A person cancelled the reply before it was sent.' }
  return {
    state: 'failed',
    why: state === 'rejected' ? `The platform rejected the reply: ${error}` : error,
  }
}
