import type { AnyWords } from '../../contracts/words'
import { type PageLocale, sourceLanguage } from '../../kit/page-locale'
import { messagesIn, shownText } from '../../kit/phrases'
import type { PageLanguage } from '../kit/browser/page-time'
import { englishPage } from '../kit/parts/language'
import { partWords } from '../kit/parts/words'
import { frameWords } from './words'

/** The languages that a person can choose: English, and those of the frame. */
export const languages: readonly string[] = [sourceLanguage, ...frameWords.catalog.translations.keys()]

/** Returns the name of a language in itself, such as Deutsch. */
export const languageName = (lang: string): string => {
  const name = new Intl.DisplayNames([lang], { type: 'language' }).of(lang) ?? lang
  return `${name.slice(0, 1).toLocaleUpperCase(lang)}${name.slice(1)}`
}

const acceptedMax = 20

/**
 * Returns the language that a browser prefers among those of the pages, by its Accept-Language header (RFC 9110, section
 * 12.5.4). A regional variant such as `de-AT` accepts its language. Null if it names none of them.
 */
export function preferredLanguage(
  header: string | null,
  offered: readonly string[] = languages,
): string | null {
  const ranges = (header ?? '')
    .split(',', acceptedMax)
    .map((range) => {
      const [tag = '', weight = 'q=1'] = range.split(';').map((part) => part.trim().toLowerCase())
      return { tag, weight: Number(/^q=(\d(?:\.\d{1,3})?)$/.exec(weight)?.[1] ?? 0) }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
  for (const { tag } of ranges) {
    const found = offered.find(
      (lang) => tag === lang.toLowerCase() || tag.startsWith(`${lang.toLowerCase()}-`),
    )
    if (found !== undefined) return found
  }
  return null
}

/** Returns the language of a person's pages: the chosen one while it is offered, otherwise English. */
export const languageOf = (person: { readonly language?: string | undefined } | null): string =>
  languages.find((lang) => lang === person?.language) ?? sourceLanguage

/** Returns the language of the content of a page: the person's if the room of the page has it, otherwise English. */
export const contentLanguage = (words: AnyWords | undefined, lang: string): string =>
  words?.catalog.translations.has(lang) ? lang : sourceLanguage

/** Returns the language of a page with the words of its room, for its components. */
export function pageLanguage(words: AnyWords | undefined, asked: string): PageLanguage {
  const lang = contentLanguage(words, asked)
  const { messages: parts } = messagesIn(partWords.catalog, lang)
  return { lang, own: words === undefined ? englishPage.own : messagesIn(words.catalog, lang), parts }
}

/** The language of a frame for people who are not signed in. */
export const englishFrame: PageLanguage = pageLanguage(frameWords, sourceLanguage)

/** Returns the title of a page whose form was refused. */
export const errorTitle = (title: string, locale: PageLocale): string =>
  shownText(partWords('errorTitle', { title }), locale).text

/** Returns the locale of a page, by the language of its content. */
export const localeOf = (words: AnyWords | undefined, asked: string, timezone: string): PageLocale => ({
  lang: contentLanguage(words, asked),
  timezone,
})
