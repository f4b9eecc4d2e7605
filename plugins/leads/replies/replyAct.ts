import {
  faultInfo,
  hourMs,
  isPassing,
  isServiceFault,
  minuteMs,
  type OwnerContext,
  ServiceFault,
  usesAttempt,
  where,
} from 'renown'
import {
  type ActFailure,
  attemptKey,
  beginAttempt,
  type CallRoute,
  newAttempt,
  type OnceAct,
  type OpenCall,
} from 'renown/sending'
import { BusinessLocation } from '../records/foreign'
import { Mention } from '../records/Mention'
import {
  MentionReply,
  ReplyAttempt,
  type ReplyAttemptRow,
  type ReplyRow,
  replyOutcome,
} from '../records/MentionReply'
import type { OpenThread, OutgoingReply, ReplyChannel } from '../sources/reply-channel'
import { basisOf } from './basis'
import { textFault } from './reply-rules'
import { answeredPost, channelOf, replyWay } from './replyWay'
import { answerOfSameAccount, inTurnOfAccount } from './same-account'
import { doubtReply, failReply, heldReply, moveReply, sentReply, stepReplyLater } from './settle-reply'

/** A reply that is later than this is not sent: the thread has moved on, and the person believes that it was sent. */
const lateMs = hourMs
/** The clocks of platforms differ. */
const clockMs = 5 * minuteMs
/** How long a reply waits before it looks again whether the account is still in doubt. */
const doubtMs = 2 * minuteMs
/** A reply that the account wrote before is an answer too. */
const earlierMs = 30 * 24 * hourMs

const outgoing = ({ id, revision, requested_at, text }: ReplyRow, language: string): OutgoingReply => ({
  id,
  revision,
  planned_at: requested_at,
  text,
  language,
})

/** Returns a reply as something that is sent at most once. */
export function replyAct(ctx: OwnerContext, reply: ReplyRow): OnceAct<ReplyAttemptRow> {
  const ofReply = where.and(where.eq('workspace_id', reply.workspace_id), where.eq('reply_id', reply.id))
  const rows = ctx.rows(ReplyAttempt)
  return {
    rows,
    states: replyOutcome,
    now: () => ctx.now(),
    own: where.and(ofReply, where.eq('revision', reply.revision)),
    judge: () => judgeReply(ctx, reply),
    route: () => routeOf(ctx, reply),
    begin() {
      const { id, workspace_id, location_id, revision } = reply
      const keyOf = channelOf(ctx, reply)?.keyOf ?? attemptKey
      const key = keyOf(outgoing(reply, 'und'))
      const earlier = where.and(ofReply, where.lt('revision', revision))
      return inTurnOfAccount(ctx, reply, async () => {
        // Several locations can be bound to one account. While another one calls, this reply waits.
        if ((await answerOfSameAccount(ctx, reply)) !== null) return null
        return beginAttempt(rows, earlier, () =>
          rows.insert({ ...newAttempt(key, ctx.now()), workspace_id, location_id, reply_id: id, revision }),
        )
      })
    },
    paceMs: async () => ((await isInDoubt(ctx, reply)) ? doubtMs : 0),
    later: (waitMs) => stepReplyLater(ctx, reply, waitMs),
    accepted: (row) => sentReply(ctx, reply, row),
    held: (row) => heldReply(ctx, reply, row),
    doubt: (why) => doubtReply(ctx, reply, why),
    isInDoubt: () => isInDoubt(ctx, reply),
    failed: (failure) => failReply(ctx, reply, failure),
    refused: (error) => afterFault(ctx, reply, error),
  }
}

/** Returns the route of a reply, or why it must not be sent now. Reads everything again. */
async function judgeReply(
  ctx: OwnerContext,
  { id, revision }: ReplyRow,
): Promise<CallRoute<ReplyAttemptRow> | ActFailure> {
  const reply = await ctx.rows(MentionReply).get(id)
  if (reply?.state !== 'sending' || reply.revision !== revision) {
    return notAllowed('The reply was changed in the meantime.')
  }
  const mention = await ctx.rows(Mention).get(reply.mention_id)
  const location = await ctx.rows(BusinessLocation).get(reply.location_id)
  if (!mention || !location) return notAllowed('The mention or its location no longer exists.')
  if (location.is_prospect || !location.is_active) return notAllowed('The location is paused.')
  if (mention.replied_at !== undefined) return notAllowed('Somebody answered the mention in the meantime.')
  if (mention.status === 'dismissed') return notAllowed('Somebody dismissed the mention in the meantime.')
  if (basisOf(mention) !== reply.basis) {
    return notAllowed('The post changed after you wrote the reply. Read it again, then send the reply again.')
  }
  const lateBy = ctx.now().getTime() - Date.parse(reply.requested_at)
  if (lateBy > lateMs) return lateness(reply)
  const way = await replyWay(ctx, mention, location, { evenInDoubt: true })
  if (way.way !== 'account') return notAllowed(way.why)
  if (way.account.id !== reply.account_id) {
    return notAllowed(
      'The location is bound to another account now. Send the reply again if that account should answer.',
    )
  }
  if ((await answerOfSameAccount(ctx, reply)) === 'answered') {
    return notAllowed('Another location has answered the post through the same account.')
  }
  const fault = textFault({ ...reply, business_name: location.business_name }, way.channel)
  if (fault !== null) return notAllowed(fault.message)
  return callRoute(reply, mention.language, way.channel, {
    async open() {
      const thread = await way.channel.open(ctx, location, answeredPost(mention))
      await requireUnanswered(ctx, thread, way.channel)
      return thread
    },
  })
}

const notAllowed = (message: string): ActFailure => ({ kind: 'not_allowed', message })

const lateness = ({ error_message }: ReplyRow): ActFailure =>
  error_message === undefined
    ? { kind: 'missed', message: 'Renown could not send the reply within an hour, so it did not send it.' }
    : { kind: 'rejected', message: `It did not work for an hour. The last answer: ${error_message}` }

/** Returns the way to the thread for a look, whatever has changed since the call. */
async function routeOf(
  ctx: OwnerContext,
  reply: ReplyRow,
): Promise<CallRoute<ReplyAttemptRow> | { readonly why: string }> {
  const mention = await ctx.rows(Mention).get(reply.mention_id)
  const location = await ctx.rows(BusinessLocation).get(reply.location_id)
  if (!mention || !location) return { why: 'The mention or its location no longer exists.' }
  const channel = channelOf(ctx, reply)
  if (!channel) return { why: `No loaded plugin sends replies to ${reply.source}.` }
  const account = await channel.accountOf(ctx, location)
  if ('why' in account) return account
  if (account.id !== reply.account_id) return { why: 'The location is bound to another account now.' }
  const post = answeredPost(mention)
  return callRoute(reply, mention.language, channel, { open: () => channel.open(ctx, location, post) })
}

/** Throws if the platform no longer has the post, or the account has answered it already. */
async function requireUnanswered(
  ctx: OwnerContext,
  thread: OpenThread,
  { label }: ReplyChannel,
): Promise<void> {
  const found = await thread.look(new Date(ctx.now().getTime() - earlierMs))
  if (found.isGone) throw refused(`${label} no longer shows the post, or accepts no replies to it.`)
  if (found.own.length > 0) throw refused('The account has answered this post already.')
}

const refused = (message: string) => new ServiceFault('permanent', message, { delivery: 'unsent' })

const callRoute = (
  reply: ReplyRow,
  language: string,
  { proof, label }: ReplyChannel,
  { open }: { open(): Promise<OpenThread> },
): CallRoute<ReplyAttemptRow> => ({
  rule: proof,
  expects: async ({ started_at }) => ({ text: reply.text, since: started_at }),
  async open(): Promise<OpenCall<ReplyAttemptRow>> {
    const thread = await open()
    return {
      keys: thread.keys,
      create: (row) => thread.send(outgoing(reply, language), row),
      ...(thread.read === undefined
        ? {}
        : { read: (_: ReplyAttemptRow, id: string) => thread.read?.(id) ?? Promise.resolve(null) }),
      async look(row) {
        if (thread.find) {
          const found = await thread.find(row)
          return { shown: found ? [found] : [], isWhole: true }
        }
        const found = await thread.look(new Date(Date.parse(row.started_at) - clockMs))
        if (found.isGone) throw new ServiceFault('permanent', `${label} no longer shows the post.`)
        const shown = found.own.map((one) => ({ ...one, evidence: 'the replies of the account' }))
        return { shown, isWhole: found.isPart !== true }
      },
    }
  },
})

/** Whether the account of a reply is in doubt, so that it waits. */
async function isInDoubt(ctx: OwnerContext, reply: ReplyRow): Promise<boolean> {
  const location = await ctx.rows(BusinessLocation).get(reply.location_id)
  const account = location && (await channelOf(ctx, reply)?.accountOf(ctx, location))
  return account != null && 'id' in account && account.in_doubt !== undefined
}

const backoffMs = { first: 20_000, most: 10 * minuteMs }

/** Continues after a fault that proves that nothing was sent. One that may pass is retried until the reply is an hour late. */
async function afterFault(ctx: OwnerContext, reply: ReplyRow, error: unknown): Promise<void> {
  const info = faultInfo(error)
  if (!isPassing(info)) return failReply(ctx, reply, { kind: 'rejected', message: info.message })
  const tries = reply.error_count ?? 0
  const askedMs = (isServiceFault(error) ? error.retryAfterMs : 0) ?? 0
  const isFailed = usesAttempt(error)
  // A limit does not count as a failed attempt, so the pause does not grow. It is never shorter than a minute.
  const ownMs = isFailed ? Math.min(backoffMs.most, backoffMs.first * 2 ** Math.min(tries, 10)) : minuteMs
  // It waits as a queued reply, so that the person can still cancel it.
  await moveReply(ctx, reply, 'queued', {
    error_message: info.message.slice(0, 500),
    error_count: tries + (isFailed ? 1 : 0),
    due_at: new Date(ctx.now().getTime() + Math.max(askedMs, ownMs)).toISOString(),
  })
}
