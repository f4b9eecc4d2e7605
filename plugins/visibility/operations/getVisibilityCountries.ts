import { defineOperation, field, ours, type ReadContext } from 'renown'
import * as v from 'valibot'
import { countryCodes, countryName, likelyRegionOf } from '../records/countries'
import { engines, pinnedEngines } from '../records/engines'
import { Workspace } from '../records/foreign'
import { countriesOf, trackedBy } from '../sums/tracked'

const matchesMax = 20
const listed = v.object({
  code: field.text('ISO 3166-1 alpha-2, upper case'),
  name: ours(field.text('Name of the country in English')),
  engines: v.pipe(
    v.array(v.picklist(engines)),
    v.description(
      'Answer engines that can answer for this country. This does not mean that a provider is set up for them',
    ),
  ),
})

/** Returns the countries that questions can be asked from. Agents get those that are asked from, and the codes of all. */
export const getVisibilityCountries = defineOperation({
  name: 'getVisibilityCountries',
  summary: 'Countries that questions can be asked from',
  class: 'read',
  crossAgency: 'allowed',
  shorten: (answer, { search, all }) =>
    search !== undefined || all !== undefined
      ? null
      : {
          answer: { ...answer, countries: among(answer.countries, [answer.default, ...answer.tracked]) },
          left: 'Countries that no tracker asks from are left out. Their codes are in codes, and search finds them by name.',
        },
  input: v.strictObject({
    search: v.optional(
      v.pipe(
        v.string(),
        v.trim(),
        v.minLength(1),
        v.maxLength(60),
        v.description(`Code or part of a name, such as DE or german: at most ${matchesMax}`),
      ),
    ),
    all: v.optional(
      field.flag('false: only the countries that trackers ask from, and the default. Default: true'),
    ),
  }),
  output: v.object({
    countries: v.pipe(
      v.array(listed),
      v.description('By name. All countries, unless `search` or `all` asks for fewer'),
    ),
    tracked: field.codes('Codes of the countries that trackers ask from'),
    codes: ours(field.text('Codes of all countries, with spaces between them. Each is a valid `country`')),
    total: field.integer('Number of these codes', { min: 0 }),
    default: field.text(
      "Country to offer first: that of the workspace's locale, else US. Set-up takes the country of the location",
    ),
  }),
  async run(ctx, { search, all }) {
    const workspace = await ctx.rows(Workspace).get(ctx.workspace.id)
    const usual = likelyRegionOf(workspace?.locale)
    const tracked = await trackedCountries(ctx)
    const chosen = all === false ? among(everyCountry, [usual, ...tracked]) : everyCountry
    return {
      countries: search === undefined ? chosen : matching(search),
      tracked,
      codes: countryCodes.join(' '),
      total: countryCodes.length,
      default: usual,
    }
  },
})

async function trackedCountries(ctx: ReadContext): Promise<string[]> {
  const { trackers } = await trackedBy(ctx, {})
  return countriesOf(ctx, trackers)
}

const among = <C extends { readonly code: string }>(countries: readonly C[], codes: readonly string[]): C[] =>
  countries.filter(({ code }) => codes.includes(code))

function matching(search: string) {
  const text = folded(search)
  const exact = everyCountry.filter(({ code }) => folded(code) === text)
  const named = everyCountry.filter(({ code, name }) => folded(name).includes(text) && folded(code) !== text)
  return [...exact, ...named].slice(0, matchesMax)
}

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const everyCountry = countryCodes
  .map((code) => ({ code, name: countryName(code), engines: [...pinnedEngines] }))
  .sort((a, b) => a.name.localeCompare(b.name, 'en'))
