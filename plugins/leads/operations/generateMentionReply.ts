import { chosenOperation, field, ours } from 'renown'
import { callerGenerator, draftInputs, requireOneWish } from 'renown/sending'
import * as v from 'valibot'
import { channelRule, replyMax } from '../drafts/channel-rules'
import { replyWarnings } from '../drafts/check-reply'
import { lengths } from '../drafts/reply-texts'
import { replyTones, templateGenerator } from '../drafts/write-reply'
import { mentionDraftActs } from '../replies/draft-acts'

/** Drafts a reply and stores it with the mention. Only people can post it. */
export const generateMentionReply = chosenOperation(mentionDraftActs, {
  name: 'generateMentionReply',
  summary:
    'Draft a reply to a mention, or save your own, as its suggested reply. It posts nothing to the platform',
  class: 'draft',
  crossAgency: 'own',
  record: ['mention_id', 'Id of the mention'],
  fields: {
    tone: v.optional(field.oneOf(replyTones, 'Tone of the reply. Default friendly'), 'friendly'),
    length: v.optional(field.oneOf(lengths, 'Length of the reply. Default medium'), 'medium'),
    discloses: v.optional(
      field.flag('Whether the reply says that its author works for the business. Default true'),
      true,
    ),
    ...draftInputs('reply', replyMax, {
      if_unchanged:
        'The draft that you expect to replace, or the instant at which it was saved; empty for none. 409 if it is another',
    }),
  },
  output: v.object({
    mention_id: field.code('The mention'),
    suggested_reply: field.text('The draft, as saved'),
    tone: v.nullable(field.text('Tone of the draft. Null for a template and for your own text')),
    language: field.text('BCP 47 language tag of the draft; und if unknown'),
    generator: field.code(
      `Who wrote it: llm:<model>, ${templateGenerator} where no language model is configured, or ${callerGenerator}`,
    ),
    replaced_previous: field.flag('Whether there was a draft before. take_back restores it'),
    rules: ours(field.texts('Rules of the channel and of the source that apply to a reply')),
    warnings: field.texts('What a person should check before posting it'),
    saved_at: field.instant('When it was saved'),
  }),
  choose(_, __, { tone, length, discloses, ...wish }) {
    requireOneWish(wish)
    const seen = wish.if_unchanged === undefined ? {} : { seen: { if_draft: wish.if_unchanged } }
    if (wish.take_back) return { act: 'restore', input: {}, ...seen }
    if (wish.text !== undefined) return { act: 'save', input: { text: wish.text }, ...seen }
    return { act: 'create', input: { tone, length, discloses }, ...seen }
  },
  answer({ draft, mention, business, channel, saved_at }) {
    const rule = channelRule(mention.source)
    return {
      mention_id: mention.id,
      suggested_reply: draft.text,
      tone: draft.tone,
      language: draft.language,
      generator: draft.generator,
      replaced_previous: mention.suggested_reply !== undefined,
      rules: rule === undefined ? [] : [rule],
      warnings: replyWarnings(draft.text, mention, business, draft.generator, channel),
      saved_at,
    }
  },
})
