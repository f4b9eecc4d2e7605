import {
  type ActAudit,
  type ActRecord,
  actCommands,
  defineAct,
  defineCommand,
  field,
  type OwnerContext,
  type Row,
  requireRow,
  where,
} from 'renown'
import * as v from 'valibot'
import { BusinessLocation } from '../records/foreign'
import { Mention } from '../records/Mention'
import { ReplyAttempt, type ReplyRow } from '../records/MentionReply'
import { typedReply } from './draft-acts'
import { replyChoice } from './replyWay'
import {
  cancelMentionReply,
  confirmMentionReply,
  markAnswered,
  replyOf,
  requestReply,
  sendReplyAgain,
} from './requestReply'

const onMention: ActRecord<typeof Mention> = { entity: Mention, field: 'mention_id', called: 'mention' }
/** Samples of the demo are answered by nobody. */
const aboutReply = { on: onMention, refusesDemo: true } as const
const words = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(10_000))
const address = (description: string) =>
  v.pipe(field.text(description), v.trim(), v.maxLength(2_000, 'at most 2000 characters'))

/** Returns the audit entry of an act on the reply to a mention. It names the location and the reply. */
const replyAudit = (
  act: `mention_reply${'' | '_cancel' | '_confirm' | '_again'}`,
  what: string,
): ActAudit<typeof Mention, Record<never, never>> => ({
  action: `location.${act}`,
  what,
  subject: async (ctx, mention) => subjectOf(ctx, mention, (await replyOf(ctx, mention))?.id ?? mention.id),
})

async function subjectOf(
  ctx: OwnerContext,
  { location_id }: Row<typeof Mention>,
  id: string,
): Promise<string> {
  const location = await ctx.rows(BusinessLocation).get(location_id)
  return `${location?.business_name ?? location_id}: ${id}`
}

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

/** Sends a reply. Repeating it while the reply waits changes nothing. */
export const sendMentionReplyAct = defineAct({
  ...aboutReply,
  name: 'mention reply',
  summary: 'Send a reply to a mention through the account of its location',
  fields: {
    text: v.optional(v.pipe(words, v.description('The reply. The draft of the mention if left out'))),
    if_draft: v.optional(
      field.text('The draft that you expect to send, or when it was saved. Refused if it is another one'),
    ),
    says_who: v.optional(
      field.flag('The text says in its own words that its author works for the business'),
      false,
    ),
  },
  forms: { text: typedReply, if_draft: v.optional(v.pipe(v.string(), v.maxLength(2_000)), '') },
  seen: { basis: v.optional(v.string(), '') },
  sure: 'Tick the box to send the reply.',
  label: 'Send reply',
  done: { sending: 'Renown sends the reply now.' },
  undo: 'mention reply cancel',
  audit: replyAudit('mention_reply', 'Reply to a mention sent'),
  async run(ctx, { row, input, seen }) {
    const before = await replyOf(ctx, row)
    const basis = seen?.basis || undefined
    const reply = await requestReply(ctx, { mention_id: row.id, ...input, basis })
    const isKnown = before?.id === reply.id && before.revision === reply.revision
    return { answer: shown(reply), isChanged: !isKnown }
  },
})

const record = defineAct({
  ...aboutReply,
  name: 'mention reply record',
  summary: 'Mark a mention that you answered yourself',
  fields: {
    url: v.optional(address('Address of your answer')),
    text: v.optional(v.pipe(words, v.description('Your answer. The draft of the mention if left out'))),
  },
  label: 'Mark as answered',
  done: { answered: 'Marked as answered.' },
  audit: {
    action: 'location.mention_answered',
    what: 'Mention marked as answered',
    subject: (ctx, mention) => subjectOf(ctx, mention, mention.id),
  },
  async run(ctx, { row, input }) {
    const answered = await markAnswered(ctx, { mention_id: row.id, ...input })
    const { id: mention_id, status, reply_text = null, reply_url = null, replied_at } = answered
    return { answer: { mention_id, status, reply_text, reply_url, replied_at } }
  },
})

const mentionReplyShow = defineCommand({
  name: 'mention reply show',
  summary: 'Show how a mention can be answered, and the attempts to send a reply',
  input: v.strictObject({ mention_id: field.text('Id of the mention') }),
  positional: ['mention_id'],
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

const cancel = defineAct({
  ...aboutReply,
  name: 'mention reply cancel',
  summary: 'Cancel a reply that is not being sent yet',
  label: 'Cancel reply',
  done: { cancelled: 'Reply cancelled. Nothing was sent.' },
  audit: replyAudit('mention_reply_cancel', 'Reply to a mention cancelled'),
  run: async (ctx, { row }) => ({ answer: shown(await cancelMentionReply(ctx, row.id)) }),
})

const confirm = defineAct({
  ...aboutReply,
  name: 'mention reply confirm',
  summary: 'Say that a reply whose outcome is unknown is in the thread',
  fields: { url: address('Address of the reply') },
  forms: { url: v.pipe(v.optional(v.string(), ''), address('Address of the reply')) },
  positional: ['url'],
  label: 'It is there',
  done: { confirmed: 'The reply counts as sent.' },
  audit: replyAudit('mention_reply_confirm', 'Reply to a mention confirmed'),
  run: async (ctx, { row, input: { url } }) => ({
    answer: shown(await confirmMentionReply(ctx, { mention_id: row.id, url })),
  }),
})

const again = defineAct({
  ...aboutReply,
  name: 'mention reply resend',
  summary: 'Send a reply again whose outcome is unknown, after you looked at the thread',
  label: 'Send again',
  done: { sending: 'Renown sends the reply now.' },
  audit: replyAudit('mention_reply_again', 'Reply to a mention sent again'),
  run: async (ctx, { row }) => ({ answer: shown(await sendReplyAgain(ctx, row.id)) }),
})

/** What people do with the reply to a mention, by the name of its form. */
export const replyActs = {
  answered: record,
  'reply-cancel': cancel,
  'reply-confirm': confirm,
  'reply-again': again,
}

/** The commands of replies to mentions. */
export const replyCommands = [
  mentionReplyShow,
  ...actCommands([sendMentionReplyAct, ...Object.values(replyActs)]),
]
