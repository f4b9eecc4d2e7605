import { type ActionContext, type AnyAction, actForm, actsOnPage } from 'renown/pages'
import { replyActs, sendMentionReplyAct } from '../replies/reply-commands'
import { backTo, common, type FormMention } from './form-mention'

/** What a person confirmed when they sent a reply. */
export interface SentForm {
  readonly text: string
  readonly was: string
  readonly basis: string
  readonly says_who?: 'yes' | undefined
  readonly sure?: 'yes' | undefined
}

/** Sends a typed reply through the account of the location. */
export async function sendTyped(
  ctx: ActionContext,
  place: FormMention,
  { was, says_who, ...typed }: SentForm,
) {
  const sent = { ...typed, mention: place.mention, if_draft: was, says_who: says_who === 'yes' }
  const { said = '' } = await sendMentionReplyAct.submit(ctx, sent)
  return backTo(place, { mention: place.mention, done: said })
}

const onPage = actsOnPage({ ...replyActs, send: sendMentionReplyAct })

const staying = (act: (typeof replyActs)[keyof typeof replyActs]) =>
  actForm(act, '', {
    fields: common,
    to: (place: FormMention, done: string) => backTo(place, { mention: place.mention, done }).to,
  })

/** The forms of replies that people sent. */
export const replyActions: Readonly<Record<string, AnyAction>> = {
  answered: staying(replyActs.answered),
  'reply-cancel': staying(replyActs['reply-cancel']),
  'reply-confirm': staying(replyActs['reply-confirm']),
  'reply-again': staying(replyActs['reply-again']),
}

/** The notices of these forms, by their word. */
export const replyNotices: Readonly<Record<string, string>> = onPage.notices
