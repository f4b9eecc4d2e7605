import { dayMs, type OwnerContext, type Where, where } from 'renown'
import { wordsFor } from './analyse'
import type { HintTopic } from './hints/lexicon'
import { type JudgedReview, judgeSensitive } from './judgeSensitive'
import type { ReviewRow } from './reconcile'
import { sensitiveTopicsOf } from './sensitive'
import type { SensitiveTopic } from './sensitive/lexicon'
import { balanceOf } from './sentiment'
import { originalOf } from './translation'

/** Older reviews are flagged without a notification, because a first import would bring years of them. */
const newestDays = 7

type FlagTopic = SensitiveTopic | HintTopic

const topicWords: Readonly<Record<FlagTopic, string>> = {
  injury: 'an injury or a danger',
  illness: 'an illness',
  police: 'the police or violence',
  legal: 'a lawyer or legal action',
  discrimination: 'discrimination',
  harassment: 'harassment',
  privacy: 'private data or pictures',
  despair: 'despair or self-harm',
  child: 'a child',
}

/**
 * Returns the flag of a review that a person should answer because of its words, or nothing. Where the judge knows the
 * language it decides, and a child alone is only a note. In other languages the word lists decide.
 */
export function sensitiveFlag(review: JudgedReview): Pick<ReviewRow, 'is_flagged' | 'flag_reason'> {
  const { verdict, topics } = judgeSensitive(review)
  const listed = sensitiveTopicsOf(review.review_text, review.review_language)
  const named: readonly FlagTopic[] =
    verdict === 'ordinary' ? listed.filter((topic) => topic === 'child') : [...listed, ...topics]
  if (verdict !== 'sensitive' && named.length === 0) return {}
  const found = (Object.keys(topicWords) as FlagTopic[]).filter((topic) => named.includes(topic))
  const what =
    found.length === 0
      ? 'something unusual for a complaint'
      : inWords(found.map((topic) => topicWords[topic]))
  return { is_flagged: true, flag_reason: `${reasonStart} ${what}` }
}

const reasonStart = 'The review mentions'
const onlyChild = `${reasonStart} ${topicWords.child}`
const praiseStarsMin = 4

/**
 * Returns the warning for a draft if a person should answer the review. A review that only praises and mentions
 * children, such as "the kids loved it", needs no warning. It still gets no automatic reply.
 */
export function draftWarnings(review: ReviewRow): string[] {
  const flagged = review.is_flagged ? (review.flag_reason ?? 'The review is flagged') : undefined
  const reasons = [flagged, sensitiveFlag(review).flag_reason].filter((one) => one !== undefined)
  const why = reasons.find((reason) => reason !== onlyChild || !isPraise(review))
  return why === undefined ? [] : [`${why}. Read the review and answer it yourself.`]
}

/** Whether both the stars and the text praise. False without stars, or if any word complains. */
function isPraise({ star_rating: stars, review_text = '', review_language: language }: ReviewRow): boolean {
  if (typeof stars !== 'number' || stars < praiseStarsMin) return false
  const words = wordsFor(originalOf(review_text), language)
  if (!words) return false
  const { good, bad } = balanceOf(originalOf(review_text), words)
  return good > 0 && bad === 0
}

/**
 * The flag of a review that the language model calls urgent because of danger, discrimination or legal
 * action.
 */
export const urgentFlag = {
  is_flagged: true,
  flag_reason: `${reasonStart} something urgent, as the language model judged`,
}

/** Matches the flagged rows that may need a notification. */
export function recentlyFlagged(now: Date): Where {
  const since = new Date(now.getTime() - newestDays * dayMs).toISOString()
  const isRecent = where.or(where.gte('review_updated_at', since), where.gte('review_created_at', since))
  return where.and(where.eq('is_flagged', true), isRecent)
}

const inWords = (words: readonly string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(words)

/**
 * Notifies people once that a review needs an answer from a person. Skips rows that people flagged and older
 * reviews. Safe to repeat after a crash, because the notification has its own id.
 */
export async function notifyFlagged(
  ctx: OwnerContext,
  { id, workspace_id, location_id, is_flagged, flag_reason = '', ...review }: ReviewRow,
): Promise<void> {
  if (!is_flagged || !flag_reason.startsWith(reasonStart)) return
  const changed = review.review_updated_at ?? review.review_created_at
  if (changed === undefined || ctx.now().getTime() - Date.parse(changed) > newestDays * dayMs) return
  // Mentioning children causes no alarm, because families write kind reviews too.
  const isOnlyChild = flag_reason === onlyChild
  await ctx.notify({
    workspace_id,
    location_id,
    entity: 'Review',
    entity_id: id,
    type: 'review_flagged',
    severity: isOnlyChild ? 'info' : 'warning',
    title: 'A review needs a person',
    body: `${flag_reason}. Renown sends no automatic reply to it. Read the review and answer it yourself.`,
    once: `review_flagged ${id}`,
  })
}
