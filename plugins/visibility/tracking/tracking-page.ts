import { isRefusal, type Row, todayOf, where } from 'renown'
import { actForm, definePage, defineReading, type PageContext } from 'renown/pages'
import * as v from 'valibot'
import type { Forecast } from '../measure/plan'
import { countryCodes, countryName } from '../records/countries'
import { BusinessLocation } from '../records/foreign'
import { countryOfLocation } from '../records/location-country'
import { stoppedUntil } from '../records/stopped-until'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityRun } from '../records/VisibilityRun'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { costsByTracker } from '../sums/costs'
import { planTracking, type TrackingPlan, usdPerMonthDefault } from './begin-tracking'
import { requireReachable } from './change-tracker'
import { setUpTracker } from './edit-acts'
import { type EngineChoice, engineChoices } from './engine-choices'
import { type PriceContext, priceNotes, requireCostLimit } from './price-notes'
import { newTrackerForms } from './tracker-choice'
import { competitorLines } from './typed-fields'

/** A tracker in the list. */
export interface ShownTracker {
  readonly id: string
  readonly name: string
  readonly location: string
  readonly is_active: boolean
  readonly engines: readonly string[]
  readonly prompts: number
  /** US dollars since the first of this month, in the time zone of the workspace, as the budget counts. */
  readonly usd_this_month: number
  readonly usd_per_month: number | null
  /** How the last attempt ended; null before the first. */
  readonly last: { readonly at: string; readonly words: string; readonly is_bad: boolean } | null
  /** First day on which it asks again, if it knows enough for now. */
  readonly sure_until: string | null
}

/** The form of a new tracker, filled in. */
export interface NewTracker {
  readonly location_id: string
  readonly brand_name: string
  readonly brand_domain: string
  readonly aliases: string
  readonly competitors: string
  readonly engines: readonly string[]
  readonly provider: string
  readonly prompts: string
  readonly country: string
  readonly usd_per_month: string
}

/** What a plan will ask and cost. */
export interface ShownPlan {
  readonly forecast: Forecast
  readonly prompts: number
  readonly branded: number
  readonly engines: number
  /** Chosen assistants that cannot be asked yet. */
  readonly unavailable: readonly { readonly label: string; readonly needs: readonly string[] }[]
  /** Chosen assistants whose price is not known. */
  readonly unpriced: readonly { readonly label: string; readonly why: string }[]
}

export interface TrackingData {
  readonly trackers: readonly ShownTracker[]
  /** Locations without a tracker. */
  readonly locations: readonly { readonly id: string; readonly name: string }[]
  /** Null until a location is chosen. */
  readonly form: NewTracker | null
  readonly plan: ShownPlan | null
  readonly engines: readonly EngineChoice[]
  readonly countries: readonly (readonly [string, string])[]
  readonly may_change: boolean
}

const path = '/app/visibility/setup'
const listMax = 500

/** Returns the countries of a form, by name. */
export const countryOptions = (): (readonly [string, string])[] =>
  countryCodes
    .map((code) => [code, countryName(code)] as const)
    .toSorted((a, b) => a[1].localeCompare(b[1], 'en'))

async function loadTracking(ctx: PageContext, query: URLSearchParams): Promise<TrackingData> {
  const [trackers, locations] = await Promise.all([
    ctx.rows(VisibilityTracker).list({ sort: [{ field: 'name', direction: 'asc' }], limit: listMax }),
    ctx.rows(BusinessLocation).list({ sort: [{ field: 'id', direction: 'asc' }], limit: listMax }),
  ])
  const names = new Map(locations.map(({ id, business_name }) => [id, business_name]))
  const tracked = new Set(trackers.map(({ location_id }) => location_id))
  const free = locations.filter(
    ({ id, is_prospect, is_demo }) => !(tracked.has(id) || is_prospect || is_demo),
  )
  const engines = engineChoices(ctx.system)
  const may_change = ctx.person.role === 'owner' && !ctx.isDemo
  const asked =
    query.get('location') ?? (trackers.length === 0 && free.length === 1 ? free[0]?.id : undefined)
  const chosen = may_change ? free.find(({ id }) => id === asked) : undefined
  const begun = chosen ? await suggested(ctx, chosen.id, engines) : null
  return {
    trackers: await shownTrackers(ctx, trackers, names),
    locations: free
      .map(({ id, business_name }) => ({ id, name: business_name }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
    form: begun?.form ?? null,
    plan: begun?.plan ?? null,
    engines,
    may_change,
    countries: begun ? countryOptions() : [],
  }
}

type Tracker = Row<typeof VisibilityTracker>

async function shownTrackers(
  ctx: PageContext,
  trackers: readonly Tracker[],
  names: ReadonlyMap<string, string>,
): Promise<ShownTracker[]> {
  if (trackers.length === 0) return []
  const inside = where.in(
    'tracker_id',
    trackers.map(({ id }) => id),
  )
  const today = todayOf(ctx)
  const [prompts, costs] = await Promise.all([
    ctx.rows(VisibilityPrompt).group({
      where: where.and(inside, where.eq('status', 'active')),
      by: ['tracker_id'],
      measures: [{ as: 'n', fn: 'count' }],
    }),
    costsByTracker(ctx.rows(VisibilityRun), inside, [`${today.slice(0, 7)}-01`, today]),
  ])
  const promptsOf = new Map(prompts.map(({ tracker_id, n }) => [String(tracker_id), Number(n)]))
  return trackers.map((tracker) => ({
    id: tracker.id,
    name: tracker.name,
    is_active: tracker.is_active,
    engines: tracker.engines,
    location: names.get(tracker.location_id) ?? 'A deleted location',
    prompts: promptsOf.get(tracker.id) ?? 0,
    usd_this_month: costs.get(tracker.id)?.usd ?? 0,
    usd_per_month: tracker.budget?.usd_per_month ?? null,
    sure_until: stoppedUntil(tracker, today),
    last: lastAttempt(tracker),
  }))
}

/** Returns how the last attempt of a tracker ended, in words. */
export function lastAttempt({ last_run_summary }: Pick<Tracker, 'last_run_summary'>): ShownTracker['last'] {
  if (!last_run_summary) return null
  const { at, ran, errors = 0, planned = ran, truncated, message } = last_run_summary
  if (message !== undefined) return { at, words: message.replace(/\.$/, ''), is_bad: true }
  const words = [
    `${ran} of ${planned} answers`,
    ...(errors > 0 ? [`${errors} failed`] : []),
    ...(truncated ? ['a limit ended the day early'] : []),
  ].join(', ')
  return { at, words, is_bad: errors > 0 || truncated === true }
}

/** Returns the filled-in form of a location and its forecast. Without suggestions, people type the prompts first. */
async function suggested(ctx: PageContext, location_id: string, engines: readonly EngineChoice[]) {
  const own = await ctx.rows(BusinessLocation).get(location_id)
  const brand_name = own?.business_name ?? ''
  const plain = { location_id, aliases: '', competitors: '', usd_per_month: String(usdPerMonthDefault) }
  const isReady = ({ ways }: EngineChoice) =>
    ways.some(({ provider, needs }) => provider === 'direct' && needs.length === 0)
  const ready = engines.filter(isReady).map(({ engine }) => engine)
  try {
    const plan = await planTracking(ctx, { location_id, ...(ready.length > 0 ? { engines: ready } : {}) })
    const { tracker, prompts, country } = plan
    const form: NewTracker = {
      ...plain,
      brand_name,
      brand_domain: tracker.brand_domain ?? '',
      engines: tracker.engines,
      country: country ?? '',
      provider: tracker.provider,
      prompts: prompts.map(({ text }) => text).join('\n'),
      competitors: competitorLines(tracker.competitors),
    }
    return { form, plan: await shownPlan(ctx.system, plan, engines) }
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'invalid_field') throw error
    const form: NewTracker = {
      ...plain,
      brand_name,
      brand_domain: '',
      engines: ready,
      provider: 'direct',
      prompts: '',
      country: (own && countryOfLocation(own)) ?? '',
    }
    return { form, plan: null }
  }
}

async function shownPlan(
  ctx: PriceContext,
  { tracker, prompts, forecast }: TrackingPlan,
  engines: readonly EngineChoice[],
): Promise<ShownPlan> {
  const chosen = engines.filter(({ engine }) => tracker.engines.includes(engine))
  const wayOf = ({ ways }: EngineChoice) => ways.find(({ provider }) => provider === tracker.provider)
  return {
    forecast,
    prompts: prompts.length,
    engines: tracker.engines.length,
    branded: prompts.filter(({ is_branded }) => is_branded).length,
    unavailable: chosen
      .map((one) => ({
        label: one.label,
        needs: wayOf(one)?.needs ?? [`another way than ${tracker.provider}`],
      }))
      .filter(({ needs }) => needs.length > 0),
    unpriced: (await priceNotes(ctx, tracker)).map(({ label, why }) => ({ label, why })),
  }
}

/** Shows what the typed tracker would ask and cost. */
const forecast = defineReading({
  auth: 'session',
  only: 'owner',
  refusesDemo: true,
  input: v.strictObject({ location_id: v.pipe(v.string(), v.maxLength(100)), ...newTrackerForms }),
  async run(ctx, { aliases, brand_domain, ...choice }) {
    const plan = await planTracking(ctx, {
      ...choice,
      brand_aliases: aliases,
      ...(brand_domain === '' ? {} : { brand_domain }),
    })
    requireReachable(ctx.system, plan.tracker)
    await requireCostLimit(ctx.system, plan.tracker)
    const form: NewTracker = {
      location_id: choice.location_id,
      brand_name: choice.brand_name,
      brand_domain,
      aliases: aliases.join('\n'),
      competitors: competitorLines(choice.competitors),
      engines: choice.engines,
      provider: choice.provider,
      country: choice.country,
      prompts: plan.prompts.map(({ text }) => text).join('\n'),
      usd_per_month: choice.usd_per_month === null ? '' : String(choice.usd_per_month),
    }
    return { shown: { form, plan: await shownPlan(ctx.system, plan, engineChoices(ctx.system)) } }
  },
})

const begin = actForm(setUpTracker, 'begun', {
  to: (_, done, { created = '' }) =>
    `/app/visibility/tracker?${new URLSearchParams({ tracker: created, done })}`,
})

/** The trackers of a workspace, and the form that begins one. */
export const trackingPage = definePage<TrackingData>({
  path,
  title: 'Tracking',
  module: new URL('./TrackingPage.tsx', import.meta.url),
  isStatic: true,
  load: loadTracking,
  actions: { begin, forecast },
})
