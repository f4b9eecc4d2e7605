import {
  moveState,
  nullIfConflict,
  type OwnerContext,
  type ReadContext,
  Refusal,
  type Row,
  refusedField,
  requireRow,
  where,
} from 'renown'
import { webAddress } from 'renown/sources'
import { BusinessLocation } from '../records/foreign'
import { Mention } from '../records/Mention'
import {
  isUndecidedReply,
  MentionReply,
  ReplyAttempt,
  type ReplyRow,
  replyState,
} from '../records/MentionReply'
import type { ReplyLocation } from '../sources/reply-channel'
import { basisOf } from './basis'
import { isSameText, textFault } from './reply-rules'
import { replyWay } from './replyWay'
import { answerMentions, explainReply, moveReply, unchangedReply } from './settle-reply'

type MentionRow = Row<typeof Mention>

/** What a person asks Renown to send. */
export interface ReplyRequest {
  readonly mention_id: string
  /** The reply. Default: the draft of the mention. */
  readonly text?: string | undefined
  /** The draft that the person saw, or when it was saved; empty for none. 409 if it is another one now. */
  readonly if_draft?: string | undefined
  /** `basisOf` the post that the person saw. Default: that of the row. */
  readonly basis?: string | undefined
  /** The person says that the text tells who writes it, in other words than Renown's sentence. */
  readonly says_who?: boolean | undefined
}

/**
 * Records that a person answers a mention through the account of its location, and queues the reply. It is sent once, even if the
 * process ends right after. Repeating the request while it waits changes nothing.
 */
export async function requestReply(ctx: OwnerContext, asked: ReplyRequest): Promise<ReplyRow> {
  const { mention, location } = await ownMention(ctx, asked.mention_id)
  await ctx.requireActive(mention.workspace_id)
  const text = (asked.text ?? mention.suggested_reply ?? '').trim()
  requireSame(mention, asked)
  const says_who = asked.says_who ?? false
  const way = await replyWay(ctx, mention, location)
  if (way.way !== 'account') throw byHand(way)
  const fault = textFault({ text, says_who, business_name: location.business_name }, way.channel)
  if (fault !== null) throw refusedField(fault.field, fault.message)
  const known = await replyOf(ctx, mention)
  if (known?.state === 'queued' || known?.state === 'sending') {
    if (isSameText(known.text, text)) return known
    throw new Refusal('conflict', 'A reply to this post is being sent. Wait until it is sent, or cancel it.')
  }
  refuseAnswered(mention, known)
  const reply = await queue(ctx, mention, known, {
    text,
    says_who,
    basis: basisOf(mention),
    mention_id: mention.id,
    account_id: way.account.id,
    account_name: way.account.name,
  })
  await send(ctx, reply)
  return reply
}

/** Cancels a reply that is not being sent yet. */
export async function cancelMentionReply(ctx: OwnerContext, mention_id: string): Promise<ReplyRow> {
  const { reply } = await ownReply(ctx, mention_id)
  const cancelled =
    reply.state === 'queued' ? await moveReply(ctx, reply, 'cancelled', { due_at: undefined }) : null
  if (!cancelled)
    throw new Refusal('conflict', `The reply is ${reply.state}. Only a queued reply can be cancelled.`)
  return cancelled
}

/** Records that a reply whose outcome was unknown is in the thread, as a person saw it. */
export async function confirmMentionReply(
  ctx: OwnerContext,
  { mention_id, url }: { readonly mention_id: string; readonly url: string },
): Promise<ReplyRow> {
  const { reply } = await ownReply(ctx, mention_id)
  requireUndecided(reply)
  const address = webAddress(url)
  if (address === undefined) {
    throw refusedField('url', 'url must be the address of the reply. It begins with https:// or http://.')
  }
  await closeAttempts(ctx, reply)
  await answerMentions(ctx, reply, { text: reply.text, url: address, at: ctx.now() })
  const moved = await moveReply(ctx, reply, 'sent', { external_id: address, external_url: address })
  if (!moved) throw changedMeanwhile()
  await explainReply(ctx, moved)
  return moved
}

/** Sends a reply again whose outcome was unknown and that a person did not find in the thread. */
export async function sendReplyAgain(ctx: OwnerContext, mention_id: string): Promise<ReplyRow> {
  const { reply, mention } = await ownReply(ctx, mention_id)
  await ctx.requireActive(reply.workspace_id)
  requireUndecided(reply)
  await closeAttempts(ctx, reply)
  const again = await moveReply(ctx, reply, 'queued', {
    revision: reply.revision + 1,
    basis: basisOf(mention),
    error_count: 0,
    ...requestedNow(ctx),
  })
  if (!again) throw changedMeanwhile()
  await explainReply(ctx, again)
  await send(ctx, again)
  return again
}

/**
 * Records that a person answered a mention by hand, outside Renown. `text` is the draft of the mention if left out. Marking it
 * again changes its text and address.
 */
export async function markAnswered(
  ctx: OwnerContext,
  {
    mention_id,
    text,
    url,
  }: { readonly mention_id: string; readonly text?: string | undefined; readonly url?: string | undefined },
): Promise<MentionRow> {
  const { mention } = await ownMention(ctx, mention_id)
  await ctx.requireActive(mention.workspace_id)
  const address = url === undefined || url === '' ? undefined : webAddress(url)
  if (address === undefined && url) {
    throw refusedField('url', 'url must be the address of your answer. It begins with https:// or http://.')
  }
  const reply = await replyOf(ctx, mention)
  if (reply?.state === 'sending') {
    throw new Refusal('conflict', 'A reply to this post is being sent. Wait until its outcome is known.')
  }
  if (reply?.state === 'queued' && !(await moveReply(ctx, reply, 'cancelled', { due_at: undefined }))) {
    throw changedMeanwhile()
  }
  if (mention.status === 'dismissed') {
    throw new Refusal('conflict', 'The mention is dismissed. Restore it first.')
  }
  await answerMentions(ctx, mention, {
    text: text?.trim() || mention.suggested_reply,
    url: address,
    at: ctx.now(),
  })
  return requireRow(ctx.rows(Mention), 'mention', mention_id)
}

/** Returns the reply of a location to the post of a mention, whichever of its trackers found the post. */
export async function replyOf(
  ctx: Pick<OwnerContext, 'rows'> | Pick<ReadContext, 'rows'>,
  { location_id, source, source_id }: Pick<MentionRow, 'location_id' | 'source' | 'source_id'>,
): Promise<ReplyRow | null> {
  const same = where.and(
    where.eq('location_id', location_id),
    where.eq('source', source),
    where.eq('source_id', source_id),
  )
  const [reply] = await ctx.rows(MentionReply).list({ where: same, limit: 1 })
  return reply ?? null
}

async function ownMention(ctx: OwnerContext, id: string) {
  const mention = await requireRow(ctx.rows(Mention), 'mention', id)
  const location: ReplyLocation = await requireRow(
    ctx.rows(BusinessLocation),
    'location',
    mention.location_id,
  )
  if (location.is_demo) throw new Refusal('conflict', 'The mention is a sample of the demo.')
  return { mention, location }
}

async function ownReply(ctx: OwnerContext, mention_id: string) {
  const { mention } = await ownMention(ctx, mention_id)
  const reply = await replyOf(ctx, mention)
  if (!reply) throw new Refusal('not_found', 'Nobody has sent a reply to this mention through Renown.')
  return { mention, reply }
}

/** Throws if the draft or the post changed since the person saw them. */
function requireSame(mention: MentionRow, { if_draft, basis }: ReplyRequest): void {
  const { suggested_reply, suggested_reply_at } = mention
  const isDraft =
    if_draft === undefined ||
    (if_draft === ''
      ? suggested_reply === undefined
      : [suggested_reply, suggested_reply_at].includes(if_draft))
  if (!isDraft) {
    throw new Refusal('conflict', 'The draft changed since you opened it. Read it again, then send it.', {
      extra: { suggested_reply: suggested_reply ?? '' },
    })
  }
  if (basis !== undefined && basis !== basisOf(mention)) {
    throw new Refusal('conflict', 'The post changed since you opened it. Read it again, then answer it.')
  }
}

function refuseAnswered({ status, replied_at }: MentionRow, known: ReplyRow | null): void {
  if (known?.state === 'sent' || replied_at !== undefined) {
    throw new Refusal('conflict', 'This post was answered already.')
  }
  if (status === 'dismissed') throw new Refusal('conflict', 'The mention is dismissed. Restore it first.')
  if (known && isUndecidedReply(known)) {
    const isHeld = known.failure_kind === 'held_by_platform'
    throw new Refusal(
      'conflict',
      isHeld
        ? 'The platform still holds the last reply back. Say whether it is in the thread, or delete it there and send it again.'
        : 'The outcome of the last reply is unknown. Say whether it is in the thread, or send it again.',
    )
  }
}

const requestedNow = (ctx: OwnerContext) => ({
  requested_at: ctx.now().toISOString(),
  due_at: ctx.now().toISOString(),
  requested_by: ctx.by?.user_id ?? 'command line',
})

type Wanted = Pick<ReplyRow, 'text' | 'says_who' | 'basis' | 'mention_id' | 'account_id' | 'account_name'>

/** Stores the reply. If two people answer at the same time, one of them is refused. */
async function queue(
  ctx: OwnerContext,
  { workspace_id, location_id, source, source_id }: MentionRow,
  known: ReplyRow | null,
  wanted: Wanted,
): Promise<ReplyRow> {
  const fields = { ...wanted, ...requestedNow(ctx), error_count: 0 }
  const rows = ctx.rows(MentionReply)
  const busy = new Refusal('conflict', 'Somebody else is answering this post at the same time.')
  if (known === null) {
    const row = { ...fields, workspace_id, location_id, source, source_id, revision: 1 }
    const stored = await rows.insert({ ...row, state: 'queued' }).catch(nullIfConflict)
    if (!stored) throw busy
    return stored
  }
  await closeAttempts(ctx, known)
  const given = { ...fields, revision: known.revision + 1, error_message: undefined }
  const moved = moveState(replyState, known.state, 'queued', { now: ctx.now(), with: given })
  const stored = await rows.updateWhere(unchangedReply(known), moved as Partial<ReplyRow>)
  if (!stored) throw busy
  return stored
}

const send = (ctx: OwnerContext, { id, workspace_id }: ReplyRow) =>
  ctx.enqueue('send-mention-reply', { workspace_id, key: id, payload: { reply_id: id } })

function requireUndecided(reply: ReplyRow): void {
  if (isUndecidedReply(reply)) return
  throw new Refusal(
    'conflict',
    'Only a reply whose outcome is unknown, or that its platform holds back, needs a decision.',
  )
}

/** Ends the search for the outcome, so that another attempt can begin. */
async function closeAttempts(ctx: OwnerContext, { id, workspace_id }: ReplyRow): Promise<void> {
  const open = where.and(
    where.eq('workspace_id', workspace_id),
    where.eq('reply_id', id),
    where.eq('is_open', true),
  )
  await ctx.rows(ReplyAttempt).updateMany(open, { is_open: false })
}

const byHand = (way: { readonly why: string; readonly url?: string }) =>
  new Refusal('conflict', `Renown cannot send this reply. ${way.why}`, {
    ...(way.url === undefined
      ? {}
      : { hint: `Open ${way.url}, paste the text, then mark the mention as answered.` }),
  })

const changedMeanwhile = () =>
  new Refusal('conflict', 'Somebody else changed the reply at the same time. Look at it again.')
