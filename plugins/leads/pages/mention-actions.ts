import { where } from 'renown'
import { type ActionContext, type AnyAction, actForm, actsOnPage, defineAction } from 'renown/pages'
import * as v from 'valibot'
import { mentionActs } from '../decisions/mention-commands'
import { replyMax } from '../drafts/channel-rules'
import { draftReply, type MentionDraftWish, type ReplyDesk } from '../drafts/draft-reply'
import { lengths } from '../drafts/reply-texts'
import { replyTones } from '../drafts/write-reply'
import { BusinessLocation } from '../records/foreign'
import { Mention } from '../records/Mention'
import { channelOf } from '../replies/replyWay'
import { replyTerms } from '../sources/mention-policy'
import { cleanText } from '../sources/plain-text'
import { backTo, common, type FormMention, hiddenText } from './form-mention'
import { replyActions, replyNotices, sendTyped } from './reply-actions'

/** Goes on to the next mention, with a way back. */
const goingOn = {
  fields: common,
  to: (place: FormMention, done: string) =>
    backTo(place, { mention: place.following, done, undo: place.mention }).to,
}
const staying = {
  fields: common,
  to: (place: FormMention, done: string) => backTo(place, { mention: place.mention, done }).to,
}

/** The rows of the person's workspace, for the same function as the operation. */
const deskOf = (ctx: ActionContext): ReplyDesk => ({
  model: ctx.owner.outbound.model,
  now: () => ctx.now(),
  terms: (mention) => replyTerms(ctx.system, mention),
  sender: (mention) => channelOf(ctx.system, mention),
  mentions: {
    get: (id) => ctx.rows(Mention).get(id),
    update: (id, changes, onlyIf) =>
      ctx.owner
        .rows(Mention)
        .updateWhere(
          where.and(where.eq('id', id), where.eq('workspace_id', ctx.workspace.id), onlyIf),
          changes,
        ),
  },
  location: (id) => ctx.rows(BusinessLocation).get(id),
})

const plain = { tone: 'friendly', length: 'medium', discloses: true, take_back: false } as const

async function drafted(
  ctx: ActionContext,
  place: FormMention,
  wish: Partial<MentionDraftWish>,
  done: string,
) {
  const { draft } = await draftReply(deskOf(ctx), { ...plain, ...wish, mention_id: place.mention })
  const isTemplate = done === 'drafted' && draft.tone === null
  return backTo(place, { mention: place.mention, done: isTemplate ? 'template' : done })
}

const write = defineAction({
  auth: 'session',
  input: v.strictObject({
    ...common,
    was: hiddenText,
    basis: hiddenText,
    do: v.optional(v.picklist(['save', 'send']), 'save'),
    says_who: v.optional(v.literal('yes')),
    sure: v.optional(v.literal('yes')),
    text: v.pipe(
      v.string(),
      v.transform((typed) => cleanText(typed, 10 * replyMax)),
      v.minLength(1, 'Write the reply first.'),
      v.maxLength(replyMax, `Use at most ${replyMax} characters.`),
    ),
  }),
  run: (ctx, { was, text: words, do: wanted, basis, says_who, sure, ...place }) =>
    wanted === 'send'
      ? sendTyped(ctx, place, { text: words, was, basis, says_who, sure })
      : drafted(ctx, place, { text: words, if_unchanged: was }, 'written'),
})

const generate = defineAction({
  auth: 'session',
  input: v.strictObject({
    ...common,
    was: hiddenText,
    tone: v.picklist(replyTones),
    length: v.picklist(lengths),
    discloses: v.optional(v.literal('yes')),
  }),
  async run(ctx, { was, tone, length, discloses, ...place }) {
    await ctx.owner.requireActive(ctx.workspace.id)
    const wish = { tone, length, discloses: discloses === 'yes', if_unchanged: was }
    return drafted(ctx, place, wish, 'drafted')
  },
})

const takeBack = defineAction({
  auth: 'session',
  input: v.strictObject({ ...common, was: hiddenText }),
  run: (ctx, { was, ...place }) => drafted(ctx, place, { take_back: true, if_unchanged: was }, 'taken'),
})

/** The actions of the page of mentions. */
export const mentionActions: Readonly<Record<string, AnyAction>> = {
  save: actForm(mentionActs.save, 'save', goingOn),
  dismiss: actForm(mentionActs.dismiss, 'dismiss', goingOn),
  restore: actForm(mentionActs.restore, 'restore', staying),
  mark: actForm(mentionActs.mark, 'mark', staying),
  write,
  generate,
  'take-back': takeBack,
  ...replyActions,
}

/** The notices of the page, by action. */
export const mentionNotices: Readonly<Record<string, string>> = {
  ...actsOnPage(mentionActs).notices,
  written: 'Draft saved.',
  drafted: 'New draft written.',
  template: 'New draft from a template. Set up a language model for individual drafts.',
  taken: 'The earlier draft is back.',
  ...replyNotices,
}
