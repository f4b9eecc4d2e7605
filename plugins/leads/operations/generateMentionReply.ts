import { defineOperation, field, Refusal, type Row, type WriteContext, where } from 'renown'
import * as v from 'valibot'
import { channelRule } from '../drafts/channel-rules'
import { replyMax, replyWarnings } from '../drafts/check-reply'
import { lengths } from '../drafts/reply-texts'
import { replyTones, templateGenerator, writeReply } from '../drafts/write-reply'
import { BusinessLocation } from '../records/foreign'
import { Mention } from '../records/Mention'

/** Who wrote a draft that the caller sent. */
const callerGenerator = 'caller'

const input = v.strictObject({
  mention_id: field.text('Mention to answer'),
  tone: v.optional(field.oneOf(replyTones, 'Tone of the reply. Default friendly'), 'friendly'),
  length: v.optional(field.oneOf(lengths, 'Length of the reply. Default medium'), 'medium'),
  discloses: v.optional(
    field.flag('Whether the reply says that its author works for the business. Default true'),
    true,
  ),
  text: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.minLength(1),
      v.maxLength(replyMax),
      v.description('Your own reply. It is saved unchanged instead of generating one'),
    ),
  ),
  if_unchanged: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(replyMax),
      v.description(
        'The draft that you expect to replace, or the instant at which it was saved; empty for none. 409 if it is another',
      ),
    ),
  ),
  take_back: v.optional(
    field.flag('Restores the draft that the last one replaced. Send it without text'),
    false,
  ),
})

/** Drafts a reply and stores it with the mention. Only people can post it. */
export const generateMentionReply = defineOperation({
  name: 'generateMentionReply',
  summary:
    'Draft a reply to a mention, or save your own, as its suggested reply. It posts nothing to the platform',
  class: 'draft',
  crossAgency: 'own',
  input,
  output: v.object({
    mention_id: field.text('The mention'),
    suggested_reply: field.text('The draft, as saved'),
    tone: v.nullable(field.text('Tone of the draft. Null for a template and for your own text')),
    language: field.text('BCP 47 language tag of the draft; und if unknown'),
    generator: field.text(
      `Who wrote it: llm:<model>, ${templateGenerator} where no language model is configured, or ${callerGenerator}`,
    ),
    replaced_previous: field.flag('Whether there was a draft before. take_back restores it'),
    rules: field.texts('Rules of the channel and of the source that apply to a reply'),
    warnings: field.texts('What a person should check before posting it'),
    saved_at: field.instant('When it was saved'),
  }),
  async run(ctx, given) {
    const mention = await ctx.rows(Mention).get(given.mention_id)
    if (!mention) throw new Refusal('not_found', 'There is no such mention in this workspace.')
    if (mention.removal_rule !== undefined) {
      throw new Refusal('conflict', 'The text of this mention was removed, so it cannot be answered.')
    }
    requireUnchanged(mention, given.if_unchanged)
    const location = await ctx.rows(BusinessLocation).get(mention.location_id)
    const business = location ?? { business_name: '' }
    const draft = await draftOf(ctx, given, mention, business)
    const saved_at = ctx.now().toISOString()
    await save(ctx, mention, draft, saved_at)
    const rule = channelRule(mention.source)
    return {
      ...{ mention_id: mention.id, suggested_reply: draft.text, tone: draft.tone, language: draft.language },
      ...{ generator: draft.generator, replaced_previous: mention.suggested_reply !== undefined },
      rules: rule === undefined ? [] : [rule],
      warnings: replyWarnings(draft.text, mention, business, draft.generator),
      saved_at,
    }
  },
})

interface Draft {
  readonly text: string
  readonly tone: string | null
  readonly language: string
  readonly generator: string
}

async function draftOf(
  ctx: WriteContext,
  { text, tone, length, discloses, take_back }: v.InferOutput<typeof input>,
  mention: Row<typeof Mention>,
  business: Parameters<typeof writeReply>[2],
): Promise<Draft> {
  if (text !== undefined && take_back) {
    const message = 'Send either text or take_back.'
    throw new Refusal('invalid_field', message, {
      errors: [{ pointer: '/take_back', code: 'invalid', message }],
    })
  }
  if (text !== undefined) return { text, tone: null, language: 'und', generator: callerGenerator }
  if (!take_back) return writeReply(ctx.model, mention, business, { tone, length, discloses })
  const before = mention.previous_reply
  if (!before) throw new Refusal('conflict', 'No draft was replaced, so there is none to take back.')
  return {
    ...{ text: before.text, tone: before.tone ?? null, language: 'und' },
    generator: before.by ?? callerGenerator,
  }
}

/** Throws a `conflict` Refusal with the present draft if it is not the one that the caller expects. */
function requireUnchanged(
  { suggested_reply, suggested_reply_at }: Row<typeof Mention>,
  expected: string | undefined,
): void {
  if (expected === undefined) return
  const isSame =
    expected === '' ? suggested_reply === undefined : [suggested_reply, suggested_reply_at].includes(expected)
  if (isSame) return
  throw changed(suggested_reply)
}

const changed = (suggested_reply: string | undefined) =>
  new Refusal('conflict', 'The draft is not the one that you expected to replace. Read it first.', {
    extra: { suggested_reply: suggested_reply ?? '' },
  })

/** Saves a draft and keeps the one that it replaces. Throws if somebody saved another at the same time. */
async function save(
  ctx: WriteContext,
  mention: Row<typeof Mention>,
  draft: Draft,
  at: string,
): Promise<void> {
  const { suggested_reply, suggested_reply_tone, suggested_reply_at, suggested_reply_by } = mention
  const isAsRead = where.eq('suggested_reply_at', suggested_reply_at ?? null)
  const saved = await ctx.rows(Mention).update(
    mention.id,
    {
      ...{ suggested_reply: draft.text, suggested_reply_tone: draft.tone ?? undefined },
      ...{ suggested_reply_at: at, suggested_reply_by: draft.generator },
      ...(suggested_reply === undefined
        ? {}
        : {
            previous_reply: {
              text: suggested_reply,
              ...(suggested_reply_tone === undefined ? {} : { tone: suggested_reply_tone }),
              ...(suggested_reply_by === undefined ? {} : { by: suggested_reply_by }),
              ...(suggested_reply_at === undefined ? {} : { at: suggested_reply_at }),
            },
          }),
    },
    isAsRead,
  )
  if (!saved) throw changed((await ctx.rows(Mention).get(mention.id))?.suggested_reply)
}
