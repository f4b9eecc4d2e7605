import { defineCommand, field, type OwnerContext, requireRow, where } from 'renown'
import * as v from 'valibot'
import { BusinessLocation } from '../records/foreign'
import { Mention } from '../records/Mention'
import { ReplyAttempt, type ReplyRow } from '../records/MentionReply'
import { replyChoice } from './replyWay'
import {
  cancelMentionReply,
  confirmMentionReply,
  markAnswered,
  replyOf,
  requestReply,
  sendReplyAgain,
} from './requestReply'

const mention_id = field.text('Id of the mention')
const positional = ['mention_id'] as const
const words = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(10_000))

const shown = (reply: ReplyRow) => ({
  mention_id: reply.mention_id,
  state: reply.state,
  account: reply.account_name ?? reply.account_id,
  text: reply.text,
  url: reply.external_url ?? null,
  sent_at: reply.sent_at ?? null,
  error_message: reply.error_message ?? null,
  failure_kind: reply.failure_kind ?? null,
  platform_state: reply.platform_state ?? null,
  duplicate_urls: reply.duplicate_urls ?? [],
})

const mentionReply = defineCommand({
  name: 'mention reply',
  summary: 'Send a reply to a mention through the account of its location',
  input: v.strictObject({
    mention_id,
    text: v.optional(v.pipe(words, v.description('The reply. The draft of the mention if left out'))),
    if_draft: v.optional(
      field.text('The draft that you expect to send, or when it was saved. Refused if it is another one'),
    ),
    says_who: v.optional(
      field.flag('The text says in its own words that its author works for the business'),
      false,
    ),
  }),
  positional,
  run: async (ctx, given) => shown(await requestReply(ctx, given)),
})

const mentionAnswered = defineCommand({
  name: 'mention reply record',
  summary: 'Mark a mention that you answered yourself',
  input: v.strictObject({
    mention_id,
    url: v.optional(field.text('Address of your answer')),
    text: v.optional(v.pipe(words, v.description('Your answer. The draft of the mention if left out'))),
  }),
  positional,
  async run(ctx, given) {
    const { id, status, reply_text, reply_url, replied_at } = await markAnswered(ctx, given)
    return {
      mention_id: id,
      status,
      reply_text: reply_text ?? null,
      reply_url: reply_url ?? null,
      replied_at,
    }
  },
})

const mentionReplyShow = defineCommand({
  name: 'mention reply show',
  summary: 'Show how a mention can be answered, and the attempts to send a reply',
  input: v.strictObject({ mention_id }),
  positional,
  async run(ctx, { mention_id: id }) {
    const mention = await requireRow(ctx.rows(Mention), 'mention', id)
    const location = await requireRow(ctx.rows(BusinessLocation), 'location', mention.location_id)
    const reply = await replyOf(ctx, mention)
    return {
      mention_id: id,
      ...(await replyChoice(ctx, mention, location)),
      reply: reply && { ...shown(reply), attempts: await attemptsOf(ctx, reply) },
    }
  },
})

async function attemptsOf(ctx: OwnerContext, { id }: ReplyRow) {
  const rows = await ctx.rows(ReplyAttempt).list({ where: where.eq('reply_id', id), limit: 100 })
  return rows.map(({ started_at, outcome, calls, looks, evidence, external_id }) => ({
    started_at,
    outcome,
    calls,
    looks,
    evidence: evidence ?? null,
    external_id: external_id ?? null,
  }))
}

const mentionReplyCancel = defineCommand({
  name: 'mention reply cancel',
  summary: 'Cancel a reply that is not being sent yet',
  input: v.strictObject({ mention_id }),
  positional,
  run: async (ctx, given) => shown(await cancelMentionReply(ctx, given.mention_id)),
})

const mentionReplyConfirm = defineCommand({
  name: 'mention reply confirm',
  summary: 'Say that a reply whose outcome is unknown is in the thread',
  input: v.strictObject({ mention_id, url: field.text('Address of the reply') }),
  positional: ['mention_id', 'url'],
  run: async (ctx, given) => shown(await confirmMentionReply(ctx, given)),
})

const mentionReplyAgain = defineCommand({
  name: 'mention reply resend',
  summary: 'Send a reply again whose outcome is unknown, after you looked at the thread',
  input: v.strictObject({ mention_id }),
  positional,
  run: async (ctx, given) => shown(await sendReplyAgain(ctx, given.mention_id)),
})

/** The commands of replies to mentions. */
export const replyCommands = [
  mentionReply,
  mentionAnswered,
  mentionReplyShow,
  mentionReplyCancel,
  mentionReplyConfirm,
  mentionReplyAgain,
]
