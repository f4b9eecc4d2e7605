import { originalOf } from '../analysis/translation'
import { languageOf } from '../analysis/words'
import type { RepliedTo, ReplyingBusiness } from './reply-parties'
import { type ReplyLanguage, replyLanguageOf } from './safe-phrases'

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

const shortLetters = 12

/**
 * Returns the language of an automatic reply, or null if it is uncertain or not supported. A review without
 * text, or with little text in an unknown language, gets the language of its location.
 */
export function replyLanguage(review: RepliedTo, business: ReplyingBusiness): ReplyLanguage | null {
  if (review.review_language !== undefined && review.review_language !== '') {
    return replyLanguageOf(review.review_language)
  }
  const text = originalOf(review.review_text)
  const own = locationLanguage(business)
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const strange = text.match(/(?!\p{Script=Latin})\p{L}/gu)?.length ?? 0
  if (strange > 0) return null
  const { language, near } = languageOf(text)
  if (language !== null) return replyLanguageOf(language)
  if (letters < shortLetters) return own
  return near !== null && near.language === own ? own : null
}
