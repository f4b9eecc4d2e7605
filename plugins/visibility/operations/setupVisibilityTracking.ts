import { actOperation, field } from 'renown'
import * as v from 'valibot'
import { engines } from '../records/engines'
import { forecastDays, requireCountry, usdPerMonthDefault } from '../tracking/begin-tracking'
import { countryCode, brandName as name, promptText } from '../tracking/brand-fields'
import { setUpTracker } from '../tracking/edit-acts'

const few = <S extends v.GenericSchema>(item: S, max: number, description: string) =>
  v.optional(v.pipe(v.array(item), v.maxLength(max), v.description(description)))

/** Sets up the first tracker of a location. */
export const setupVisibilityTracking = actOperation(setUpTracker, {
  name: 'setupVisibilityTracking',
  summary:
    'Create the first tracker of a location, with prompts, to ask AI assistants about the business. 409 with its id if it exists already',
  class: 'setup',
  crossAgency: 'own',
  record: ['location_id', 'The business location'],
  fields: {
    brand_name: v.optional(v.pipe(name, v.description('Default: the name of the location'))),
    brand_domain: v.optional(field.text("Default: the domain of the location's website")),
    brand_aliases: few(name, 20, 'Other names of the brand'),
    competitors: few(
      v.strictObject({ name, domain: v.optional(v.string()) }),
      20,
      'Competitors of the brand',
    ),
    engines: few(
      v.picklist(engines),
      engines.length,
      'Answer engines. Default: chatgpt, claude, gemini and perplexity',
    ),
    prompts: few(promptText, 100, "Questions to ask. Suggested from the location's profile unless given"),
    country: v.optional(
      v.pipe(
        countryCode,
        v.description(
          'Country to ask from, ISO 3166-1 alpha-2. Default: that of the location. Required if the location shows none',
        ),
      ),
    ),
  },
  output: v.object({
    tracker_id: field.code('The tracker'),
    brand_name: field.text('Brand that it looks for'),
    brand_domain: v.nullable(field.text("Domain of the brand's own site; null where none is known")),
    engines: v.array(field.code('Answer engine')),
    country: field.text('Country that it asks from'),
    prompts: v.array(
      v.object({
        text: field.text('The question'),
        is_branded: field.flag('It names the brand, so the headline rate leaves it out'),
      }),
    ),
    forecast: v.object({
      days: field.integer('Days that it is for'),
      answers: field.integer('Number of answers if nothing stops it', { min: 0 }),
      usd: field.number('Their cost in US dollars, by an average price', { min: 0 }),
      half_width: field.number('Half width of the 95 % interval of the mention rate after all days', {
        min: 0,
      }),
      sure_after_days: v.nullable(
        field.integer('Days until it knows enough and stops; null: not within them'),
      ),
      usd_until_sure: field.number('Its cost until then, in US dollars', { min: 0 }),
    }),
    usd_per_month: field.number('Maximum cost per month in US dollars. People can change it', {
      min: 0,
    }),
    warnings: v.optional(field.texts('Assistants whose price is not known, and what counts instead')),
  }),
  given: ({ brand_aliases, ...given }) => ({ ...given, aliases: brand_aliases }),
  answer({ plan, warnings }, { created = '' }) {
    const { brand_name, brand_domain = null, engines: asked } = plan.tracker
    const { answers, usd, half_width, sure_after_days, usd_until_sure } = plan.forecast
    return {
      tracker_id: created,
      brand_name,
      brand_domain,
      engines: [...asked],
      country: requireCountry(plan),
      prompts: plan.prompts.map(({ text, is_branded }) => ({ text, is_branded })),
      forecast: { days: forecastDays, answers, usd, half_width, sure_after_days, usd_until_sure },
      usd_per_month: usdPerMonthDefault,
      ...(warnings.length > 0 ? { warnings } : {}),
    }
  },
})
