import type { RepliedTo, ReplyingBusiness } from './reply-parties'
import type { SendableText } from './sources/source'

/** Whether a text may be sent without a person, and why not. */
export type ReplyVerdict =
  | { readonly isSendable: true; readonly text: SendableText }
  | { readonly isSendable: false; readonly why: string }

const bytesMax = 4_096
const contacts =
  /https?:\/\/|www\.|\b[\w-]+\.(?:com|net|org|io|de|fr|es|it|nl|uk)\b|[\w.+-]+@[\w-]+\.|\+?\d[\d ()/-]{6,}\d/i
const promises =
  /\b(?:refund|reimburse|compensat|voucher|discount|free of charge|lawsuit|liab|attorney|erstatt|gutschein|rembours|reembols|rimbors)/i
const selfTalk = /\b(?:as an ai|language model|chatgpt|i am an ai|ki-modell|en tant qu.ia)\b/i

/** Judges a text that would be published in the name of a business. */
export function judgeReply(text: string, _review: RepliedTo, business: ReplyingBusiness): ReplyVerdict {
  const why = faultOf(text, business)
  return why === null ? { isSendable: true, text: text as SendableText } : { isSendable: false, why }
}

function faultOf(text: string, { phone = '', website = '' }: ReplyingBusiness): string | null {
  if (text.trim() === '') return 'it is empty'
  if (Buffer.byteLength(text) > bytesMax) return `it is longer than ${bytesMax} bytes`
  const own = [phone, website, website.replace(/^https?:\/\//, '')].filter((known) => known !== '')
  const stranger = own.reduce((rest, known) => rest.replaceAll(known, ''), text)
  if (contacts.test(stranger)) return 'it names a link, an address or a number that is not in the profile'
  if (promises.test(text)) return 'it promises something'
  return selfTalk.test(text) ? 'it speaks of what wrote it' : null
}
