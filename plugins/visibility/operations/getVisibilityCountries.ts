import { defineOperation, field } from 'renown'
import * as v from 'valibot'
import { countryCodes, countryName, regionOf } from '../records/countries'
import { engines, pinnedEngines } from '../records/engines'
import { Workspace } from '../records/foreign'

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
