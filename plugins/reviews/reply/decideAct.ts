import type { Row } from 'renown'
import { sensitiveFlag } from '../analysis/flagSensitive'
import type { ReviewRow } from '../analysis/reconcile'
import { originalOf } from '../analysis/translation'
import type { StandingReply } from '../contract'
import type { ReviewedLocation } from '../records/ReviewedLocation'
import type { ReviewReply } from '../records/ReviewReply'
import { judgeReply } from '../writing/judgeReply'
import { isSameReply, isSameTyping } from './personText'

type Act = Row<typeof ReviewReply>

/** What to do about a review that a person wants to answer. */
export type Decision =
  | { readonly do: 'send' | 'edit' | 'remove' }
  /** The platform already has what the person wants. */
  | { readonly do: 'nothing' }
  | { readonly do: 'reject' | 'fail'; readonly why: string }

/** Returns the digest of what a person answers: the stars and the author's own words. */
export const personBasis = ({ star_rating, review_text }: Pick<ReviewRow, 'star_rating' | 'review_text'>) =>
  new Bun.CryptoHasher('sha256')
    .update(JSON.stringify([star_rating ?? null, originalOf(review_text)]))
    .digest('hex')
    .slice(0, 24)

interface Found {
  /** The row after the review was fetched again. */
  readonly review: ReviewRow
  readonly location: Row<typeof ReviewedLocation>
  readonly standing: StandingReply | null
}

/** Decides what to do now for an action of a person. Only this function decides, for every attempt. */
export async function decideAct(act: Act, found: Found): Promise<Decision> {
  return act.act === 'delete' ? decideDelete(act, found) : await decidePublish(act, found)
}

function decideDelete({ replaces = '' }: Act, { standing }: Found): Decision {
  if (standing === null) return { do: 'nothing' }
  return isSameReply(standing.text, replaces) ? { do: 'remove' } : { do: 'fail', why: reasons.changed }
}

async function decidePublish(act: Act, found: Found): Promise<Decision> {
  const { standing, review } = found
  const { text = '', replaces } = act
  if (standing && isThere(act, standing)) {
    return standing.rejected === undefined ? { do: 'nothing' } : { do: 'reject', why: standing.rejected }
  }
  if (personBasis(review) !== act.basis) return { do: 'fail', why: reasons.rewritten }
  const held = act.is_approved ? await whyNotSent(text, found) : null
  if (held !== null) return { do: 'fail', why: `Held back: ${held}. Read it and send it by itself.` }
  if (standing === null) {
    return replaces === undefined ? { do: 'send' } : { do: 'fail', why: reasons.vanished }
  }
  // Nobody can see a rejected reply, so a new one replaces it.
  if (standing.rejected !== undefined) return { do: 'edit' }
  if (replaces === undefined) return { do: 'fail', why: reasons.answered }
  return isSameReply(standing.text, replaces) ? { do: 'edit' } : { do: 'fail', why: reasons.changed }
}

/**
 * Whether the platform shows the text, perhaps escaped. It does not if a person corrects such a text, for example `&amp;` to
 * `&`.
 */
function isThere({ text = '', replaces }: Act, standing: StandingReply): boolean {
  if (!isSameReply(standing.text, text)) return false
  return replaces === undefined || standing.text !== replaces || isSameTyping(replaces, text)
}

/** Returns why a reply that was approved with others is not sent. */
export async function whyNotSent(
  text: string,
  { review, location }: Pick<Found, 'review' | 'location'>,
): Promise<string | null> {
  if (review.is_flagged) return review.flag_reason ?? 'the review is flagged'
  const { flag_reason } = sensitiveFlag(review)
  if (flag_reason !== undefined) return flag_reason
  const verdict = await judgeReply(text, review, location)
  return verdict.isSendable ? null : verdict.why
}

const reasons = {
  rewritten: 'The review changed after you wrote the reply. Read it again, then send the reply again.',
  answered: 'Somebody has answered the review in the meantime. The page now shows their reply.',
  changed: 'The reply has changed on the platform in the meantime. Check it, then try again.',
  vanished: 'The reply that you edited is no longer on the platform. Send it as a new reply.',
} as const
