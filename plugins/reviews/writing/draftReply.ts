import type { Model } from 'renown/sources'
import type { tones } from '../records/AutoResponseRules'
import { locationLanguage, replyLanguage } from './reply-language'
import type { RepliedTo, ReplyingBusiness } from './reply-parties'
import { modelReply, templateGenerator, templateReply } from './writeReply'

/** A draft for a person, with its author. */
export interface ReplyDraft {
  readonly text: string
  readonly generator: string
  /** The tone. Null for a template, which has only one. */
  readonly tone: (typeof tones)[number] | null
}

/** Drafts a reply: by the language model, or from a template if none is configured. The text is not checked. */
export async function draftReply(
  model: Model,
  review: RepliedTo,
  business: ReplyingBusiness,
  tone: (typeof tones)[number],
): Promise<ReplyDraft> {
  if (model.isConfigured) {
    return { text: await modelReply(model, review, business, tone), generator: model.generator, tone }
  }
  const language = replyLanguage(review, business) ?? locationLanguage(business) ?? 'en'
  return { text: templateReply(review, business, language), generator: templateGenerator, tone: null }
}
