import { defineCommand, field, Refusal } from 'renown'
import { writerIn } from 'renown/pages'
import * as v from 'valibot'
import { BusinessLocation } from '../records/foreign'
import { beginTracking, planTracking } from './begin-tracking'
import { brandName, countryCode, promptText } from './brand-fields'
import { addPrompts, promptsOf, removePrompt, setPromptStatus } from './change-prompts'
import { changeTracker, requireReachable } from './change-tracker'
import { namedTracker } from './named-tracker'
import { noteTracker } from './note-tracker'
import { priceNotes, requireCostLimit, warningsOf } from './price-notes'
import { trackerForecast } from './tracker-forecast'
import {
  typedAliases,
  typedCompetitors,
  typedCount,
  typedCountries,
  typedDays,
  typedDollars,
  typedPrompts,
  typedStop,
} from './typed-fields'

const engineList = v.pipe(
  v.string(),
  v.transform((text) => text.split(/[\s,]+/).filter((part) => part !== '')),
  v.minLength(1, 'at least one engine'),
)
const described = <S extends v.GenericSchema>(schema: S, description: string) =>
  v.optional(v.pipe(schema, v.description(description)))

const brand = {
  brand_name: described(brandName, 'Brand to look for'),
  aliases: described(typedAliases, 'Other names of the brand, separated by semicolons'),
  competitors: described(
    typedCompetitors,
    'Competitors, separated by semicolons, each perhaps with a domain: "Drain Doctors, draindoctors.example; Beta"',
  ),
  engines: described(engineList, 'AI assistants, separated by commas. `visibility engine list` lists them'),
  provider: described(v.string(), 'How they are reached: direct, dataforseo or recorded'),
  usd_per_month: described(typedDollars, 'Most US dollars in a month. Nothing between the quotes: no limit'),
}

/** Begins to track a location. */
export const setUpTracker = defineCommand({
  name: 'visibility tracker create',
  summary: 'Begin to ask AI assistants about a location, and forecast what it costs',
  input: v.strictObject({
    location_id: field.text('Id of the location'),
    ...brand,
    brand_domain: described(v.string(), "Domain of the brand's own site"),
    prompts: described(typedPrompts, 'Prompts, one on each line. Suggested unless given'),
    country: described(countryCode, 'Country to ask from, ISO 3166-1 alpha-2'),
    plan_only: v.optional(field.flag('Only show the prompts and the forecast')),
  }),
  positional: ['location_id'],
  async run(ctx, { aliases, plan_only, ...choice }) {
    const location = await ctx.rows(BusinessLocation).get(choice.location_id)
    if (!location) throw new Refusal('not_found', 'There is no such location.')
    await ctx.requireActive(location.workspace_id)
    const writer = writerIn(ctx, location.workspace_id)
    const plan = await planTracking(writer, { ...choice, brand_aliases: aliases })
    requireReachable(ctx, plan.tracker)
    const warnings = warningsOf(await requireCostLimit(ctx, plan.tracker))
    const tracker_id = plan_only ? null : await beginTracking(writer, plan)
    const noted = { workspace_id: location.workspace_id, name: plan.tracker.name }
    if (!plan_only) await noteTracker(ctx, noted, 'begin')
    return {
      ...(tracker_id === null ? {} : { tracker_id }),
      prompts: plan.prompts.map(({ text, is_branded }) => ({ text, is_branded })),
      forecast: plan.forecast,
      usd_per_month: plan.tracker.budget?.usd_per_month ?? 'no limit',
      ...(warnings.length > 0 ? { warnings } : {}),
    }
  },
})

/** Changes what a tracker asks, whom, from where, and for how much. */
export const editTracker = defineCommand({
  name: 'visibility tracker update',
  summary: 'Change the names, competitors, engines, countries or limits of a tracker',
  input: v.strictObject({
    tracker_id: field.text('Id of the tracker'),
    name: described(brandName, 'Name of the tracker'),
    ...brand,
    brand_domain: described(v.string(), "Domain of the brand's own site. Nothing between the quotes: none"),
    countries: described(
      typedCountries,
      'Countries to ask from, separated by commas. Nothing between the quotes: each prompt has its own',
    ),
    every_days: described(typedDays, 'Days between two rounds, from 1 to 30'),
    searches_per_day: described(typedCount, 'Most searches in a day. Nothing between the quotes: no limit'),
    stop_at: described(typedStop, 'Stop for the month when the rate is known to this many points, or never'),
  }),
  positional: ['tracker_id'],
  async run(ctx, { tracker_id, aliases, every_days, searches_per_day, stop_at, brand_domain, ...change }) {
    const tracker = await namedTracker(ctx, tracker_id)
    await ctx.requireActive(tracker.workspace_id)
    const changed = await changeTracker(ctx, tracker, {
      ...change,
      brand_aliases: aliases,
      run_frequency_hours: every_days,
      stop_when: stop_at,
      search_calls_per_day: searches_per_day,
      brand_domain: brand_domain === '' ? null : brand_domain,
    })
    const { name, brand_name, brand_aliases, competitors, engines, countries, budget } = changed
    const prompts = await promptsOf(ctx, tracker_id)
    const warnings = warningsOf(await priceNotes(ctx, changed))
    return {
      ...(warnings.length > 0 ? { warnings } : {}),
      tracker: name,
      brand_name,
      brand_aliases,
      competitors,
      engines,
      countries: countries ?? [],
      budget: budget ?? {},
      forecast: await trackerForecast(ctx, ctx.now(), changed, prompts),
    }
  },
})

/** Lists the prompts of a tracker. */
export const listPrompts = defineCommand({
  name: 'visibility prompt list',
  summary: 'List the prompts of a tracker',
  input: v.strictObject({ tracker_id: field.text('Id of the tracker') }),
  positional: ['tracker_id'],
  async run(ctx, { tracker_id }) {
    const { id, name } = await namedTracker(ctx, tracker_id)
    return {
      tracker: name,
      prompts: (await promptsOf(ctx, id)).map((prompt) => ({
        text: prompt.text,
        id: prompt.id,
        status: prompt.status,
        country: prompt.country,
        last_run_at: prompt.last_run_at ?? null,
      })),
    }
  },
})

/** Adds a prompt to a tracker. */
export const addPrompt = defineCommand({
  name: 'visibility prompt add',
  summary: 'Add a prompt to a tracker. It is asked from today on',
  input: v.strictObject({
    tracker_id: field.text('Id of the tracker'),
    text: v.pipe(promptText, v.description('The question')),
  }),
  positional: ['tracker_id', 'text'],
  async run(ctx, { tracker_id, text }) {
    const tracker = await namedTracker(ctx, tracker_id)
    await ctx.requireActive(tracker.workspace_id)
    const added = await addPrompts(ctx, tracker, [text])
    if (added.length === 0) throw new Refusal('conflict', 'The tracker has this prompt already.')
    return { tracker: tracker.name, added: text }
  },
})

const promptIds = { tracker_id: field.text('Id of the tracker'), prompt_id: field.text('Id of the prompt') }

const statusCommand = (verb: 'pause' | 'resume', summary: string) =>
  defineCommand({
    name: `visibility prompt ${verb}`,
    summary,
    positional: ['tracker_id', 'prompt_id'],
    input: v.strictObject(promptIds),
    async run(ctx, { tracker_id, prompt_id }) {
      const tracker = await namedTracker(ctx, tracker_id)
      const status = verb === 'pause' ? 'paused' : 'active'
      const changed = await setPromptStatus(ctx, tracker, prompt_id, status)
      if (!changed) throw noPrompt(prompt_id, tracker_id)
      return { prompt: changed.text, status }
    },
  })

/** Stops asking a prompt. */
export const pausePrompt = statusCommand('pause', 'Stop asking a prompt. Its answers stay and count')
/** Asks a prompt again. */
export const resumePrompt = statusCommand('resume', 'Ask a paused prompt again')

/** Deletes a prompt. */
export const deletePrompt = defineCommand({
  name: 'visibility prompt remove',
  summary: 'Delete a prompt. Its answers stay and no longer count in the headline rate',
  input: v.strictObject(promptIds),
  positional: ['tracker_id', 'prompt_id'],
  async run(ctx, { tracker_id, prompt_id }) {
    const tracker = await namedTracker(ctx, tracker_id)
    if (!(await removePrompt(ctx, tracker, prompt_id))) throw noPrompt(prompt_id, tracker_id)
    return { tracker: tracker.name, removed: prompt_id }
  },
})

const noPrompt = (prompt_id: string, tracker_id: string) =>
  new Refusal(
    'not_found',
    `The tracker has no prompt ${prompt_id}. \`bun renown visibility prompt list ${tracker_id}\` lists them.`,
  )
