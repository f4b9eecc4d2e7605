import { type ActFailure, moveState, type OwnerContext, type Row, type RowChanges, where } from 'renown'
import { BusinessLocation } from '../records/foreign'
import { Mention } from '../records/Mention'
import { MentionReply, type ReplyAttemptRow, type ReplyRow, replyState } from '../records/MentionReply'
import { mentionStatus } from '../records/mentionStatus'
import { channelOf } from './replyWay'

/** Moves a reply, if it still has the state and the version of the row. Returns null if it changed. */
export function moveReply(
  ctx: OwnerContext,
  reply: ReplyRow,
  to: ReplyRow['state'],
  given: Partial<ReplyRow> = {},
): Promise<ReplyRow | null> {
  const moved = moveState(replyState, reply.state, to, { now: ctx.now(), with: given })
  return ctx.rows(MentionReply).updateWhere(unchangedReply(reply), moved as Partial<ReplyRow>)
}

/** Matches a reply while it has the state and the version of the row. */
export const unchangedReply = ({ id, state, revision }: ReplyRow) =>
  where.and(where.eq('id', id), where.eq('state', state), where.eq('revision', revision))

/** Plans the next step of a reply. */
export async function stepReplyLater(ctx: OwnerContext, reply: ReplyRow, waitMs: number): Promise<void> {
  const due_at = new Date(ctx.now().getTime() + waitMs).toISOString()
  await ctx.rows(MentionReply).updateWhere(unchangedReply(reply), { due_at })
}

/** What was posted as the answer. */
export interface PostedAnswer {
  readonly text?: string | undefined
  readonly url?: string | undefined
  readonly at: Date
}

type MentionRow = Row<typeof Mention>

/**
 * Marks the mentions of a post as answered, for every tracker of the location that found it. A dismissed mention stays
 * dismissed and says what was answered.
 */
export async function answerMentions(
  ctx: OwnerContext,
  { location_id, source, source_id }: Pick<MentionRow, 'location_id' | 'source' | 'source_id'>,
  { text, url, at }: PostedAnswer,
): Promise<void> {
  const same = where.and(
    ...[where.eq('source', source), where.eq('source_id', source_id)],
    where.eq('location_id', location_id),
  )
  const given: RowChanges<typeof Mention> = {
    ...(text === undefined ? {} : { reply_text: text }),
    ...(url === undefined ? {} : { reply_url: url }),
    is_read: true,
  }
  for (const mention of await ctx.rows(Mention).list({ where: same, limit: 1_000 })) {
    const replied_at = mention.replied_at ?? at.toISOString()
    const isOpen = mention.status === 'new' || mention.status === 'saved'
    const moved = isOpen
      ? moveState(mentionStatus, mention.status, 'replied', { now: at, with: { ...given, replied_at } })
      : { ...given, replied_at }
    const unchanged = where.and(where.eq('id', mention.id), where.eq('status', mention.status))
    await ctx.rows(Mention).updateWhere(unchanged, moved as Partial<MentionRow>)
  }
}

/**
 * Marks a reply as sent, from the attempt that did it. The proof also counts if the search for it was given up in the meantime
 * and no person has decided yet.
 */
export async function sentReply(
  ctx: OwnerContext,
  reply: ReplyRow,
  { external_id = '', external_url }: ReplyAttemptRow,
): Promise<void> {
  await answerMentions(ctx, reply, { text: reply.text, url: external_url, at: ctx.now() })
  const given = {
    ...{ external_id, due_at: undefined, error_message: undefined },
    ...(external_url === undefined ? {} : { external_url }),
  }
  if (await moveReply(ctx, reply, 'sent', given)) return
  const now = await ctx.rows(MentionReply).get(reply.id)
  const isUndecided = now?.failure_kind === 'unknown_outcome' && now.revision === reply.revision
  if (now?.state === 'failed' && isUndecided) await moveReply(ctx, now, 'sent', given)
}

/** Marks a reply as failed and notifies people once. */
export async function failReply(ctx: OwnerContext, reply: ReplyRow, failure: ActFailure): Promise<void> {
  // Notifies people first. If the process ends in between, both are repeated, and the notification is sent once.
  await notifyFailure(ctx, reply, failure)
  await moveReply(ctx, reply, 'failed', {
    ...{ error_message: failure.message.slice(0, 500), failure_kind: failure.kind },
    ...{ error_count: (reply.error_count ?? 0) + 1, due_at: undefined },
  })
}

async function notifyFailure(
  ctx: OwnerContext,
  reply: ReplyRow,
  { kind, message }: ActFailure,
): Promise<void> {
  const { id, workspace_id, location_id, mention_id, revision, source } = reply
  const location = await ctx.rows(BusinessLocation).get(location_id)
  const label = channelOf(ctx, { source })?.label ?? source
  const of = location ? ` of ${location.business_name}` : ''
  const isOpen = kind === 'unknown_outcome'
  await ctx.notify({
    ...{ workspace_id, location_id, entity: 'Mention', entity_id: mention_id },
    ...{ type: 'mention_reply_failed', severity: 'warning', once: `mention_reply_failed ${id} ${revision}` },
    title: isOpen ? `Is this reply${of} on ${label}?` : `A reply${of} was not sent on ${label}`,
    body: `${message.replace(/\.$/, '')}. ${isOpen ? openAdvice : 'Open the mention to send it again.'}`,
  })
}

const openAdvice =
  'Look at the thread. Then tell Renown that the reply is there, or send it again. Renown does neither by itself.'
