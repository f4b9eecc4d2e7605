import { remembered } from './remembered'

/** The language in which every message exists. */
export const sourceLanguage = 'en'

/** The language and the time zone of a page. */
export interface PageLocale {
  readonly lang: string
  readonly timezone: string
}

/** The locale of texts for readers without a language of their own. */
export const englishLocale: PageLocale = { lang: sourceLanguage, timezone: 'UTC' }

/** English pages use the forms of the United Kingdom: 14 Mar 2026. */
export const tagOf = (lang: string) => (lang === sourceLanguage ? 'en-GB' : lang)

/** Formats a day in a language: 14 Mar 2026, or 14. März 2026. */
export const dayText = (day: string, lang: string): string =>
  dayFormat(lang).format(new Date(`${day.slice(0, 10)}T00:00:00Z`))

const dayFormat = remembered(
  (lang: string) =>
    new Intl.DateTimeFormat(tagOf(lang), {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    }),
)

/** Formats a time in a time zone and a language: 14 Mar 2026, 13:05 CET. */
export const exactTime = (at: string, timezone: string, lang: string = sourceLanguage): string =>
  exactFormat(lang, timezone).format(new Date(at))

const exactFormat = remembered(
  (lang: string, timezone: string) =>
    new Intl.DateTimeFormat(tagOf(lang), {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone: timezone,
      timeZoneName: 'short',
    }),
)

/** Formats the day of a time in a time zone and a language. */
export const dayOfTime = (at: string, timezone: string, lang: string): string =>
  dayOfTimeFormat(lang, timezone).format(new Date(at))

const dayOfTimeFormat = remembered(
  (lang: string, timezone: string) =>
    new Intl.DateTimeFormat(tagOf(lang), { dateStyle: 'medium', timeZone: timezone }),
)
