import { effectiveProfile, normaliseDomain } from 'renown'
import type { RepliedMention, ReplyingBusiness } from './reply-parties'

/** Maximum characters of a reply. */
export const replyMax = 2_000

/** Endings of host names that people write without `https://`. */
const endings = new Set(
  'com net org io co app dev shop store biz info xyz top ly me uk de fr es it nl pl se pt jp example'.split(
    ' ',
  ),
)
const telephones = /(?:\+|\b0)\d(?:[\s()./-]*\d){6,14}\b/g
const invisible = /[[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029]--[\n\t\u200c\u200d\ufe0f]]/v
const machine =
  /\b(?:as an ai|language model|system prompt|untrusted[- ]data|ignore (?:all|previous)|i (?:cannot|can't) (?:assist|help) with)\b/i

/**
 * Returns why a text must not be saved as a reply that a machine wrote. Null if there is no reason. A post can try to
 * make a model advertise something else, so every address and number must be the business's own.
 */
export function refusedDraft(text: string, business: ReplyingBusiness): string | null {
  if (text.trim() === '') return 'it is empty'
  if (text.length > replyMax) return `it has more than ${replyMax} characters`
  if (invisible.test(text)) return 'it has characters that cannot be seen'
  if (machine.test(text)) return 'it speaks of the machine that wrote it'
  const own = new Set([normaliseDomain(business.website ?? '')])
  const words = text.split(/[\s<>"'()[\]（）]/)
  if (words.some(isMail)) return 'it names an e-mail address'
  const foreign = words.filter(isAddress).find((address) => !own.has(normaliseDomain(address)))
  if (foreign !== undefined) return 'it names an address on the web that is not your own'
  const digits = digitsOf(business.phone ?? '')
  const number = (text.match(telephones) ?? []).find(
    (found) => digits === '' || !digitsOf(found).endsWith(digits.slice(-8)),
  )
  return number === undefined ? null : 'it names a telephone number that is not your own'
}

/** Whether a word is a web address, with or without `https://`. */
function isAddress(word: string): boolean {
  if (/^(?:https?:\/\/|www\.)/i.test(word) || word.includes('://')) return true
  const labels = labelsOf((word.split(/[/?#:,;!]/, 1)[0] ?? '').toLowerCase())
  const isHost = labels.length > 1 && labels.every((label) => /^[\p{L}\p{N}-]+$/u.test(label))
  return isHost && endings.has(labels.at(-1) ?? '')
}

/** Whether a word is an e-mail address. */
function isMail(word: string): boolean {
  const at = word.indexOf('@')
  return at > 0 && labelsOf(word.slice(at + 1)).length > 1
}

const labelsOf = (host: string) => host.split('.').filter((label) => label !== '')

const digitsOf = (text: string) => text.replace(/\D/g, '')

/** Returns what a person should look at before posting a text. */
export function replyWarnings(
  text: string,
  mention: RepliedMention,
  business: ReplyingBusiness,
  generator: string,
): string[] {
  const why = refusedDraft(text, business)
  return [
    ...(generator.startsWith('template') ? ['This is a template: add what the post asks for.'] : []),
    ...(why === null ? [] : [`Check this before you post it: ${why}.`]),
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
