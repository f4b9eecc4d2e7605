import { type AnyAction, actForm, actsOnPage, chosenAct } from 'renown/pages'
import { mentionActs } from '../decisions/mention-commands'
import { mentionDraftActs } from '../replies/draft-acts'
import { replyActs, sendMentionReplyAct } from '../replies/reply-commands'
import { backTo, common, type FormMention } from './form-mention'

/** Goes on to the next mention, with a way back. */
const goingOn = {
  fields: common,
  to: (place: FormMention, done: string) =>
    backTo(place, { mention: place.following, done, undo: place.mention }),
}
const staying = {
  fields: common,
  to: (place: FormMention, done: string) => backTo(place, { mention: place.mention, done }),
}

const drafts = mentionDraftActs

/** The actions of the page of mentions. */
export const mentionActions: Readonly<Record<string, AnyAction>> = {
  save: actForm(mentionActs.save, 'save', goingOn),
  dismiss: actForm(mentionActs.dismiss, 'dismiss', goingOn),
  restore: actForm(mentionActs.restore, 'restore', staying),
  mark: actForm(mentionActs.mark, 'mark', staying),
  write: chosenAct('do', { save: drafts.save, send: sendMentionReplyAct }, 'save', staying),
  generate: actForm(drafts.create, '', staying),
  'take-back': actForm(drafts.restore, '', staying),
  answered: actForm(replyActs.answered, '', staying),
  'reply-cancel': actForm(replyActs['reply-cancel'], '', staying),
  'reply-confirm': actForm(replyActs['reply-confirm'], '', staying),
  'reply-again': actForm(replyActs['reply-again'], '', staying),
}

/** The notices of the page, by their word. */
export const mentionNotices: Readonly<Record<string, string>> = {
  ...actsOnPage(mentionActs).notices,
  ...actsOnPage(drafts).notices,
  ...actsOnPage({ ...replyActs, send: sendMentionReplyAct }).notices,
}
