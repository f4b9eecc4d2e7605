import { moveState, type OwnerContext, type Row, type RowChanges, where } from 'renown'
import { type ActFailure, isOfService } from 'renown/sending'
import { BusinessLocation } from '../records/foreign'
import { Mention } from '../records/Mention'
import {
  isUndecidedReply,
  MentionReply,
  type ReplyAttemptRow,
  type ReplyRow,
  replyState,
} from '../records/MentionReply'
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
    where.eq('source', source),
    where.eq('source_id', source_id),
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
 * and no person has decided yet. Notifies people if the platform shows it more than once.
 */
export async function sentReply(
  ctx: OwnerContext,
  reply: ReplyRow,
  { external_id = '', external_url, platform_state, twins = [] }: ReplyAttemptRow,
): Promise<void> {
  if (twins.length > 0) await notifyTwins(ctx, reply, [external_url ?? external_id, ...twins])
  else await explainReply(ctx, reply)
  await answerMentions(ctx, reply, { text: reply.text, url: external_url, at: ctx.now() })
  const given = {
    external_id,
    due_at: undefined,
    error_message: undefined,
    platform_state,
    ...(external_url === undefined ? {} : { external_url }),
    ...(twins.length === 0 ? {} : { duplicate_urls: [...twins] }),
  }
  if (await moveReply(ctx, reply, 'sent', given)) return
  const now = await ctx.rows(MentionReply).get(reply.id)
  if (now?.revision !== reply.revision) return
  if (isUndecidedReply(now)) await moveReply(ctx, now, 'sent', given)
  if (now.state === 'sent' && twins.length > 0) {
    await ctx.rows(MentionReply).update(reply.id, { duplicate_urls: [...twins] })
  }
}

async function notifyTwins(ctx: OwnerContext, reply: ReplyRow, urls: readonly string[]): Promise<void> {
  const { label, of } = await namesOf(ctx, reply)
  const why = `The same reply was found ${urls.length} times: ${urls.join(' and ')}.`
  await doubtReply(ctx, reply, why)
  await ctx.notify({
    ...aboutReply(reply),
    type: 'mention_reply_sent_twice',
    severity: 'warning',
    once: `mention_reply_twice ${reply.id} ${reply.revision}`,
    title: `A reply${of} is on ${label} ${urls.length === 2 ? 'twice' : `${urls.length} times`}`,
    body: `${why} Delete the one that you do not want.`,
  })
}

/** Puts the account of a reply in doubt, if its channel can do that. Can be repeated. */
export async function doubtReply(ctx: OwnerContext, reply: ReplyRow, why: string): Promise<void> {
  const location = await ctx.rows(BusinessLocation).get(reply.location_id)
  const { mention_id, revision } = reply
  if (location) await channelOf(ctx, reply)?.raiseDoubt?.(ctx, location, { why, mention_id, revision })
}

/** Ends a doubt about the account that was about this reply. */
export async function explainReply(ctx: OwnerContext, reply: ReplyRow): Promise<void> {
  const location = await ctx.rows(BusinessLocation).get(reply.location_id)
  if (location) await channelOf(ctx, reply)?.explainDoubt?.(ctx, location, reply.mention_id)
}

/** Records that the platform holds a reply back. It stays `sending`. Notifies people once. Can be repeated. */
export async function heldReply(
  ctx: OwnerContext,
  reply: ReplyRow,
  { external_id = '', external_url, platform_state = 'held', twins = [] }: ReplyAttemptRow,
): Promise<void> {
  if (twins.length > 0) await notifyTwins(ctx, reply, [external_url ?? external_id, ...twins])
  const { label, of } = await namesOf(ctx, reply)
  await ctx.notify({
    ...aboutReply(reply),
    type: 'mention_reply_held',
    severity: 'info',
    once: `mention_reply_held ${reply.id} ${reply.revision}`,
    title: `${label} holds back a reply${of}`,
    body: `Its state there is “${platform_state}”. Renown looks at it for seven days.`,
  })
  await ctx.rows(MentionReply).updateWhere(unchangedReply(reply), {
    platform_state,
    ...(twins.length === 0 ? {} : { duplicate_urls: [...twins] }),
    ...(external_url === undefined ? {} : { external_url }),
  })
}

/** Marks a reply as failed and notifies people once. */
export async function failReply(ctx: OwnerContext, reply: ReplyRow, failure: ActFailure): Promise<void> {
  // Notifies people first. If the process ends in between, both are repeated, and the notification is sent once.
  await notifyFailure(ctx, reply, failure)
  await moveReply(ctx, reply, 'failed', {
    error_message: failure.message.slice(0, 500),
    failure_kind: failure.kind,
    error_count: (reply.error_count ?? 0) + Number(isOfService(failure)),
    due_at: undefined,
  })
}

const aboutReply = ({ workspace_id, location_id, mention_id }: ReplyRow) => ({
  workspace_id,
  location_id,
  entity: 'Mention',
  entity_id: mention_id,
})

async function namesOf(ctx: OwnerContext, { location_id, source }: ReplyRow) {
  const location = await ctx.rows(BusinessLocation).get(location_id)
  const label = channelOf(ctx, { source })?.label ?? source
  return { label, of: location ? ` of ${location.business_name}` : '' }
}

async function notifyFailure(
  ctx: OwnerContext,
  reply: ReplyRow,
  { kind, message }: ActFailure,
): Promise<void> {
  const { id, revision } = reply
  const { label, of } = await namesOf(ctx, reply)
  const title =
    kind === 'unknown_outcome'
      ? `Is this reply${of} on ${label}?`
      : kind === 'held_by_platform'
        ? `${label} still holds back a reply${of}`
        : `A reply${of} was not sent on ${label}`
  await ctx.notify({
    ...aboutReply(reply),
    type: 'mention_reply_failed',
    severity: 'warning',
    once: `mention_reply_failed ${id} ${revision}`,
    title,
    body: `${message.replace(/\.$/, '')}. ${advice[kind] ?? 'Open the mention to send it again.'}`,
  })
}

const openAdvice =
  'Look at the thread. Then tell Renown that the reply is there, or send it again. Renown does neither by itself.'
const advice: Readonly<Partial<Record<ActFailure['kind'], string>>> = {
  unknown_outcome: openAdvice,
  held_by_platform: `Delete it there before you send it again. ${openAdvice}`,
}
