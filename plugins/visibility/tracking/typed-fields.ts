import * as v from 'valibot'
import { brandName, countryCode, promptText } from './brand-fields'

/** Lists as people type them: one value on each line, or separated by semicolons. */

const partsOf = (text: string, separator: RegExp) => [
  ...new Set(
    text
      .split(separator)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
]

const list = <S extends v.GenericSchema<string>>(separator: RegExp, item: S, max: number, of: string) =>
  v.pipe(
    v.string(),
    v.transform((text) => partsOf(text, separator)),
    v.maxLength(max, `at most ${max} ${of}`),
    v.array(item),
  )

const line = /\r?\n|;/

/** Other names of the brand. */
export const typedAliases = list(line, brandName, 50, 'names')

/** Prompts, one on each line. They may have semicolons. */
export const typedPrompts = list(/\r?\n/, promptText, 100, 'prompts at once')

/** Country codes, separated by commas or spaces. */
export const typedCountries = list(/[\s,;]+/, countryCode, 30, 'countries')

/** Competitors: a name, perhaps with a comma and a domain, such as `Drain Doctors, draindoctors.example`. */
export const typedCompetitors = v.pipe(
  v.string(),
  v.transform((text) => partsOf(text, line).map(competitorOf)),
  v.maxLength(50, 'at most 50 competitors'),
  v.array(v.object({ name: brandName, domain: v.optional(v.string()) })),
)

function competitorOf(text: string): { name: string; domain?: string } {
  const at = text.lastIndexOf(',')
  const last = text.slice(at + 1).trim()
  const isDomain = at > 0 && /^(https?:\/\/)?[^\s/]+\.[^\s/.]{2,}\/?$/iu.test(last)
  return isDomain ? { name: text.slice(0, at).trim(), domain: last } : { name: text }
}

/** The competitors as `typedCompetitors` reads them. */
export const competitorLines = (
  competitors: readonly { readonly name: string; readonly domain?: string | undefined }[],
): string => competitors.map(({ name, domain }) => (domain ? `${name}, ${domain}` : name)).join('\n')

/** An amount in US dollars. Empty: no limit. */
export const typedDollars = v.pipe(
  v.string(),
  v.trim(),
  v.regex(
    /^(?:\d{1,6}(?:\.\d{1,2})?)?$/,
    'an amount in US dollars such as 25 or 12.50, or nothing for no limit',
  ),
  v.transform((text) => (text === '' ? null : Number(text))),
)

/** A whole number. Empty: no limit. */
export const typedCount = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^(?:[1-9]\d{0,6})?$/, 'a whole number from 1 to 9999999, or nothing for no limit'),
  v.transform((text) => (text === '' ? null : Number(text))),
)

/** The stop rule: the points to which the rate must be known, or `never`. */
export const typedStop = v.pipe(
  v.string(),
  v.regex(/^(?:never|[1-9]|[1-4]\d|50)$/, 'never, or points from 1 to 50'),
  v.transform((points) => (points === 'never' ? null : { half_width: Number(points) / 100, min_rounds: 5 })),
)

/** Days between two rounds of questions, as hours. */
export const typedDays = v.pipe(
  v.string(),
  v.regex(/^(?:[1-9]|[12]\d|30)$/, 'days from 1 to 30'),
  v.transform((days) => Number(days) * 24),
)
