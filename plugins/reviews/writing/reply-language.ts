import { originalOf } from '../analysis/translation'
import { languageOf } from '../analysis/words'
import { freeLanguages } from './own-acts'
import type { RepliedTo, ReplyingBusiness } from './reply-parties'
import { type ReplyLanguage, replyLanguageOf } from './safe-phrases'

/** A language in which a reply can be judged. Renown has templates in some of them only. */
export type GuardedLanguage = ReplyLanguage | 'ru' | 'ar'
/** The languages in which a reply can be judged. */
export const judgedLanguages = freeLanguages as readonly GuardedLanguage[]

/** Countries where nearly everybody reads one of these languages, by two-letter code and English name. */
const countries: Readonly<Record<ReplyLanguage, string>> = {
  de: 'de at germany austria deutschland österreich',
  en: 'gb us ie au nz uk usa united-kingdom united-states ireland australia new-zealand',
  es: 'es mx ar co cl pe uy ec spain mexico argentina colombia chile peru uruguay ecuador españa méxico',
  fr: 'fr mc france monaco',
  it: 'it sm italy italia san-marino',
  nl: 'nl netherlands nederland the-netherlands',
  pl: 'pl poland polska',
  pt: 'pt br portugal brazil brasil',
  sv: 'se sweden sverige',
  tr: 'tr turkey türkiye turkiye',
}

/** Returns the language of a location: that of its country, or the only one in its profile. */
export function locationLanguage({ country, enrichment }: ReplyingBusiness): ReplyLanguage | null {
  const place = country?.trim().toLowerCase().replace(/\s+/g, '-')
  const found = Object.entries(countries).find(([, names]) => place && names.split(' ').includes(place))
  if (found) return replyLanguageOf(found[0])
  const [spoken, another] = enrichment?.languages ?? []
  return another === undefined ? replyLanguageOf(spoken) : null
}

/** Returns the language of a tag, if replies in it can be judged. */
export function judgedLanguageOf(tag: string | undefined): GuardedLanguage | null {
  const language = tag?.split(/[-_]/)[0]?.toLowerCase()
  return judgedLanguages.find((one) => one === language) ?? null
}

const shortLetters = 12

/**
 * Returns the language of an automatic reply, or null if it is uncertain or cannot be judged. A review without text, or with
 * little text in an unknown language, gets the language of its location. A
 * reply whose letters clearly show a language that the review may be in confirms it.
 */
export async function replyLanguage(
  review: RepliedTo,
  business: ReplyingBusiness,
  reply?: string,
): Promise<GuardedLanguage | null> {
  if (review.review_language !== undefined && review.review_language !== '') {
    return judgedLanguageOf(review.review_language)
  }
  const text = originalOf(review.review_text)
  const own = locationLanguage(business)
  const { language } = languageOf(text)
  if (language !== null) return judgedLanguageOf(language)
  if ((text.match(/\p{L}/gu)?.length ?? 0) < shortLetters) return isForeignScript(text) ? null : own
  const likely = await likelyLanguages(text)
  const [first] = likely
  if (first === undefined) return reply === undefined ? own : ((await clearLanguage(reply)) ?? own)
  const told = reply === undefined ? null : await clearLanguage(reply)
  const confirmed = likely.find((one) => one.language === told && one.score * nearShare >= first.score)
  if (confirmed) return told
  return first.score >= clearScore || first.language === own ? judgedLanguageOf(first.language) : null
}

/** Returns the language that the letters of a reply clearly show. */
async function clearLanguage(text: string): Promise<GuardedLanguage | null> {
  const [first, second] = await likelyLanguages(text)
  const isClear =
    first !== undefined && first.score >= clearScore && first.score >= (second?.score ?? 0) * clearLead
  return isClear ? judgedLanguageOf(first.language) : null
}

/** Whether a reply is in a language, as far as its letters tell. A few letters tell nothing. */
export async function languageOfReply(text: string, language: GuardedLanguage): Promise<boolean> {
  if ((text.match(/\p{L}/gu)?.length ?? 0) < shortLetters) return true
  const likely = await likelyLanguages(text)
  const score = likely.find((one) => one.language === language)?.score ?? 0
  const other = likely.find((one) => judgedLanguageOf(one.language) !== null && one.language !== language)
  const { language: sure } = languageOf(text)
  const lead = sure !== null && sure === other?.language ? sureLead : otherLead
  return other === undefined || other.score <= score * lead
}

const isForeignScript = (text: string) => /(?!\p{Script=Latin})\p{L}/u.test(text)

/** The score below which letters tell no language, as in a text that only looks like one. */
const clearScore = 0.55
/** By how much the language of a reply must lead to be clear. */
const clearLead = 1.1
/** A few words of a review look like several languages. One that comes this near is confirmed by a reply in it. */
const nearShare = 1.4
/** By how much another language must lead before a reply is in it. */
const otherLead = 1.4
/** The same if its frequent words show it too. */
const sureLead = 1
/** By how much a language that cannot be judged must lead to be the first. */
const strangeLead = 1.25

interface Likely {
  readonly language: string
  readonly score: number
}

/**
 * Returns the likely languages of a text by its letters, the likeliest first. The detector is loaded with the first text that needs it,
 * because that takes a fifth of a second. Few letters also look like a language that is rare here, so one that cannot be judged
 * must lead clearly.
 */
async function likelyLanguages(text: string): Promise<readonly Likely[]> {
  const { eld } = await import('eld/extrasmall')
  const scores = Object.entries(eld.detect(text).getScores()).map(
    ([language, score]): Likely => ({ language, score }),
  )
  const weigh = ({ language, score }: Likely) =>
    judgedLanguageOf(language) === null ? score / strangeLead : score
  return scores.toSorted((a, b) => weigh(b) - weigh(a))
}
