import { refusedField } from 'renown'
import { type ActionContext, type AnyAction, defineAction } from 'renown/pages'
import * as v from 'valibot'
import {
  cancelMentionReply,
  confirmMentionReply,
  markAnswered,
  requestReply,
  sendReplyAgain,
} from '../replies/requestReply'
import { backTo, common, type FormMention, mentionOf } from './form-mention'

const url = v.pipe(v.optional(v.string(), ''), v.trim(), v.maxLength(2_000, 'at most 2000 characters'))
/** Samples of the demo are answered by nobody. */
const person = { auth: 'session', refusesDemo: true } as const

/** What a person confirmed when they sent a reply. */
export interface SentForm {
  readonly text: string
  readonly was: string
  readonly basis: string
  readonly says_who?: 'yes' | undefined
  readonly sure?: 'yes' | undefined
}

/** Sends a typed reply through the account of the location. */
export async function sendTyped(ctx: ActionContext, place: FormMention, typed: SentForm) {
  const { id } = await mentionOf(ctx, place.mention)
  if (typed.sure !== 'yes') throw refusedField('sure', 'Tick the box to send the reply.', 'required')
  await requestReply(ctx.owner, {
    mention_id: id,
    text: typed.text,
    if_draft: typed.was,
    says_who: typed.says_who === 'yes',
    ...(typed.basis === '' ? {} : { basis: typed.basis }),
  })
  return backTo(place, { mention: id, done: 'sending' })
}

const button = (done: string, act: (ctx: ActionContext, id: string) => Promise<unknown>) =>
  defineAction({
    ...person,
    input: v.strictObject(common),
    async run(ctx, place) {
      const { id } = await mentionOf(ctx, place.mention)
      await act(ctx, id)
      return backTo(place, { mention: id, done })
    },
  })

const withUrl = (
  done: string,
  act: (ctx: ActionContext, mention_id: string, url: string) => Promise<unknown>,
) =>
  defineAction({
    ...person,
    input: v.strictObject({ ...common, url }),
    async run(ctx, { url: address, ...place }) {
      const { id } = await mentionOf(ctx, place.mention)
      await act(ctx, id, address)
      return backTo(place, { mention: id, done })
    },
  })

/** The forms of replies that people send or sent. They call the same functions as the commands. */
export const replyActions: Readonly<Record<string, AnyAction>> = {
  answered: withUrl('answered', (ctx, mention_id, address) =>
    markAnswered(ctx.owner, { mention_id, url: address }),
  ),
  'reply-cancel': button('cancelled', (ctx, id) => cancelMentionReply(ctx.owner, id)),
  'reply-confirm': withUrl('confirmed', (ctx, mention_id, address) =>
    confirmMentionReply(ctx.owner, { mention_id, url: address }),
  ),
  'reply-again': button('sending', (ctx, id) => sendReplyAgain(ctx.owner, id)),
}

/** The notices of these forms, by action. */
export const replyNotices: Readonly<Record<string, string>> = {
  answered: 'Marked as answered.',
  sending: 'Renown sends the reply now.',
  cancelled: 'Reply cancelled. Nothing was sent.',
  confirmed: 'The reply counts as sent.',
}
