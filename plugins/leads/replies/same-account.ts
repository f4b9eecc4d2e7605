import { type OwnerContext, where } from 'renown'
import { isUndecidedReply, MentionReply, ReplyAttempt, type ReplyRow } from '../records/MentionReply'

/**
 * Returns how another location answers the same post through the same account, or null. It is `answered` also
 * if nobody knows whether its reply arrived, and `calling` while its call has no outcome.
 */
export async function answerOfSameAccount(
  { rows }: Pick<OwnerContext, 'rows'>,
  { id, source, source_id, account_id }: ReplyRow,
): Promise<'answered' | 'calling' | null> {
  const same = where.and(
    where.eq('source', source),
    where.eq('source_id', source_id),
    where.eq('account_id', account_id),
    where.ne('id', id),
    where.in('state', ['sending', 'sent', 'failed']),
  )
  const others = await rows(MentionReply).list({ where: same, limit: 1_000 })
  const isAnswer = (one: ReplyRow) => one.state === 'sent' || isUndecidedReply(one)
  if (others.some(isAnswer)) return 'answered'
  for (const { id: reply_id, revision, state } of others) {
    if (state !== 'sending') continue
    const own = where.and(where.eq('reply_id', reply_id), where.eq('revision', revision))
    const called = where.and(own, where.in('outcome', ['calling', 'published', 'unknown', 'held']))
    const [attempt] = await rows(ReplyAttempt).list({ where: called, limit: 1 })
    if (attempt) return 'calling'
  }
  return null
}

/** Runs work that records an attempt, for one location of an account and a post at a time. */
export const inTurnOfAccount = <T>(
  { withLock }: Pick<OwnerContext, 'withLock'>,
  { source, source_id, account_id }: ReplyRow,
  work: () => Promise<T>,
): Promise<T> => withLock(`mention reply ${source} ${account_id} ${source_id}`, work)
