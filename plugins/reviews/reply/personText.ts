import { Refusal } from 'renown'
import { isSameWords } from 'renown/sources'
import type { ReplySender, SendableText } from '../contract'

const charactersMax = 4_000

/** Characters that nobody sees. A text of these alone is empty. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\s]/gu
/**
 * Characters that no person types: control characters other than tabs and line breaks, and the two that reverse what
 * follows.
 */
const unusual = /[^\P{Cc}\n\t]|[\u202d\u202e]/u

/** Maximum length of a reply in bytes, for sources that state none. */
export const replyBytesDefault = 8_000

/**
 * Creates the reply of a person who wrote or read it. Throws an `invalid_field` Refusal for text that cannot
 * be published.
 */
export function personText(text: string, sender: Pick<ReplySender, 'bytesMax'>): SendableText {
  const bare = text.normalize('NFC').replace(/\r\n?/g, '\n').trim()
  const why = faultOf(bare, sender.bytesMax ?? replyBytesDefault)
  if (why === null) return bare as SendableText
  throw new Refusal('invalid_field', `The reply ${why}.`, {
    errors: [{ pointer: '/text', code: 'invalid', message: why }],
  })
}

function faultOf(text: string, bytesMax: number): string | null {
  if (text.replace(unseen, '') === '') return 'must not be empty'
  if (text.length > charactersMax) return `must have at most ${charactersMax} characters`
  if (Buffer.byteLength(text) > bytesMax) return `must have at most ${bytesMax} bytes on this platform`
  return unusual.test(text) ? 'holds characters that cannot be shown' : null
}

/** Whether a reply at a platform has the words of another one. Platforms change white space and escape characters. */
export const isSameReply = (a: string, b: string): boolean => isSameWords(a, b)

/** Whether two texts that people typed are the same, apart from white space. */
export const isSameTyping = (a: string, b: string): boolean => typed(a) === typed(b)

const typed = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim()
