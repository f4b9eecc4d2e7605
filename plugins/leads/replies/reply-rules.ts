import { bareWords, textLength } from 'renown/sources'
import { demandsDisclosure } from '../drafts/channel-rules'
import { disclosures } from '../drafts/reply-texts'
import type { ReplyChannel } from '../sources/reply-channel'

/** A reply as it is judged before it is sent. */
interface JudgedText {
  readonly text: string
  /** The person says that the text tells who writes it, in other words than Renown's. */
  readonly says_who: boolean
  readonly business_name: string
}

/** Why a text cannot be sent, with the field that is wrong. */
export interface TextFault {
  readonly field: 'text' | 'says_who'
  readonly message: string
}

/** Returns why a text cannot be sent on a channel, or null. */
export function textFault(
  { text, says_who, business_name }: JudgedText,
  { channel, label, textMax, countedIn }: Pick<ReplyChannel, 'channel' | 'label' | 'textMax' | 'countedIn'>,
): TextFault | null {
  if (text.trim() === '') return { field: 'text', message: 'The reply is empty.' }
  const length = textLength(text, countedIn)
  if (length > textMax) {
    return {
      field: 'text',
      message: `${label} accepts at most ${textMax} ${countedIn}. The reply has ${length}.`,
    }
  }
  if (!demandsDisclosure(channel) || says_who || hasDisclosure(text, business_name)) return null
  const [sentence] = disclosures(business_name)
  return {
    field: 'says_who',
    message: `A reply on ${label} must say who writes it. Add “${sentence}”, or confirm that the text says so in other words.`,
  }
}

const folded = (text: string) => bareWords(text).normalize('NFKC').replace(/\s+/gu, ' ').toLowerCase()

/** Whether a text has one of the sentences that say who writes it. */
export const hasDisclosure = (text: string, businessName: string): boolean =>
  disclosures(businessName).some((sentence) => folded(text).includes(folded(sentence)))

/** Whether two replies have the same words. Platforms change white space and escape characters. */
export const isSameText = (one: string, other: string): boolean => folded(one) === folded(other)
