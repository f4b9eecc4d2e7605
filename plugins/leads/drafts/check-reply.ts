import { effectiveProfile } from 'renown/records'
import { addressesIn, normaliseDomain, type StatedAddress, telephonesIn, unfitText } from 'renown/sources'
import { lengthWarning } from './channel-rules'
import type { RepliedMention, ReplyingBusiness } from './reply-parties'

/** Maximum characters of a reply. */
export const replyMax = 2_000

/**
 * Returns why a text must not be saved as a reply that a machine wrote. Null if there is no reason. A post can try to
 * make a model advertise something else, so every address and number must be the business's own.
 */
export function refusedDraft(text: string, business: ReplyingBusiness): string | null {
  const unfit = unfitText(text, replyMax)
  if (unfit !== null) return unfit
  const own = normaliseDomain(business.website ?? '')
  const addresses = addressesIn(text)
  if (addresses.some(({ kind }) => kind === 'mail')) return 'it names an e-mail address'
  const isOwn = ({ host }: StatedAddress) => own !== null && normaliseDomain(host) === own
  if (!addresses.every(isOwn)) return 'it names an address on the web that is not your own'
  const digits = digitsOf(business.phone ?? '')
  const number = telephonesIn(text).find(
    (found) => digits === '' || !digitsOf(found).endsWith(digits.slice(-8)),
  )
  return number === undefined ? null : 'it names a telephone number that is not your own'
}

const digitsOf = (text: string) => text.replace(/\D/g, '')

/** Returns what a person should look at before posting a text. */
export function replyWarnings(
  text: string,
  mention: RepliedMention,
  business: ReplyingBusiness,
  generator: string,
): string[] {
  const why = refusedDraft(text, business)
  const tooLong = lengthWarning(text, mention.source)
  return [
    ...(generator.startsWith('template') ? ['This is a template: add what the post asks for.'] : []),
    ...(why === null ? [] : [`Check this before you post it: ${why}.`]),
    ...(tooLong === null ? [] : [tooLong]),
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
