import {
  defineOperation,
  field,
  type NewRow,
  normaliseDomain,
  Refusal,
  type Row,
  type WriteContext,
  where,
} from 'renown'
import * as v from 'valibot'
import { brandedBy } from '../detection/branded'
import { collisions } from '../detection/judge-answer'
import { forecast } from '../measure/plan'
import { isCountry, regionOf } from '../records/countries'
import { engines } from '../records/engines'
import { BusinessLocation, Workspace } from '../records/foreign'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { languageOf, suggestPrompts } from '../tracking/suggest-prompts'

const name = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(120))
const few = <S extends v.GenericSchema>(item: S, max: number, description: string) =>
  v.optional(v.pipe(v.array(item), v.maxLength(max), v.description(description)))
const country = v.pipe(
  v.string(),
  v.toUpperCase(),
  v.check(isCountry, 'an ISO 3166-1 alpha-2 code, such as GB'),
)

/** Asked when the caller names none. Those without access are listed as unavailable and cost nothing. */
const enginesDefault = ['chatgpt', 'claude', 'gemini', 'perplexity'] as const
/** What first-time set-up may cost until a person changes it. */
const budgetDefault = { usd_per_month: 30 }
const stopDefault = { half_width: 0.05, min_rounds: 5 }
/** US dollars for an answer, of which the search fee is most. Only for the forecast. */
const usdPerAnswer = 0.012
const days = 30

/** Sets up the first tracker of a location. */
export const setupVisibilityTracking = defineOperation({
  name: 'setupVisibilityTracking',
  summary:
    'Begin to ask AI assistants about a business: the first tracker of a location, with prompts. 409 with its id where there is one already',
  class: 'setup',
  crossAgency: 'own',
  input: v.strictObject({
    location_id: field.text('The business location'),
    brand_name: v.optional(
      v.pipe(name, v.description('Brand to look for. The name of the location unless given')),
    ),
    brand_domain: v.optional(
      field.text("Domain of the brand's own site. That of the location's website unless given"),
    ),
    brand_aliases: few(name, 20, 'Other names that count as the brand'),
    competitors: few(
      v.strictObject({ name, domain: v.optional(v.string()) }),
      20,
      'Competitors, each with a name and perhaps a domain',
    ),
    engines: few(
      v.picklist(engines),
      engines.length,
      'Answer engines. chatgpt, claude, gemini and perplexity unless given',
    ),
    prompts: few(
      v.pipe(v.string(), v.trim(), v.minLength(3), v.maxLength(500)),
      100,
      "Questions to ask. Suggested from the location's profile unless given",
    ),
    country: v.optional(v.pipe(country, v.description('Country to ask from, ISO 3166-1 alpha-2'))),
  }),
  output: v.object({
    tracker_id: field.text('The tracker'),
    brand_name: field.text('Brand that it looks for'),
    brand_domain: v.nullable(field.text("Domain of the brand's own site; null where none is known")),
    engines: v.array(field.text('Answer engine')),
    country: field.text('Country that it asks from'),
    prompts: v.array(
      v.object({
        text: field.text('The question'),
        is_branded: field.flag('It names the brand, and stays out of the headline rate'),
      }),
    ),
    forecast: v.object({
      days: field.integer('Days that it is for'),
      answers: field.integer('Answers if nothing stops it', { min: 0 }),
      usd: field.number('What they cost, in US dollars, by an average price', { min: 0 }),
      half_width: field.number('Half width of the 95 % interval of the mention rate after all days', {
        min: 0,
      }),
      sure_after_days: v.nullable(
        field.integer('Days until it knows enough and stops; null: not within them'),
      ),
      usd_until_sure: field.number('What it costs until then, in US dollars', { min: 0 }),
    }),
    usd_per_month: field.number('Most US dollars that it may cost in a month. People can change it', {
      min: 0,
    }),
  }),
  async run(ctx, input) {
    const location = await locationOf(ctx, input.location_id)
    const workspace = await ctx.rows(Workspace).get(ctx.workspace.id)
    const brand_name = input.brand_name ?? location.business_name
    const brand_domain = domainOf(input.brand_domain, location.website)
    const place = input.country ?? countryOf(location.country, workspace?.locale)
    const language = languageOf(workspace?.locale)
    const chosen = input.engines ?? [...enginesDefault]
    const competitors = (input.competitors ?? []).map((one) => ({
      name: one.name,
      ...(one.domain === undefined ? {} : { domain: domainOf(one.domain) ?? '' }),
    }))
    const brand_aliases = input.brand_aliases ?? []
    refuseCollisions({ brand: { names: [brand_name, ...brand_aliases] }, competitors })
    const prompts = promptsOf(input.prompts, { brand_name, brand_aliases, language, location })
    const tracker = await insertTracker(ctx, {
      ...{ location_id: location.id, name: brand_name, brand_name, brand_aliases, competitors },
      ...(brand_domain === undefined ? {} : { brand_domain }),
      ...{ engines: [...chosen], countries: [place], provider: 'direct', run_frequency_hours: 24 },
      ...{ is_active: true, is_first: true, due_at: ctx.now().toISOString() },
      ...{ budget: budgetDefault, stop_when: stopDefault },
    })
    for (const { text, intent, is_branded } of prompts) {
      await ctx.rows(VisibilityPrompt).insert({
        ...{ tracker_id: tracker.id, location_id: location.id, text, language, country: place, intent },
        ...{ tags: is_branded ? ['branded'] : [], status: 'active' },
        source: input.prompts ? 'user' : 'suggested',
      })
    }
    const plan = forecast({
      ...{ cells: prompts.length * chosen.length, days, usdPerAnswer, stop: stopDefault },
    })
    return {
      ...{ tracker_id: tracker.id, brand_name, brand_domain: brand_domain ?? null, engines: [...chosen] },
      ...{ country: place, prompts: prompts.map(({ text, is_branded }) => ({ text, is_branded })) },
      forecast: {
        ...{ days, answers: plan.answers, usd: plan.usd, half_width: plan.half_width },
        ...{ sure_after_days: plan.sure_after_days, usd_until_sure: plan.usd_until_sure },
      },
      usd_per_month: budgetDefault.usd_per_month,
    }
  },
})

type Location = Row<typeof BusinessLocation>

async function locationOf(ctx: WriteContext, id: string): Promise<Location> {
  const location = await ctx.rows(BusinessLocation).get(id)
  if (!location) throw new Refusal('not_found', 'There is no such location in this workspace.')
  if (location.is_prospect || location.is_demo) {
    throw new Refusal(
      'invalid_field',
      'AI assistants are asked about locations of your own, not about prospects or a demo.',
      {
        errors: [{ pointer: '/location_id', code: 'invalid', message: 'is a prospect or belongs to a demo' }],
      },
    )
  }
  const [known] = await ctx.rows(VisibilityTracker).list({ where: where.eq('location_id', id), limit: 1 })
  if (known) throw alreadySetUp(known.id)
  return location
}

const alreadySetUp = (id: string) =>
  new Refusal('already_set_up', `This location has the tracker ${id}.`, { extra: { tracker_id: id } })

/** Inserts the tracker. Of two calls at once, the second is refused with the tracker of the first. */
async function insertTracker(
  ctx: WriteContext,
  row: NewRow<typeof VisibilityTracker>,
): Promise<{ readonly id: string }> {
  try {
    return await ctx.rows(VisibilityTracker).insert(row)
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'conflict')) throw error
    const [tracker] = await ctx
      .rows(VisibilityTracker)
      .list({ where: where.eq('location_id', row.location_id), limit: 1 })
    throw tracker ? alreadySetUp(tracker.id) : error
  }
}

function domainOf(given: string | undefined, website?: string | undefined): string | undefined {
  if (given === undefined) return website === undefined ? undefined : (normaliseDomain(website) ?? undefined)
  const domain = normaliseDomain(given)
  if (domain !== null) return domain
  throw new Refusal('invalid_field', `${given} is no domain.`, {
    errors: [{ pointer: '/brand_domain', code: 'invalid', message: 'a domain such as example.com' }],
  })
}

function countryOf(named: string | undefined, locale: string | undefined): string {
  const code = named?.trim().toUpperCase() ?? ''
  return isCountry(code) ? code : regionOf(locale)
}

function refuseCollisions(tracked: Parameters<typeof collisions>[0]): void {
  const [same] = collisions(tracked)
  if (!same) return
  throw new Refusal('invalid_field', `"${same.name}" is a name of the brand and of a competitor.`, {
    errors: [
      { pointer: '/competitors', code: 'invalid', message: `${same.name} is also a name of the brand` },
    ],
  })
}

function promptsOf(
  given: readonly string[] | undefined,
  {
    brand_name,
    brand_aliases,
    language,
    location,
  }: {
    readonly brand_name: string
    readonly brand_aliases: readonly string[]
    readonly language: string
    readonly location: Location
  },
) {
  const isBranded = brandedBy({ brand_name, brand_aliases })
  const suggested = suggestPrompts({
    ...{ name: brand_name, category: location.business_category, city: location.city, language },
  })
  const prompts = given
    ? [...new Set(given)].map((text) => ({ text, intent: 'commercial' as const }))
    : suggested
  if (prompts.length === 0) {
    throw new Refusal(
      'invalid_field',
      'The location has no category and no city, so that no prompt can be suggested. Send `prompts`.',
      {
        errors: [{ pointer: '/prompts', code: 'required', message: 'send one to 100 prompts' }],
      },
    )
  }
  return prompts.map(({ text, intent }) => ({ text, intent, is_branded: isBranded(text) }))
}
