import { isServiceFault, type OwnerContext, ServiceFault } from 'renown'
import { effectiveProfile } from 'renown/records'
import {
  type DraftFault,
  draftRefused,
  guardDraft,
  type RefusedWords,
  refusedInstruction,
  requestDraft,
} from 'renown/sending'
import type { Model } from 'renown/sources'
import * as v from 'valibot'
import { originalOf } from '../analysis/translation'
import type { SendableText } from '../contract'
import { rulesOf } from '../due/dueReplies'
import { modelStarsMin, type tones } from '../records/AutoResponseRules'
import { judgeReply, type ReplyJudges } from './judgeReply'
import { groundOf } from './reply-ground'
import { type GuardedLanguage, replyLanguage } from './reply-language'
import { firstName, type RepliedTo, type ReplyingBusiness, starsOf } from './reply-parties'
import { replyTexts } from './reply-texts'
import { type ReplyLanguage, replyLanguageOf } from './safe-phrases'
import { judgeBySecondLook } from './second-look'

/** The generator name of templates. */
export const templateGenerator = 'template:v1'

/** Why the text of a reply is not sent automatically. The row has it as `auto_response_reason`. */
export const skipReasons = [
  'stars_below_model_minimum',
  'reply_text_refused',
  'draft_refused',
  'model_wants_person',
  'no_reply_language',
  'second_look_refused',
] as const
export type SkipReason = (typeof skipReasons)[number]

/** A reply that may be sent, or a draft that a person must check first. */
export type WrittenReply =
  | { readonly isSendable: true; readonly text: SendableText; readonly judgedBy: ReplyJudges }
  | {
      readonly isSendable: false
      readonly reason: SkipReason
      readonly why: string
      readonly draft?: string
    }

/** Writes the automatic reply to a review. Throws a `permanent` ServiceFault if there is no generator. */
export async function writeReply(
  ctx: OwnerContext,
  review: RepliedTo,
  business: ReplyingBusiness,
): Promise<WrittenReply> {
  const language = await replyLanguage(review, business)
  if (language === null) {
    const why = 'the language of the review is unknown, or Renown does not reply in it automatically'
    return { isSendable: false, reason: 'no_reply_language', why }
  }
  const rules = await rulesOf(ctx, review.workspace_id)
  const { model } = ctx.outbound
  if (model.isConfigured) {
    return writeWithModel(model, {
      review,
      business,
      tone: rules?.tone ?? 'friendly',
      language,
      starsMin: rules?.model_stars_min ?? modelStarsMin,
    })
  }
  if (rules?.allow_templates) {
    const listed = replyLanguageOf(language)
    if (listed !== null) return judgedReply(templateReply(review, business, listed), review, business)
    const why = 'Renown has no template in the language of the review'
    return { isSendable: false, reason: 'no_reply_language', why }
  }
  throw new ServiceFault('permanent', 'No language model is configured, and the rules allow no templates')
}

interface ModelWish {
  readonly review: RepliedTo
  readonly business: ReplyingBusiness
  readonly tone: (typeof tones)[number]
  readonly language: GuardedLanguage
  readonly starsMin: number
}

/**
 * Lets the model write a reply, and look at it in a second call if it may be sent. If it says that a person should answer, or if the
 * text may not be sent, a person does.
 */
async function writeWithModel(
  model: Model,
  { review, business, tone, language, starsMin }: ModelWish,
): Promise<WrittenReply> {
  const written = await modelReply(model, review, business, tone, language).catch((error: unknown) => {
    if (isServiceFault(error) && error.code === draftRefused) return error
    throw error
  })
  if (written instanceof ServiceFault) {
    return { isSendable: false, reason: draftRefused, why: written.message }
  }
  const { text: draft, needs_person } = written
  if (starsOf(review) < starsMin) {
    const why = `text of a language model is sent from ${starsMin} stars upwards`
    return { isSendable: false, reason: 'stars_below_model_minimum', why, draft }
  }
  if (needs_person) {
    const why = 'the language model says that a person should answer'
    return { isSendable: false, reason: 'model_wants_person', why, draft }
  }
  const judged = await judgedReply(draft, review, business, 'rules and second look')
  if (!judged.isSendable) return judged
  const look = await judgeBySecondLook(model, draft, review, business, language)
  if (look.isClean) return judged
  return { isSendable: false, reason: 'second_look_refused', why: look.why, draft }
}

/**
 * Returns a text as a reply that may be sent, or as a draft. With `rules and second look`, the caller has let the model look at the text, or does
 * so before it is sent.
 */
export async function judgedReply(
  text: string,
  review: RepliedTo,
  business: ReplyingBusiness,
  judgedBy: ReplyJudges = 'rules',
): Promise<WrittenReply> {
  const verdict = await judgeReply(text, review, business, judgedBy)
  if (verdict.isSendable) return { isSendable: true, text: verdict.text, judgedBy }
  return { isSendable: false, reason: 'reply_text_refused', why: verdict.why, draft: text }
}

const answer = v.strictObject({
  reply: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(2_000)),
  needs_person: v.pipe(v.boolean(), v.description('Whether a person of the business should answer instead')),
})

/** What a model wrote, and whether it says that a person should answer. */
export interface ModelReply {
  readonly text: string
  readonly needs_person: boolean
}

/** Returns what a draft claims that neither the review nor the business backs. In no known language, only what needs no words. */
export const draftFaults = (
  text: string,
  review: RepliedTo,
  business: ReplyingBusiness,
  language: string | undefined,
): readonly DraftFault[] =>
  guardDraft(text, { ...groundOf(review, business, language ?? 'en'), names: 'people' })

/**
 * Lets the language model write a reply, and a second time if it claims something that nothing backs. Throws a ServiceFault with the code
 * `draft_refused` if it does so twice. `judgeReply` decides whether the reply may be sent.
 */
export async function modelReply(
  model: Model,
  review: RepliedTo,
  business: ReplyingBusiness,
  tone: (typeof tones)[number],
  language: string | undefined = review.review_language,
): Promise<ModelReply> {
  let needs_person = false
  const text = await requestDraft(
    async (refused) => {
      const written = await askForReply(model, review, business, { tone, language, refused })
      // A model that once asks for a person is believed, whatever it writes next.
      if (written.needs_person) needs_person = true
      return written.reply
    },
    (draft) => draftFaults(draft, review, business, language),
  )
  return { text, needs_person }
}

interface AskedReply {
  readonly tone: (typeof tones)[number]
  readonly language: string | undefined
  readonly refused: readonly RefusedWords[]
}

function askForReply(
  model: Model,
  review: RepliedTo,
  business: ReplyingBusiness,
  { tone, language, refused }: AskedReply,
): Promise<v.InferOutput<typeof answer>> {
  const { about, services } = effectiveProfile(business)
  return model.ask({
    name: 'review_reply',
    workspace_id: review.workspace_id,
    instructions:
      `Write the public reply of a business to a customer's review, in the language of the review, in a ${tone} tone, ` +
      'in at most 80 words. Thank the customer, take up what the review says, and where it complains, say sorry and ask ' +
      'to be contacted directly. Use two or three short sentences of plain, common words. Name nothing that the review does ' +
      'not name, and do not say what you or your team did or will do. Promise nothing: no refund, no discount, no compensation, no legal statement. Name no ' +
      'link, no address of e-mail, no telephone number and no other business. What the business is and offers is there so ' +
      'that you understand the review: offer and promise none of it. Do not say who or what wrote the reply. Set needs_person to ' +
      'true if a person of the business should answer: for an accusation, harm, danger, law, money, or anything that you are not sure of.' +
      (refused.length > 0 ? `\n${refusedInstruction}` : ''),
    data: {
      business: { name: business.business_name, category: business.business_category, about, services },
      review: {
        stars: review.star_rating,
        text: originalOf(review.review_text),
        language,
        name: firstName(review.reviewer_name),
      },
      ...(refused.length > 0 ? { refused } : {}),
    },
    answer,
  })
}

/**
 * Returns a reply from a template. Consecutive reviews get different ones, and the same review always gets
 * the same one.
 */
export function templateReply(
  review: RepliedTo,
  { business_name }: ReplyingBusiness,
  language: ReplyLanguage,
): string {
  const texts = replyTexts[language]
  const variants = variantsOf(texts, review)
  const said = variants[Bun.hash.crc32(review.id) % variants.length] ?? ''
  const name = firstName(review.reviewer_name)
  const greeting = name === undefined ? texts.greetingNameless : texts.greeting.replace('{name}', () => name)
  return `${greeting}\n\n${said}\n\n${texts.close.replace('{business}', () => business_name)}`
}

function variantsOf(texts: (typeof replyTexts)[ReplyLanguage], review: RepliedTo): readonly string[] {
  const stars = starsOf(review)
  if (stars <= 2) return texts.negative
  if (stars === 3 || review.sentiment === 'mixed') return texts.mixed
  return (review.review_text ?? '') === '' ? texts.positiveSilent : texts.positive
}
