import { countryCodes, isCountry } from './countries'

/** The languages in which platforms and people name countries. */
const languages = 'en de fr es it pt nl pl tr ru ar sv da nb fi cs hu ro el uk ja ko zh he'.split(' ')

/** Names that are no names of a country in Unicode, as they are compared. */
const others: Readonly<Record<string, string>> = {
  uk: 'GB',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  usa: 'US',
  'united states of america': 'US',
  america: 'US',
  holland: 'NL',
  'republic of ireland': 'IE',
  eire: 'IE',
  uae: 'AE',
}

/** Domains that are sold everywhere, and so show no country. */
const soldEverywhere = new Set(
  'ac ag ai am bz cc cd co cx dj fm gg gl gs im io je la li ly me ms mu nu pw sc sh st tk tl to tv vc vu ws'.split(
    ' ',
  ),
)

const folded = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('.', '').trim().toLowerCase()

let codes: ReadonlyMap<string, string> | null = null

/** Returns the codes of countries by their names in all of these languages. Made once, because it takes a while. */
function codesByName(): ReadonlyMap<string, string> {
  codes ??= new Map([
    ...languages.flatMap((language) => {
      const names = new Intl.DisplayNames(language, { type: 'region' })
      return countryCodes.map((code) => [folded(names.of(code) ?? code), code] as const)
    }),
    ...Object.entries(others),
  ])
  return codes
}

/** Returns the country of a web address by its domain. Null for domains that show none. */
function countryOfDomain(website: string | undefined): string | null {
  const host = URL.parse(/^https?:/i.test(website ?? '') ? (website ?? '') : `https://${website}`)?.hostname
  const end = host?.replace(/\.$/, '').split('.').at(-1) ?? ''
  if (soldEverywhere.has(end)) return null
  const code = end === 'uk' ? 'GB' : end.toUpperCase()
  return isCountry(code) ? code : null
}

/**
 * Returns the country in which a location is: the one that its profile names, by code or by name, else the one of its
 * web address. Null if neither shows it. A country that is named and not understood is not guessed by other means.
 */
export function countryOfLocation({
  country,
  website,
}: {
  readonly country?: string | undefined
  readonly website?: string | undefined
}): string | null {
  const named = country?.trim() ?? ''
  if (named === '') return countryOfDomain(website)
  const code = named.toUpperCase()
  return isCountry(code) ? code : (codesByName().get(folded(named)) ?? null)
}
