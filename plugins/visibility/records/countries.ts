import { field, nearest } from 'renown'

/** ISO 3166-1 alpha-2, the officially assigned codes. */
export const countryCodes = `
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT
MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ
UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`
  .trim()
  .split(/\s+/)

const english = new Intl.DisplayNames('en', { type: 'region' })

/** Returns the English name of a country. */
export const countryName = (code: string): string => english.of(code) ?? code

const known = new Set(countryCodes)

/** Returns the country that a language tag names, such as GB for `en-GB`. Null for a language alone, which many countries speak. */
export function regionOf(locale: string | undefined): string | null {
  try {
    const region = locale === undefined ? undefined : new Intl.Locale(locale).region
    return region !== undefined && known.has(region) ? region : null
  } catch {
    return null
  }
}

/**
 * Returns the country to offer first in a list: the one that a language tag names, or the main country of its language, else
 * US. It is a guess, so nothing is asked from there unless somebody chooses it.
 */
export function likelyRegionOf(locale: string | undefined): string {
  try {
    return regionOf(locale === undefined ? undefined : new Intl.Locale(locale).maximize().toString()) ?? 'US'
  } catch {
    return 'US'
  }
}

/** Whether a text is a country code in upper case. */
export const isCountry = (code: string): boolean => known.has(code)

const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()

/** Returns the code of the country that a text names by its code or its English name. Returns other texts in upper case. */
export function countryMeant(text: string): string {
  const name = folded(text)
  return countryCodes.find((code) => folded(countryName(code)) === name) ?? text.trim().toUpperCase()
}

/** Says that a text is no country, and which one it may mean. */
export function noCountry(text: string): string {
  const meant = nearest(text, countryCodes.map(countryName))
  const code = countryCodes.find((one) => countryName(one) === meant)
  return `an ISO 3166-1 alpha-2 code${code === undefined ? '' : `, such as ${code} for ${countryName(code)}`}`
}

/** A stored country, ISO 3166-1 alpha-2. */
export const countryField = (description: string) =>
  field.spelled(description, (text) => {
    const meant = countryMeant(text)
    return isCountry(meant) ? meant : { message: noCountry(text) }
  })
