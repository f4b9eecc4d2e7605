import table from './country-numbers.json'

const names = new Intl.DisplayNames(['en'], { type: 'region' })

const numbers = new Map(
  Object.entries(table).flatMap(([code, number]) => [
    [code, number] as const,
    [names.of(code)?.toUpperCase() ?? code, number] as const,
  ]),
)

/** Returns the ISO 3166-1 numeric code of a country, by its two letters or its English name. */
export const countryNumber = (country: string): number | undefined =>
  numbers.get(country.trim().toUpperCase())
