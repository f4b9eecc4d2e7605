import type { JudgedMention, Reason } from '../judgement'
import type { Business } from './business'
import type { WordSpan } from './feature'
import { findName } from './find-name'
import { type JudgedLanguage, judgedLanguageOf, languageOf } from './languages'
import { latinLanguage } from './latin-language'
import { type ReadPost, readPost } from './read-post'
import { type Word, wordsOf } from './read-text'

/** The title and the body of a mention, read as one text. */
export type MentionText = Pick<JudgedMention, 'title' | 'body' | 'language'>

/** Words from which the language that a source or the detector gave is trusted over ours. */
const taggedMin = 8

/** Returns the language in which a mention is judged. `text` is the text of the words. Null: it is none that is measured. */
export function mentionLanguage(
  words: readonly Word[],
  tag: string | undefined,
  text: string,
): JudgedLanguage | null {
  const letters = words.map(({ plain }) => plain).join('')
  if (letters === '') return null
  const found = languageOf(words)
  if (found !== null) return judgedLanguageOf(found)
  const tagged = judgedLanguageOf(tag)
  if (tagged) return tagged
  if (tag !== undefined && tag !== '' && tag !== 'und' && words.length >= taggedMin) return null
  if (/\p{Script=Cyrillic}/u.test(letters)) return 'ru'
  if (/\p{Script=Arabic}/u.test(letters)) return 'ar'
  return /^[\p{Script=Latin}\p{N}]+$/u.test(letters) ? latinLanguage(words, text) : null
}

/** Reads a mention for a business. Null: its language is not judged. */
export function readMention(mention: MentionText, business: Business): ReadPost | null {
  const text = textOf(mention)
  const words = wordsOf(text)
  const language = mentionLanguage(words, mention.language, text)
  return language && readPost(words, text, business, language)
}

/** Whether a mention has the name of the business, whatever its language. */
export const namesAnywhere = (mention: MentionText, business: Business): boolean =>
  findName(wordsOf(textOf(mention)), business, null).length > 0

const textOf = ({ title, body }: MentionText) => (title ? `${title}\n${body}` : body)

/** Returns the place of evidence in the title or the body of a mention. */
export function spanOf(
  { words }: ReadPost,
  { at, to }: WordSpan,
  { title }: MentionText,
): Reason['span'] | undefined {
  const start = words[at]?.start
  const end = words[to - 1]?.end
  if (start === undefined || end === undefined) return undefined
  if (!title) return { field: 'body', start, end }
  if (end <= title.length) return { field: 'title', start, end }
  const bodyStart = title.length + 1
  return start < bodyStart ? undefined : { field: 'body', start: start - bodyStart, end: end - bodyStart }
}
