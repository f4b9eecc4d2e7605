import {
  type AnyEntity,
  isConflict,
  minuteMs,
  type NewRow,
  type OwnerContext,
  Refusal,
  type Row,
  refusedField,
  type WriteRows,
  where,
} from 'renown'
import type { WorkspaceWriter } from 'renown/pages'
import { normaliseDomain } from 'renown/sources'
import { brandedBy } from '../detection/branded'
import { type Forecast, forecast } from '../measure/plan'
import { regionOf } from '../records/countries'
import { BusinessLocation, Workspace } from '../records/foreign'
import { countryOfLocation } from '../records/location-country'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { domainIn, promptKey, refuseCollisions } from './brand-fields'
import { offered } from './offered'
import { languageOf, suggestPrompts } from './suggest-prompts'

/** Asked when the caller names none. Those without access are listed as unavailable and cost nothing. */
export const enginesDefault = ['chatgpt', 'claude', 'gemini', 'perplexity'] as const
/** What a new tracker may cost in a month until a person changes it, in US dollars. */
export const usdPerMonthDefault = 30
export const stopDefault = { half_width: 0.05, min_rounds: 5 }
/** US dollars for an answer, of which the search fee is most. Only for the forecast. */
export const usdPerAnswer = 0.012
/** Days of a forecast. */
export const forecastDays = 30

/** The part of a context that plans a tracker. */
interface Planning extends Pick<WorkspaceWriter, 'now' | 'workspace'> {
  rows<E extends AnyEntity>(entity: E): Pick<WriteRows<E>, 'get' | 'list'>
}

/** What a person or an agent chose for a first tracker. Everything but the location has a default. */
export interface Choice {
  readonly location_id: string
  readonly brand_name?: string | undefined
  readonly brand_domain?: string | undefined
  readonly brand_aliases?: readonly string[] | undefined
  readonly competitors?:
    | readonly { readonly name: string; readonly domain?: string | undefined }[]
    | undefined
  readonly engines?: readonly string[] | undefined
  readonly prompts?: readonly string[] | undefined
  readonly country?: string | undefined
  /** Default: `direct`. */
  readonly provider?: string | undefined
  /** Null: no limit. */
  readonly usd_per_month?: number | null | undefined
}

/** A prompt of a new tracker. Branded ones stay out of the headline rate. */
export interface PlannedPrompt {
  readonly text: string
  readonly intent: Row<typeof VisibilityPrompt>['intent']
  readonly is_branded: boolean
}

/** A tracker before it is stored. */
export interface TrackingPlan {
  readonly tracker: NewRow<typeof VisibilityTracker>
  readonly prompts: readonly PlannedPrompt[]
  /** Null: the location does not say, so the caller must. */
  readonly country: string | null
  readonly language: string
  readonly source: 'user' | 'suggested'
  readonly forecast: Forecast
}

/** Returns the first tracker of a location, without storing it. Throws Refusals that name the field. */
export async function planTracking(ctx: Planning, choice: Choice): Promise<TrackingPlan> {
  const location = await locationOf(ctx, choice.location_id)
  const workspace = await ctx.rows(Workspace).get(ctx.workspace.id)
  const brand_name = choice.brand_name ?? location.business_name
  const brand_domain = domainOf(choice.brand_domain, location.website)
  const country = choice.country ?? countryOfLocation(location) ?? regionOf(workspace?.locale)
  const language = languageOf(workspace?.locale)
  const engines = [...(choice.engines ?? enginesDefault)]
  const competitors = (choice.competitors ?? []).map(({ name, domain }) => ({
    name,
    ...(domain === undefined ? {} : { domain: domainIn('competitors', domain) }),
  }))
  const brand_aliases = [...(choice.brand_aliases ?? [])]
  refuseCollisions({ brand: { names: [brand_name, ...brand_aliases] }, competitors })
  const prompts = promptsOf(choice.prompts, { brand_name, brand_aliases, language, location })
  const open = prompts.filter(({ is_branded }) => !is_branded)
  return {
    tracker: {
      location_id: location.id,
      name: brand_name,
      brand_name,
      brand_aliases,
      competitors,
      ...(brand_domain === undefined ? {} : { brand_domain }),
      engines,
      countries: country === null ? [] : [country],
      provider: choice.provider ?? 'direct',
      run_frequency_hours: 24,
      is_active: true,
      is_first: true,
      due_at: ctx.now().toISOString(),
      ...(choice.usd_per_month === null
        ? {}
        : { budget: { usd_per_month: choice.usd_per_month ?? usdPerMonthDefault } }),
      stop_when: stopDefault,
    },
    prompts,
    country,
    language,
    source: choice.prompts ? 'user' : 'suggested',
    forecast: forecast({
      cells: open.length * engines.length,
      days: forecastDays,
      usdPerAnswer,
      stop: stopDefault,
      brandedCells: (prompts.length - open.length) * engines.length,
    }),
  }
}

/** Returns the country of a plan. Throws where the location does not say it and the caller named none. */
export function requireCountry({ country }: Pick<TrackingPlan, 'country'>): string {
  if (country !== null) return country
  throw refusedField('country', 'The location does not say in which country it is. Choose a country.')
}

/**
 * Stores a planned tracker with its prompts, and returns its id. The tracker holds the planned prompts until all are
 * stored, so that its first round stores the rest if the process is killed.
 */
export async function beginTracking(ctx: WorkspaceWriter, plan: TrackingPlan): Promise<string> {
  const { language, source } = plan
  const country = requireCountry(plan)
  const planned = plan.prompts.map(({ text, intent, is_branded }) => ({
    text,
    intent,
    language,
    country,
    source,
    tags: is_branded ? ['branded'] : [],
  }))
  const tracker = await insertTracker(ctx, { ...plan.tracker, planned })
  const { location_id } = plan.tracker
  for (const prompt of planned)
    await ctx
      .rows(VisibilityPrompt)
      .insert({ ...prompt, tracker_id: tracker.id, location_id, status: 'active' })
  await ctx.rows(VisibilityTracker).update(tracker.id, { planned: undefined })
  return tracker.id
}

/** Set-up that began this long ago was interrupted. */
const interruptedMs = minuteMs

/** Stores the prompts that an interrupted set-up did not store. */
export async function finishBeginning(
  ctx: OwnerContext,
  { id, workspace_id, location_id, created_date, planned }: Row<typeof VisibilityTracker>,
): Promise<void> {
  if (!planned || ctx.now().getTime() - Date.parse(created_date) < interruptedMs) return
  const prompts = ctx.rows(VisibilityPrompt)
  const ofTracker = where.and(where.eq('workspace_id', workspace_id), where.eq('tracker_id', id))
  const stored = new Set((await prompts.list({ where: ofTracker, limit: 1_000 })).map(({ text }) => text))
  for (const prompt of planned)
    if (!stored.has(prompt.text))
      await prompts.insert({ ...prompt, workspace_id, tracker_id: id, location_id, status: 'active' })
  await ctx.rows(VisibilityTracker).update(id, { planned: undefined })
}

type Location = Row<typeof BusinessLocation>

async function locationOf(ctx: Planning, id: string): Promise<Location> {
  const location = await ctx.rows(BusinessLocation).get(id)
  if (!location) throw new Refusal('not_found', 'There is no such location in this workspace.')
  if (location.is_prospect || location.is_demo) {
    throw new Refusal(
      'invalid_field',
      'Renown asks AI assistants only about your own locations, not about prospects or a demo.',
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
  ctx: WorkspaceWriter,
  row: NewRow<typeof VisibilityTracker>,
): Promise<{ readonly id: string }> {
  try {
    return await ctx.rows(VisibilityTracker).insert(row)
  } catch (error) {
    if (!isConflict(error)) throw error
    const [tracker] = await ctx
      .rows(VisibilityTracker)
      .list({ where: where.eq('location_id', row.location_id), limit: 1 })
    throw tracker ? alreadySetUp(tracker.id) : error
  }
}

function domainOf(given: string | undefined, website?: string | undefined): string | undefined {
  if (given !== undefined) return domainIn('brand_domain', given)
  return website === undefined ? undefined : (normaliseDomain(website) ?? undefined)
}

interface NewBrand {
  readonly brand_name: string
  readonly brand_aliases: readonly string[]
  readonly language: string
  readonly location: Location
}

function promptsOf(
  given: readonly string[] | undefined,
  { brand_name, brand_aliases, language, location }: NewBrand,
): PlannedPrompt[] {
  const isBranded = brandedBy({ brand_name, brand_aliases })
  const suggested = suggestPrompts({
    name: brand_name,
    ...offered(location),
    language,
  })
  const prompts = given ? unique(given).map((text) => ({ text, intent: 'commercial' as const })) : suggested
  if (prompts.length === 0) {
    throw new Refusal(
      'invalid_field',
      'Renown cannot suggest a prompt, because the location has no city. Send `prompts`.',
      {
        errors: [{ pointer: '/prompts', code: 'required', message: 'send one to 100 prompts' }],
      },
    )
  }
  return prompts.map(({ text, intent }) => ({ text, intent, is_branded: isBranded(text) }))
}

/** Returns each prompt once, as it was written first. */
const unique = (texts: readonly string[]): string[] =>
  [...Map.groupBy(texts, promptKey).values()].flatMap(([first]) => first ?? [])
