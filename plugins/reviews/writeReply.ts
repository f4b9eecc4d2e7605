import { effectiveProfile, type Model, type OwnerContext, type Row, ServiceFault } from 'renown'
import * as v from 'valibot'
import type { tones } from './AutoResponseRules'
import type { ReviewedLocation } from './ReviewedLocation'
import { rulesOf } from './readReviews'
import type { ReviewRow } from './reconcile'
import { replyTexts } from './reply-texts'
import { originalOf } from './translation'

/** The generator that templates are told by. */
export const templateGenerator = 'template:v1'
const bytesMax = 4_096
const nameMax = 60

/** A business as far as a reply may speak of it. */
export type ReplyingBusiness = Pick<
  Row<typeof ReviewedLocation>,
  'business_name' | 'business_category' | 'phone' | 'website' | 'enrichment' | 'enrichment_overrides'
>

/** What a reply is written to. */
export type RepliedTo = Pick<
  ReviewRow,
  'id' | 'workspace_id' | 'reviewer_name' | 'star_rating' | 'review_text' | 'review_language' | 'sentiment'
>

/** The reply of the automatic worker. Throws a `permanent` ServiceFault where nothing may write it. */
export async function writeReply(
  ctx: OwnerContext,
  review: RepliedTo,
  business: ReplyingBusiness,
): Promise<string> {
  const rules = await rulesOf(ctx, review.workspace_id)
  const { model } = ctx.outbound
  if (model.isConfigured) {
    const text = await modelReply(model, review, business, rules?.tone ?? 'friendly')
    const fault = unfit(text, business)
    if (fault === null) return text
    throw new ServiceFault('permanent', `The reply that was written cannot be sent: ${fault}`, {
      code: 'unfit_reply',
    })
  }
  if (rules?.allow_templates) return templateReply(review, business)
  throw new ServiceFault('permanent', 'No text generator is configured, and the rules allow no templates')
}

const answer = v.strictObject({ reply: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(2_000)) })

/** A reply by the language model, which may not fit: `unfit` says. */
export async function modelReply(
  model: Model,
  review: RepliedTo,
  business: ReplyingBusiness,
  tone: (typeof tones)[number],
): Promise<string> {
  const { about, services } = effectiveProfile(business)
  const { reply } = await model.ask({
    name: 'review_reply',
    workspace_id: review.workspace_id,
    instructions:
      `Write the public reply of a business to a customer's review, in the language of the review, in a ${tone} tone, ` +
      'in at most 80 words. Thank the customer, take up what the review says, and where it complains, say sorry and ask ' +
      'to be contacted directly. Promise nothing: no refund, no discount, no compensation, no legal statement. Name no ' +
      'link, no address of e-mail, no telephone number and no other business. What the business is and offers is there so ' +
      'that you understand the review: offer and promise none of it. Do not say who or what wrote the reply.',
    data: {
      business: { name: business.business_name, category: business.business_category, about, services },
      review: {
        stars: review.star_rating,
        text: originalOf(review.review_text),
        language: review.review_language,
        name: firstName(review.reviewer_name),
      },
    },
    answer,
  })
  return reply
}

const contacts =
  /https?:\/\/|www\.|\b[\w-]+\.(?:com|net|org|io|de|fr|es|it|nl|uk)\b|[\w.+-]+@[\w-]+\.|\+?\d[\d ()/-]{6,}\d/i
const promises =
  /\b(?:refund|reimburse|compensat|voucher|discount|free of charge|lawsuit|liab|attorney|erstatt|gutschein|rembours|reembols|rimbors)/i
const selfTalk = /\b(?:as an ai|language model|chatgpt|i am an ai|ki-modell|en tant qu.ia)\b/i

/** Why a text must not be sent in a business's name; null where it may. */
export function unfit(text: string, { phone = '', website = '' }: ReplyingBusiness): string | null {
  if (text.trim() === '') return 'it is empty'
  if (Buffer.byteLength(text) > bytesMax) return `it is longer than ${bytesMax} bytes`
  const own = [phone, website, website.replace(/^https?:\/\//, '')].filter((known) => known !== '')
  const stranger = own.reduce((rest, known) => rest.replaceAll(known, ''), text)
  if (contacts.test(stranger)) return 'it names a link, an address or a number that is not in the profile'
  if (promises.test(text)) return 'it promises something'
  return selfTalk.test(text) ? 'it speaks of what wrote it' : null
}

/** A reply from a template: neighbours differ, the same review gets the same one. */
export function templateReply(review: RepliedTo, { business_name }: ReplyingBusiness): string {
  const texts = replyTexts[(review.review_language ?? 'en').slice(0, 2).toLowerCase()] ?? replyTexts.en
  if (!texts) throw new Error('There are no templates')
  const variants = variantsOf(texts, review)
  const said = variants[Bun.hash.crc32(review.id) % variants.length] ?? ''
  const name = firstName(review.reviewer_name)
  const greeting = name === undefined ? texts.greetingNameless : texts.greeting.replace('{name}', () => name)
  return `${greeting}\n\n${said}\n\n${texts.close.replace('{business}', () => business_name)}`
}

function variantsOf(texts: NonNullable<(typeof replyTexts)[string]>, review: RepliedTo): readonly string[] {
  const stars =
    review.star_rating ?? (review.sentiment === 'negative' ? 1 : review.sentiment === 'positive' ? 5 : 3)
  if (stars <= 2) return texts.negative
  if (stars === 3 || review.sentiment === 'mixed') return texts.mixed
  return (review.review_text ?? '') === '' ? texts.positiveSilent : texts.positive
}

/** A first name that is surely one: letters alone, no handle and no shouting of a firm. */
function firstName(name: string | undefined): string | undefined {
  const first = name?.trim().split(/\s+/)[0]
  return first !== undefined && first.length <= nameMax && /^\p{Lu}[\p{L}\p{M}’'-]*\p{Ll}$/u.test(first)
    ? first
    : undefined
}
