import type { Row } from 'renown'
import * as v from 'valibot'
import type { VisibilityTracker } from '../records/VisibilityTracker'
import { brandName, countryCode } from './brand-fields'
import {
  competitorLines,
  typedAliases,
  typedCompetitors,
  typedCount,
  typedCountries,
  typedDays,
  typedDollars,
  typedPrompts,
  typedStop,
} from './typed-fields'

type Tracker = Row<typeof VisibilityTracker>

const engineList = v.pipe(
  v.string(),
  v.transform((text) => text.split(/[\s,]+/).filter((part) => part !== '')),
  v.minLength(1, 'at least one engine'),
)

/** Returns an optional field of the shell with its help. */
export const described = <S extends v.GenericSchema>(schema: S, description: string) =>
  v.optional(v.pipe(schema, v.description(description)))

/** The fields of the shell that new and stored trackers have. */
export const brand = {
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

const shortText = v.pipe(v.string(), v.trim(), v.maxLength(300, 'at most 300 characters'))

/** The fields of forms that name engines: one box, several, or none. */
const chosenEngines = v.pipe(
  v.optional(v.union([v.string(), v.array(v.string())]), []),
  v.transform((value) => [value].flat()),
  v.minLength(1, 'Choose at least one assistant.'),
  v.maxLength(40, 'at most 40 assistants'),
)

/** How both forms send their common fields. Every field is sent, and an empty one means none. */
const brandForms = {
  brand_name: brandName,
  aliases: typedAliases,
  competitors: typedCompetitors,
  brand_domain: shortText,
  engines: chosenEngines,
  provider: v.pipe(v.string(), v.trim(), v.maxLength(40)),
  usd_per_month: typedDollars,
}

/** How the form of a new tracker sends its fields. */
export const newTrackerForms = {
  ...brandForms,
  prompts: v.pipe(typedPrompts, v.minLength(1, 'Give at least one prompt.')),
  country: countryCode,
}

/** How the form of a stored tracker sends its fields. */
export const trackerForms = {
  ...brandForms,
  name: brandName,
  countries: typedCountries,
  every_days: typedDays,
  stop_at: typedStop,
  searches_per_day: typedCount,
}

/** Returns the points of a stop rule, as people choose them. */
export const pointsOf = (rule: { readonly half_width: number } | null | undefined) =>
  rule ? String(Math.round(rule.half_width * 100)) : 'never'

/** Returns the form of a stored tracker, filled in. */
export const formOf = (tracker: Tracker): Readonly<Record<string, string | readonly string[]>> => ({
  name: tracker.name,
  brand_name: tracker.brand_name,
  brand_domain: tracker.brand_domain ?? '',
  aliases: tracker.brand_aliases.join('\n'),
  competitors: competitorLines(tracker.competitors),
  engines: tracker.engines,
  provider: tracker.provider,
  countries: (tracker.countries ?? []).join(', '),
  every_days: String(Math.max(1, Math.round(tracker.run_frequency_hours / 24))),
  usd_per_month: String(tracker.budget?.usd_per_month ?? ''),
  searches_per_day: String(tracker.budget?.search_calls_per_day ?? ''),
  stop_at: pointsOf(tracker.stop_when),
})

/** Identifies the values of the form, so that nobody overwrites changes that they did not see. */
export const seenOf = (tracker: Tracker): string =>
  new Bun.CryptoHasher('sha256')
    .update(JSON.stringify(formOf(tracker)))
    .digest('hex')
    .slice(0, 32)
