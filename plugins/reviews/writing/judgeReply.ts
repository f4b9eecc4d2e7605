import { claimsAbout, type DraftGround, toneOf } from 'renown/sending'
import type { SendableText } from '../contract'
import { type Echo, echoOf } from './echoed-words'
import { unknownAct } from './own-acts'
import { groundOf } from './reply-ground'
import { type GuardedLanguage, languageOfReply, replyLanguage } from './reply-language'
import { type RepliedTo, type ReplyingBusiness, starsOf } from './reply-parties'
import {
  businessMark,
  sentencesOf,
  strangeCharacters,
  type Token,
  tokensOf,
  withoutPictures,
} from './reply-tokens'
import { isAmong, replyLanguageOf, type Speech, speechOf } from './safe-phrases'

/** Whether a text may be sent without a person, and why not. */
export type ReplyVerdict =
  | { readonly isSendable: true; readonly text: SendableText }
  | { readonly isSendable: false; readonly why: string }

/**
 * Who judges the reply: these rules alone, or the language model after them (`judgeBySecondLook`). The rules alone also bound which words
 * a reply may use, because they cannot tell what a word means.
 */
export const replyJudges = ['rules', 'rules and second look'] as const
export type ReplyJudges = (typeof replyJudges)[number]

const charactersMax = 900
const sentenceWordsMax = 45
const echoesMax = 4
/**
 * Words of its own that a reply may have in sentences of free words: neither safe, nor of the review, nor what the business is. Excuses and details
 * that were made up need more of them, on all texts that the rule was built on.
 */
const ownWordsMax = 3
/** Shorter words connect others, and say nothing by themselves. */
const ownWordLetters = 5
/** The first four letters of a word stay the same when it is inflected. */
const sharedLetters = 4

/**
 * Checks a text that would be published without a person reading it. It must be in the language of the review and fit its
 * stars. Each sentence is either made of words that are known to be safe, or claims nothing: no number, name, promise, price,
 * blame or anything else that neither the review nor the business backs, and no act of the business but thanks, joy, regret and
 * understanding. All of these have few words that the review does not have.
 */
export async function judgeReply(
  text: string,
  review: RepliedTo,
  business: ReplyingBusiness,
  judgedBy: ReplyJudges = 'rules',
): Promise<ReplyVerdict> {
  const why = await faultOf(text, review, business, judgedBy)
  return why === null ? { isSendable: true, text: text as SendableText } : { isSendable: false, why }
}

async function faultOf(
  text: string,
  review: RepliedTo,
  business: ReplyingBusiness,
  judgedBy: ReplyJudges,
): Promise<string | null> {
  if (text.trim() === '') return 'it is empty'
  if (text.length > charactersMax) return `it is longer than ${charactersMax} characters`
  const language = await replyLanguage(review, business, text)
  if (language === null) return 'the language of the reply is unknown, or Renown cannot judge it'
  if (text.includes(businessMark)) return 'it contains invisible characters'
  const bare = withoutBusiness(text, business.business_name)
  const strange = strangeCharacters(bare, language)
  if (strange !== null) return strange
  if (!(await languageOfReply(text, language))) return 'it is in another language than the review'
  const tone = toneFault(text, review, language)
  if (tone !== null) return tone
  const sentences = sentencesOf(withoutPictures(bare))
  return judgedBy === 'rules'
    ? sentencesFault(sentences, review, business, language)
    : claimsFault(sentences, review, business, language)
}

/** Returns why a reply does not fit the stars of its review: praise taken up for a complaint, or regret for praise. */
function toneFault(text: string, review: RepliedTo, language: GuardedLanguage): string | null {
  const { glad, care, mismatch } = toneOf(text, language)
  const stars = starsOf(review)
  if (stars <= 2 && glad !== null && care === null) return `it takes up a complaint as praise: “${glad}”`
  return stars === 5 && mismatch !== null
    ? `it regrets something, but the review praises: “${mismatch}”`
    : null
}

/**
 * Returns what a reply claims, what the business did, or that it regrets what is no reason for regret, such as a visit. What its other
 * words mean is the question of the second look.
 */
function claimsFault(
  sentences: readonly string[],
  review: RepliedTo,
  business: ReplyingBusiness,
  language: GuardedLanguage,
): string | null {
  const { speech, echo, ground } = sayable(review, business, language)
  for (const sentence of sentences) {
    const tokens = tokensOf(sentence, language)
    if (speech && echo && isRegret(tokens, speech) && isMisusedAct(tokens, speech, echo)) {
      const strict = judgeSentence(tokens, speech, echo)
      if (typeof strict === 'string') return strict
    }
    const why = freeFault(sentence, tokens, ground, language)
    if (why !== null) return why
  }
  return null
}

/** Returns what a reply in a language may say. */
function sayable(review: RepliedTo, business: ReplyingBusiness, language: GuardedLanguage) {
  const listed = replyLanguageOf(language)
  const speech = listed === null ? null : speechOf(listed)
  const echo = speech && echoOf(review, business, speech)
  return { speech, echo, ground: groundOf(review, business, language) }
}

function sentencesFault(
  sentences: readonly string[],
  review: RepliedTo,
  business: ReplyingBusiness,
  language: GuardedLanguage,
): string | null {
  const { speech, echo, ground } = sayable(review, business, language)
  const isKnown = knownWords(ground, speech, language)
  const ownWords: Token[] = []
  let echoes = 0
  for (const sentence of sentences) {
    const tokens = tokensOf(sentence, language)
    const strict = speech && echo ? judgeSentence(tokens, speech, echo) : null
    if (typeof strict === 'number') {
      echoes += strict
      continue
    }
    if (strict !== null && speech && echo && isMisusedAct(tokens, speech, echo)) return strict
    const why = freeFault(sentence, tokens, ground, language)
    if (why !== null) return why
    const own = tokens.filter(({ word }) => word.length >= ownWordLetters && !isKnown(word))
    const madeUp = speech && thingAmong(own, tokens, speech)
    if (madeUp) return `it names a thing that the review does not name: “${madeUp.raw}”`
    ownWords.push(...own)
  }
  const [extra] = ownWords.slice(ownWordsMax)
  if (extra !== undefined) return `it says more than the review does: “${extra.raw}”`
  return echoes > echoesMax ? `it takes up more than ${echoesMax} words of the review` : null
}

/**
 * Whether a sentence of safe words alone thanks, hopes or regrets, and is still no safe act: its words were put together to say
 * something else. Regret that says nothing more is fine.
 */
function isMisusedAct(tokens: readonly Token[], speech: Speech, echo: Echo): boolean {
  const { phrases, futures, regrets } = speech
  const text = tokens.map(({ word }) => word).join(' ')
  const isBareRegret = [...regrets].some(
    (phrase) => text.endsWith(phrase) && tokens.length <= bareRegretWords,
  )
  if (isBareRegret && tokens.every(({ word }) => word.length <= bareWordLetters || text.endsWith(word)))
    return false
  const isAct = tokens.some(
    ({ word }, at) =>
      isAmong(word, futures) ||
      (phrases.get(word) ?? []).some(
        (one) => one.isAct && one.words.every((each, n) => tokens[at + n]?.word === each),
      ),
  )
  const strange = tokens.filter((_, at) => isStrange(tokens, at, speech, echo))
  if (!isAct || strange.length > 1) return false
  // Regret for a single thing that is not known to be a reason may be regret for what the review praises.
  return strange.length === 0 || isRegret(tokens, speech) || praisesStrange(tokens, speech, echo)
}

/** Returns a word of its own after “our” or “the”, such as a blouse where the review says silk. A single one makes up a detail. */
const thingAmong = (own: readonly Token[], tokens: readonly Token[], { determiners }: Speech) =>
  tokens.find((token, at) => own.includes(token) && determiners.has(tokens[at - 1]?.word ?? ''))

/** Regret alone: `we are very sorry`, and not `we regret your visit`. */
const bareRegretWords = 5
const bareWordLetters = 6

/** Whether a word is not among the safe ones. */
function isStrange(tokens: readonly Token[], at: number, { words }: Speech, echo: Echo): boolean {
  const token = tokens[at]
  if (token === undefined || words.has(token.word) || token.word === businessMark) return false
  return echo.thingAt(tokens, at) === 0 && !echo.isName(tokens, at, true)
}

/** Whether a sentence of praise has its only strange word after “our” or “the”: it praises what the review does not name. */
const praisesStrange = (tokens: readonly Token[], speech: Speech, echo: Echo): boolean =>
  tokens.some(({ word }) => isAmong(word, speech.praises)) &&
  tokens.some(
    (token, at) =>
      isStrange(tokens, at, speech, echo) &&
      !echo.isSaid(token) &&
      speech.determiners.has(tokens[at - 1]?.word ?? ''),
  )

/** Returns whether a word is safe, or one of what the reply may rest on. */
function knownWords(
  { said: heard = [] }: DraftGround,
  speech: Speech | null,
  language: GuardedLanguage,
): (word: string) => boolean {
  const said = tokensOf(heard.join(' '), language)
  const starts = new Set(
    said.flatMap(({ word }) => (word.length >= sharedLetters ? [word.slice(0, sharedLetters)] : [])),
  )
  return (word) =>
    word === businessMark || starts.has(word.slice(0, sharedLetters)) || (speech?.words.has(word) ?? false)
}

/** Returns what a sentence of free words claims, in its own words. */
function freeFault(
  sentence: string,
  tokens: readonly Token[],
  ground: DraftGround,
  language: GuardedLanguage,
): string | null {
  const claim = claimFault(sentence, tokens, ground)
  if (claim !== null) return claim
  const act = unknownAct(tokens, language)
  return act === null ? null : `“${act}” is neither thanks, joy, regret nor understanding`
}

function claimFault(sentence: string, tokens: readonly Token[], ground: DraftGround): string | null {
  if (tokens.length > sentenceWordsMax) return `a sentence is longer than ${sentenceWordsMax} words`
  const [claim] = claimsAbout(sentence.replaceAll(businessMark, ' '), ground)
  return claim?.why ?? null
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
