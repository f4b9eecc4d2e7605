import { type ActRecord, defineAct, field, Refusal } from 'renown'
import * as v from 'valibot'
import { BusinessLocation } from '../records/foreign'
import { beginTracking, planTracking } from './begin-tracking'
import { brandName, countryCode } from './brand-fields'
import { promptsOf } from './change-prompts'
import { changeTracker, requireReachable } from './change-tracker'
import { aboutTracker, trackerAudit } from './on-tracker'
import { priceNotes, requireCostLimit, warningsOf } from './price-notes'
import { brand, described, newTrackerForms, pointsOf, seenOf, trackerForms } from './tracker-choice'
import { trackerForecast } from './tracker-forecast'
import { typedCount, typedCountries, typedDays, typedPrompts, typedStop } from './typed-fields'

const onLocation: ActRecord<typeof BusinessLocation> = {
  entity: BusinessLocation,
  field: 'location_id',
  called: 'location',
  inForms: 'location_id',
  choose: 'Choose a location of this workspace.',
}

/** Begins to track a location. */
export const setUpTracker = defineAct({
  name: 'visibility tracker create',
  summary: 'Begin to ask AI assistants about a location, and forecast what it costs',
  on: onLocation,
  fields: {
    ...brand,
    brand_domain: described(v.string(), "Domain of the brand's own site"),
    prompts: described(typedPrompts, 'Prompts, one on each line. Suggested unless given'),
    country: described(countryCode, 'Country to ask from, ISO 3166-1 alpha-2'),
    plan_only: v.optional(field.flag('Only show the prompts and the forecast')),
  },
  forms: newTrackerForms,
  shellFields: ['plan_only'],
  only: 'owner',
  refusesDemo: true,
  label: 'Begin to track',
  done: { begun: 'Tracking has begun. Renown asks the first questions today.' },
  undo: 'visibility tracker pause',
  startsWork: true,
  audit: { action: 'location.visibility_begin', what: 'AI visibility tracking begun' },
  async runInWorkspace(ctx, { row: { id: location_id }, input, isByAgent }) {
    const { aliases, plan_only, brand_domain, ...choice } = input
    const plan = await planTracking(ctx, {
      ...choice,
      location_id,
      brand_aliases: aliases,
      brand_domain: brand_domain === '' ? undefined : brand_domain,
    })
    const { tracker, forecast } = plan
    // An agent may name assistants that cannot be asked yet. They cost nothing until they can.
    if (!isByAgent) requireReachable(ctx, tracker)
    const { extensions, settings } = ctx
    const warnings = settings ? warningsOf(await requireCostLimit({ extensions, settings }, tracker)) : []
    const tracker_id = plan_only ? undefined : await beginTracking(ctx, plan)
    return {
      answer: {
        ...(tracker_id === undefined ? {} : { tracker_id }),
        prompts: plan.prompts.map(({ text, is_branded }) => ({ text, is_branded })),
        forecast,
        usd_per_month: tracker.budget?.usd_per_month ?? 'no limit',
        ...(warnings.length > 0 ? { warnings } : {}),
      },
      isChanged: tracker_id !== undefined,
      subject: tracker.name,
      made: { plan, warnings },
      ...(tracker_id === undefined ? {} : { created: tracker_id }),
    }
  },
})

/** Changes what a tracker asks, whom, from where, and for how much. */
export const editTracker = defineAct({
  ...aboutTracker,
  name: 'visibility tracker update',
  summary: 'Change the names, competitors, engines, countries or limits of a tracker',
  fields: {
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
  },
  forms: trackerForms,
  seen: { seen: v.optional(v.pipe(v.string(), v.maxLength(64))) },
  label: 'Save the tracker',
  done: 'The tracker was saved.',
  undo: 'visibility tracker update',
  audit: trackerAudit('change', 'AI visibility tracker changed'),
  async run(ctx, { row: tracker, input, seen }) {
    const { aliases, every_days, searches_per_day, stop_at, brand_domain, ...change } = input
    if (seen?.seen !== undefined && seen.seen !== seenOf(tracker))
      throw new Refusal('conflict', 'The tracker changed since you opened it. Check it again, then save it.')
    await ctx.requireActive(tracker.workspace_id)
    // A rule of the same points stays as it is, with all that a form does not show.
    const isSameRule = pointsOf(tracker.stop_when) === pointsOf(stop_at)
    const changed = await changeTracker(ctx, tracker, {
      ...change,
      brand_aliases: aliases,
      run_frequency_hours: every_days,
      search_calls_per_day: searches_per_day,
      brand_domain: brand_domain === '' ? null : brand_domain,
      ...(isSameRule ? {} : { stop_when: stop_at }),
    })
    const { name, brand_name, brand_aliases, competitors, engines, countries, budget } = changed
    const prompts = await promptsOf(ctx, tracker.id)
    const warnings = warningsOf(await priceNotes(ctx, changed))
    return {
      answer: {
        ...(warnings.length > 0 ? { warnings } : {}),
        tracker: name,
        brand_name,
        brand_aliases,
        competitors,
        engines,
        countries: countries ?? [],
        budget: budget ?? {},
        forecast: await trackerForecast(ctx, ctx.now(), changed, prompts),
      },
    }
  },
})
