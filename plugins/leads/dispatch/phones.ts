import { type BusinessFacts, isPhoneOfBusiness } from './business-details'
import { isOfAuthor } from './whose-detail'

/** A telephone number of an author and where it is. */
export interface FoundPhone {
  readonly field: 'phone'
  readonly value: string
  readonly start: number
  readonly end: number
}

const digits = /\p{Nd}[\p{Nd}\s().\u2010-\u2015/-]{4,60}\p{Nd}/u

/** A number after one of these words is one, also if the tables of its country do not know its range yet. */
const introduced =
  /(?:\b(?:call|phone|ring|text|tel|mob|mobile|cell|whatsapp|number|nummer|handy|telefon|mobil|ruf\p{L}{0,3}|appel\p{L}{1,4}|portable|m[oó]vil|tel[eé]fono|celular|ll[aá]m\p{L}{1,5}|cellulare|telefono|chiam\p{L}{1,4}|bel|telefoon|telefone|telem[oó]vel|lig\p{L}{1,3})\b|\b(?:me|us) on)[^\d\n]{0,20}$/iu

/** A date with its time, whose digits would be read as a number. The three separators are written out, because none may be mixed. */
const dates =
  /(?<![\d./-])(?:\d{1,2}\.\d{1,2}\.(?:19|20)\d\d|\d{1,2}\/\d{1,2}\/(?:19|20)\d\d|\d{1,2}-\d{1,2}-(?:19|20)\d\d|(?:19|20)\d\d(?:\.\d{1,2}\.|\/\d{1,2}\/|-\d{1,2}-)\d{1,2})(?![./-]?\d)(?:[ T,]{1,2}\d{1,2}[:.]\d{2}(?:[:.]\d{2})?)?/g
const withoutDates = (text: string): string => text.replace(dates, (date) => '\n'.repeat(date.length))

const isIntroduced = (text: string, at: number): boolean =>
  introduced.test(text.slice(Math.max(0, at - 40), at))

/** Countries in which people write a number with its zero. Without it and in one piece, it is as likely another number. */
const trunkZeros: ReadonlySet<string> = new Set('GB IE DE AT CH FR BE NL SE FI AU NZ ZA'.split(' '))

/** A number with its trunk zero or its country, in groups. */
const written =
  /(?<![\p{L}\p{N}/=_+-])(?:\+\d{1,3}[ .-]?(?:\(0\)[ .-]?)?|0)\d(?:[ .()-]{0,2}\d){7,10}(?![\p{L}\p{N}])/gu

/** Returns the telephone numbers that the author of a text states about themselves, in order. */
export async function phones(given: string, business: BusinessFacts): Promise<FoundPhone[]> {
  if (!digits.test(given)) return []
  // The tables of all countries take time to load, and most posts have no number.
  const library = await import('libphonenumber-js/max')
  const country = business.country?.toUpperCase()
  const options = country && library.isSupportedCountry(country) ? { defaultCountry: country } : {}
  const text = withoutDates(asciiDigits(given))
  // After a comma, a postcode would be read as an extension.
  const known = library.findPhoneNumbersInText(text.replace(/[,;]/g, '\n'), options).flatMap((one) => {
    const number = withoutPostcode(one.number.isValid() ? one : null, text)
    if (number === null || isPartOfWord(text, number.start)) return []
    const isBare =
      trunkZeros.has(country ?? '') && /^[1-9]\d{8,11}$/.test(text.slice(number.start, number.end))
    return isBare && !isIntroduced(text, number.start) ? [] : [number]
  })
  const others = [...text.matchAll(written)].flatMap(({ 0: value, index }): FoundNumber[] => {
    const end = index + value.length
    if (known.some((one) => index < one.end && one.start < end)) return []
    if (!isIntroduced(text, index)) return []
    const parsed = library.parsePhoneNumberFromString(value, options)
    return parsed?.isPossible()
      ? [{ value: parsed.formatInternational(), start: index, end, isFirm: false }]
      : []
  })
  return [...known, ...others]
    .toSorted((a, b) => a.start - b.start)
    .filter(({ value }) => !isPhoneOfBusiness(value, business))
    .filter(({ start, end, isFirm }) => isOfAuthor(given, start, end, { mustSay: isFirm }))
    .map(({ value, start, end }) => ({ field: 'phone', value, start, end }))

  /** Returns a found number, without a postcode that its digits run into, as in “030 901820 10115 Berlin”. */
  function withoutPostcode(
    found: ReturnType<typeof library.findPhoneNumbersInText>[number] | null,
    whole: string,
  ): FoundNumber | null {
    if (found === null) return null
    const { number, startsAt: start, endsAt: end } = found
    const isFirm = firmTypes.has(number.getType() ?? '')
    const all = { value: number.formatInternational(), start, end, isFirm }
    const tail = /(?<=\d)[\s/–—-]{1,4}(?<code>\d{4,6})$/.exec(whole.slice(start, end))
    if (!tail || !/^ \p{Lu}\p{L}/u.test(whole.slice(end, end + 3))) return all
    const shorter = library.parsePhoneNumberFromString(whole.slice(start, start + tail.index), options)
    if (!shorter?.isValid()) return all
    return { ...all, value: shorter.formatInternational(), end: start + tail.index }
  }
}

interface FoundNumber extends Omit<FoundPhone, 'field'> {
  /** Whether only firms have such a number. */
  readonly isFirm: boolean
}

/** Kinds of numbers that only firms have. */
const firmTypes: ReadonlySet<string> = new Set(['TOLL_FREE', 'PREMIUM_RATE', 'SHARED_COST', 'UAN'])

/** Japanese and Thai write no space before a number. */
const isPartOfWord = (text: string, start: number): boolean =>
  /[[\p{L}\d_\/=]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]]$/v.test(
    text.slice(Math.max(0, start - 1), start),
  )

/** Returns a text of the same length with the digits of other scripts as 0 to 9. */
const asciiDigits = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\uff10-\uff19]/g, (digit) =>
    String(digitValue(digit.charCodeAt(0))),
  )

/** The code of zero in each script. */
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0xff10] as const
const digitValue = (code: number): number => {
  const zero = zeros.find((one) => code >= one && code <= one + 9) ?? code
  return code - zero
}
