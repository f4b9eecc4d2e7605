import { defineOperation, field, foreignEntity } from 'renown'
import * as v from 'valibot'
import { countryCodes, countryName } from '../records/countries'
import { engines, pinnedEngines } from '../records/engines'

/** The fields of a workspace that are read here. */
export const Workspace = foreignEntity('Workspace', {
  locale: field.text('BCP 47 language tag of its texts'),
})

const fallback = 'US'

/** Returns the countries that questions can be asked from. */
export const getVisibilityCountries = defineOperation({
  name: 'getVisibilityCountries',
  summary: 'Countries that AI Visibility runs can be pinned to',
  class: 'read',
  crossAgency: 'allowed',
  input: v.strictObject({}),
  output: v.object({
    countries: v.pipe(
      v.array(
        v.object({
          code: field.text('ISO 3166-1 alpha-2, upper case'),
          name: field.text('Name of the country in English'),
          engines: v.pipe(
            v.array(v.picklist(engines)),
            v.description(
              'Answer engines that can be asked as from there. Whether a provider is set up for one is another matter',
            ),
          ),
        }),
      ),
      v.description('Every country of ISO 3166-1, by name'),
    ),
    default: field.text("Default country: that of the workspace's locale, else US"),
  }),
  async run(ctx) {
    const workspace = await ctx.rows(Workspace).get(ctx.workspace.id)
    return { countries, default: regionOf(workspace?.locale) }
  },
})

const countries = countryCodes
  .map((code) => ({ code, name: countryName(code), engines: [...pinnedEngines] }))
  .sort((a, b) => a.name.localeCompare(b.name, 'en'))

const known = new Set(countryCodes)

/** The country that a language tag names, or that its language is most at home in. */
function regionOf(locale: string | undefined): string {
  try {
    const region = locale === undefined ? undefined : new Intl.Locale(locale).maximize().region
    return region !== undefined && known.has(region) ? region : fallback
  } catch {
    return fallback
  }
}
