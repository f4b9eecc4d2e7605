import type {
  Catalog,
  FixedPhrase,
  Message,
  Messages,
  Phrase,
  PhraseValue,
  ShownText,
  Wording,
} from '../contracts/words'
import { fillMessage } from './fill-message'
import { dayText, exactTime, type PageLocale, sourceLanguage, tagOf } from './page-locale'
import { remembered } from './remembered'

type Values = Readonly<Record<string, PhraseValue>>

/** Returns a wording as the text that a page shows, with the language of the text if it is another one. */
export function shownText(wording: Wording, locale: PageLocale): ShownText {
  if (typeof wording === 'string') return { text: wording }
  if (isFixed(wording)) return inLanguage(wording.text, wording.lang, locale)
  const { catalog, key, values } = wording
  const [message, lang] = messageIn(catalog, key, locale.lang)
  return inLanguage(formatMessage(message, values, { ...locale, lang }), lang, locale)
}

/** Returns a wording that code declares as the text that a page shows. A plain text is English, because it has no words. */
export const declaredText = (wording: Wording, locale: PageLocale): ShownText =>
  typeof wording === 'string' ? inLanguage(wording, sourceLanguage, locale) : shownText(wording, locale)

const isFixed = (phrase: Phrase): phrase is FixedPhrase => !('catalog' in phrase)

const inLanguage = (text: string, lang: string, locale: PageLocale): ShownText =>
  lang === locale.lang ? { text } : { text, lang }

/** Returns a wording in English, for what is stored, mailed or read by agents. Times are in UTC unless a zone is given. */
export const englishText = (wording: Wording, timezone = 'UTC'): string =>
  shownText(wording, { lang: sourceLanguage, timezone }).text

/** Returns a message in a language, or in English if the language lacks it, with the language that it is in. */
function messageIn({ room, english, translations }: Catalog, key: string, lang: string): [Message, string] {
  const translated = translations.get(lang)?.[key]
  if (translated !== undefined) return [translated, lang]
  const { [key]: message } = english
  if (message === undefined) throw new Error(`The words of ${room} have no key ${key}`)
  return [message, sourceLanguage]
}

/** The messages of a room for one page. */
export interface PageMessages {
  readonly messages: Messages
  /** Keys of messages that the language lacks. They are in English. */
  readonly missing: readonly string[]
}

/** Returns all messages of a room in a language. English replaces those that the language lacks. */
export function messagesIn({ english, translations }: Catalog, lang: string): PageMessages {
  const translated = translations.get(lang)
  if (translated === undefined) return { messages: english, missing: [] }
  return {
    messages: { ...english, ...translated },
    missing: Object.keys(english).filter((key) => translated[key] === undefined),
  }
}

/** Formats a message with its values. Plural forms are chosen by the value `count`. */
export const formatMessage = (message: Message, values: Values, locale: PageLocale): string =>
  fillMessage(message, locale.lang, values, (value: PhraseValue) => valueText(value, locale))

function valueText(value: PhraseValue, locale: PageLocale): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return numberOf(locale.lang).format(value)
  if ('day' in value) return dayText(value.day, locale.lang)
  if ('instant' in value) return exactTime(value.instant, locale.timezone, locale.lang)
  if ('list' in value) return listText(value.list, locale)
  return shownText(value, locale).text
}

const listText = (list: readonly Wording[], locale: PageLocale) =>
  listFormat(locale.lang).format(list.map((each) => shownText(each, locale).text))

const listFormat = remembered((lang: string) => new Intl.ListFormat(tagOf(lang)))
const numberOf = remembered((lang: string) => new Intl.NumberFormat(tagOf(lang)))
