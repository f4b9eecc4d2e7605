import { chosenOperation, field, refusedField, type WriteContext } from 'renown'
import { callerGenerator, draftInputs, faultText } from 'renown/sending'
import * as v from 'valibot'
import { reviewDraftActs } from '../acts/draft-acts'
import { draftWarnings } from '../analysis/flagSensitive'
import { reviewSource } from '../contract'
import { tones } from '../records/AutoResponseRules'
import { replyBytesDefault } from '../reply/personText'
import { judgeReply } from '../writing/judgeReply'
import { replyLanguage } from '../writing/reply-language'
import { draftMax, reviewDraft } from '../writing/review-draft'
import { draftFaults, templateGenerator } from '../writing/writeReply'

/** Drafts a reply and stores it with the review. Only people can send it. */
export const generateReviewReply = chosenOperation(reviewDraftActs, {
  name: 'generateReviewReply',
  summary: 'Draft a reply to a review, or save your own, as its suggestion. It sends nothing to the platform',
  class: 'draft',
  crossAgency: 'own',
  record: ['review_id', 'Id of the review'],
  fields: {
    tone: v.optional(field.oneOf(tones, 'Tone of the reply. Default friendly'), 'friendly'),
    ...draftInputs('reply', draftMax),
  },
  output: v.object({
    review_id: field.code('The review'),
    suggested_response: field.text('The draft, as saved in ai_suggested_response'),
    tone: v.nullable(field.oneOf(tones, 'Tone of the draft. Null for a template and for your own text')),
    generator: field.code(
      `Who wrote it: llm:<model>, ${templateGenerator} where no language model is configured, or ${callerGenerator}`,
    ),
    replaced_previous: field.flag('Whether there was a draft before. take_back restores it'),
    warnings: field.texts('What a person should check before sending it'),
    saved_at: field.instant('When it was saved'),
  }),
  choose(ctx, review, { tone, ...wish }) {
    refuseTooLong(ctx, review.source, wish.text)
    const own = reviewDraft.own(review, wish)
    return own ? { act: 'save', input: { text: own.text } } : { act: 'create', input: { tone } }
  },
  async answer({ draft: { text, generator, tone }, business, saved_at }, review) {
    const verdict = await judgeReply(text, review, business)
    const faults = draftFaults(text, review, business, (await replyLanguage(review, business)) ?? undefined)
    return {
      review_id: review.id,
      suggested_response: text,
      tone,
      generator,
      replaced_previous: review.ai_suggested_response !== undefined,
      warnings: [
        ...draftWarnings(review),
        ...(faults.length > 0 || verdict.isSendable
          ? faults.map(faultText)
          : [`Check this before you send it: ${verdict.why}.`]),
        ...(review.reply_text === undefined ? [] : ['The review already has a reply.']),
        ...(typeof review.removed_at_source_at === 'string'
          ? ['The platform no longer shows the review.']
          : []),
      ],
      saved_at,
    }
  },
})

/** Throws if the platform of a review cannot take the caller's own text. */
function refuseTooLong(ctx: Pick<WriteContext, 'extensions'>, platform: string, text = ''): void {
  const source = ctx.extensions(reviewSource).find((one) => one.source === platform)
  const bytesMax = source?.replies?.bytesMax ?? replyBytesDefault
  const bytes = Buffer.byteLength(text)
  if (bytes <= bytesMax) return
  const label = source?.label ?? 'the platform'
  throw refusedField(
    'text',
    `The reply is too long: it has ${bytes} bytes, and ${label} takes at most ${bytesMax}.`,
  )
}
