import { defineOperation, field, Refusal, refusedField, type WriteContext, where } from 'renown'
import { callerGenerator, draftInputs, faultText } from 'renown/sending'
import * as v from 'valibot'
import { draftWarnings } from '../analysis/flagSensitive'
import { reviewSource } from '../contract'
import { tones } from '../records/AutoResponseRules'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { replyBytesDefault } from '../reply/personText'
import { judgeReply } from '../writing/judgeReply'
import { replyLanguage } from '../writing/reply-language'
import { draftMax, reviewDraft, wishedReply } from '../writing/wishedReply'
import { draftFaults, templateGenerator } from '../writing/writeReply'

/** Drafts a reply and stores it with the review. Only people can send it. */
export const generateReviewReply = defineOperation({
  name: 'generateReviewReply',
  summary: 'Draft a reply to a review, or save your own, as its suggestion. It sends nothing to the platform',
  class: 'draft',
  crossAgency: 'own',
  input: v.strictObject({
    review_id: field.text('Id of the review'),
    tone: v.optional(field.oneOf(tones, 'Tone of the reply. Default friendly'), 'friendly'),
    ...draftInputs('reply', draftMax),
  }),
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
  async run(ctx, { review_id, ...wish }) {
    const rows = ctx.rows(Review)
    const review = await rows.get(review_id)
    if (!review) throw new Refusal('not_found', 'There is no such review in this workspace.')
    refuseTooLong(ctx, review.source, wish.text)
    const location = await ctx.rows(ReviewedLocation).get(review.location_id)
    const business = location ?? { business_name: '' }
    const { text, generator, tone: sounds } = await wishedReply(ctx.model, review, business, wish)
    const before = review.ai_suggested_response
    // A person may have written another draft while the model wrote this one.
    const isAsRead = where.eq('ai_suggested_response', before ?? null)
    const changes = { ai_suggested_response: text, previous_draft: before ?? null }
    await reviewDraft.replace(rows, review_id, changes, isAsRead)
    const verdict = await judgeReply(text, review, business)
    const faults = draftFaults(text, review, business, (await replyLanguage(review, business)) ?? undefined)
    return {
      review_id,
      suggested_response: text,
      tone: sounds,
      generator,
      replaced_previous: before !== undefined,
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
      saved_at: ctx.now().toISOString(),
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
