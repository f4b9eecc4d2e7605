import type { Model } from 'renown/sources'
import type { tones } from '../records/AutoResponseRules'
import { locationLanguage, replyLanguage } from './reply-language'
import type { RepliedTo, ReplyingBusiness } from './reply-parties'
import { replyLanguageOf } from './safe-phrases'
import { modelReply, templateGenerator, templateReply } from './writeReply'

/** A draft for a person, with its author. */
export interface ReplyDraft {
  readonly text: string
  readonly generator: string
  /** The tone. Null for a template, which has only one. */
  readonly tone: (typeof tones)[number] | null
}

/**
 * Drafts a reply: by the language model, or from a template if none is configured. Throws a ServiceFault if the model twice claims
 * something that nothing backs.
 */
export async function draftReply(
  model: Model,
  review: RepliedTo,
  business: ReplyingBusiness,
  tone: (typeof tones)[number],
): Promise<ReplyDraft> {
  if (model.isConfigured) {
    const language = (await replyLanguage(review, business)) ?? undefined
    const { text } = await modelReply(model, review, business, tone, review.review_language ?? language)
    return { text, generator: model.generator, tone }
  }
  const own = await replyLanguage(review, business)
  const language = replyLanguageOf(own ?? undefined) ?? locationLanguage(business) ?? 'en'
  return { text: templateReply(review, business, language), generator: templateGenerator, tone: null }
}
