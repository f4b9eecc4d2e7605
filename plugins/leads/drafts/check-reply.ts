import { effectiveProfile } from 'renown/records'
import { type DraftChannel, type DraftFault, type DraftGround, faultText, guardDraft } from 'renown/sending'
import type { RepliedMention, ReplyingBusiness } from './reply-parties'

/**
 * Returns what a draft says that nothing backs, and what its channel does not take. A post can try to make a model advertise
 * something else. So nothing that the post says is a fact of the business, and every contact must be the business's own.
 */
export const replyFaults = (
  text: string,
  mention: RepliedPost,
  business: ReplyingBusiness,
  channel?: DraftChannel,
): readonly DraftFault[] => guardDraft(text, groundOf(mention, business), channel)

type RepliedPost = Pick<RepliedMention, 'title' | 'body' | 'language'>

function groundOf({ title, body, language }: RepliedPost, business: ReplyingBusiness): DraftGround {
  const { business_name, business_category, city, phone, website } = business
  const { about, services } = effectiveProfile(business)
  return {
    facts: [business_category ?? '', city ?? '', about ?? '', ...(services ?? [])],
    said: [title ?? '', body, business_name],
    phone,
    website,
    languages: [language, 'en'],
    unchecked: ['practice'],
  }
}

/** Returns what a person should look at before posting a text. */
export function replyWarnings(
  text: string,
  mention: RepliedMention,
  business: ReplyingBusiness,
  generator: string,
  channel: DraftChannel,
): string[] {
  return [
    ...(generator.startsWith('template') ? ['This is a template: add what the post asks for.'] : []),
    ...replyFaults(text, mention, business, channel).map(faultText),
    ...(mention.replied_at === undefined ? [] : ['Somebody has already replied to this post.']),
    ...(mention.removed_at_source_at === undefined ? [] : ['The source no longer shows the post.']),
  ]
}

/** Returns what a model may know about the business. */
export function businessFacts(business: ReplyingBusiness) {
  const { about, services } = effectiveProfile(business)
  const { business_name: name, business_category: category, city, website } = business
  return { name, category, city, website, about, services }
}
