import type { SendableText } from '../contract'
import { type Echo, echoOf } from './echoed-words'
import { replyLanguage } from './reply-language'
import type { RepliedTo, ReplyingBusiness } from './reply-parties'
import {
  businessMark,
  sentencesOf,
  strangeCharacters,
  type Token,
  tokensOf,
  withoutPictures,
} from './reply-tokens'
import { isAmong, type Speech, speechOf } from './safe-phrases'

/** Whether a text may be sent without a person, and why not. */
export type ReplyVerdict =
  | { readonly isSendable: true; readonly text: SendableText }
  | { readonly isSendable: false; readonly why: string }

const charactersMax = 900
const sentenceWordsMax = 45
const echoesMax = 4

/**
 * Checks a text that would be published without a person reading it. Allows only text that is known to be
 * safe. Each sentence must greet, thank, express joy or regret, invite or sign off. It may use words of a
 * closed list, names, and a few nouns of the review.
 */
export function judgeReply(text: string, review: RepliedTo, business: ReplyingBusiness): ReplyVerdict {
  const why = faultOf(text, review, business)
  return why === null ? { isSendable: true, text: text as SendableText } : { isSendable: false, why }
}

function faultOf(text: string, review: RepliedTo, business: ReplyingBusiness): string | null {
  if (text.trim() === '') return 'it is empty'
  if (text.length > charactersMax) return `it is longer than ${charactersMax} characters`
  const language = replyLanguage(review, business)
  if (language === null) return 'the language of the reply is unknown, or Renown has no word list for it'
  if (text.includes(businessMark)) return 'it contains invisible characters'
  const bare = withoutBusiness(text, business.business_name)
  const strange = strangeCharacters(bare)
  if (strange !== null) return strange
  const speech = speechOf(language)
  const echo = echoOf(review, business, speech)
  let echoes = 0
  for (const sentence of sentencesOf(withoutPictures(bare))) {
    const judged = judgeSentence(tokensOf(sentence, language), speech, echo)
    if (typeof judged === 'string') return judged
    echoes += judged
  }
  return echoes > echoesMax ? `it takes up more than ${echoesMax} words of the review` : null
}

/** Removes the business name. Up to five letters may follow each word, because some languages inflect names. */
function withoutBusiness(text: string, name: string): string {
  const words = name
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return text
  const pattern = words
    .map((word) => {
      const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      return /\p{L}{3}$/u.test(word) ? `${escaped}(?:['’]?\\p{Ll}{1,4})?` : escaped
    })
    .join('\\s+')
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'gu'), businessMark)
}

/**
 * A partial reading of a sentence: whether it is an allowed act, and how many words of the review it uses.
 */
interface Reading {
  readonly isAct: boolean
  /** Whether an act ends here, so that the next word may be the name of the person addressed. */
  readonly isAddressing: boolean
  readonly echoes: number
}

const rank = ({ isAct, isAddressing, echoes }: Reading) =>
  (isAct ? 4 : 0) + (isAddressing ? 2 : 0) - echoes / 100

/** Returns the number of words that a sentence takes from the review, or why it is not allowed. */
function judgeSentence(tokens: readonly Token[], speech: Speech, echo: Echo): number | string {
  if (tokens.length > sentenceWordsMax) return `a sentence is longer than ${sentenceWordsMax} words`
  const isSignature = tokens.length <= 8 && tokens.some(({ word }) => word === businessMark)
  const has = (stems: readonly string[]) => tokens.some(({ word }) => isAmong(word, stems))
  const regrets = isRegret(tokens, speech)
  if (regrets && !has(speech.shortfalls)) return 'it does not say what it regrets'
  if (regrets && has(speech.people)) return 'it blames an employee'
  const canName = !has(speech.futures) && (regrets || has(speech.praises))
  const canEcho = canName && !regrets
  const readings: (Reading | undefined)[] = [{ isAct: isSignature, isAddressing: true, echoes: 0 }]
  let reached = 0
  tokens.forEach((token, at) => {
    const reading = readings[at]
    if (!reading) return
    reached = at
    const reach = (length: number, isAct: boolean, echoes = 0) => {
      const known = readings[at + length]
      const next = { isAct: reading.isAct || isAct, isAddressing: isAct, echoes: reading.echoes + echoes }
      if (!known || rank(next) > rank(known)) readings[at + length] = next
    }
    for (const { words, isAct } of speech.phrases.get(token.word) ?? []) {
      if (words.every((word, n) => tokens[at + n]?.word === word)) reach(words.length, isAct)
    }
    const things = echo.thingAt(tokens, at)
    if (things > 0 && canName) reach(things, false)
    const before = tokens[at - 1]
    const isTitle =
      speech.titles.has(token.word) && [at - 1, at + 1].some((one) => echo.isName(tokens, one, true))
    if (token.word === businessMark || isTitle) reach(1, false)
    else if (echo.isName(tokens, at, reading.isAddressing)) reach(1, false)
    else if (canEcho && echo.isWord(token, before)) reach(1, false, 1)
  })
  const end = readings[tokens.length]
  if (!end) return `“${tokens[reached]?.raw ?? ''}” is not among the words that are known to be safe`
  return end.isAct ? end.echoes : 'a sentence neither greets, thanks, is glad, invites nor signs off'
}

const isRegret = (tokens: readonly Token[], { regrets }: Speech) => {
  const text = ` ${tokens.map(({ word }) => word).join(' ')} `
  return [...regrets].some((phrase) => text.includes(` ${phrase} `))
}
