import * as v from 'valibot'
import { field } from './field'

const { anything, instant, number, text, texts } = field

/** The source of a part of a profile. */
const source = v.object({
  url: text('Page that was read'),
  fetched_at: instant('When it was read'),
})

/** The schema of BusinessLocation.enrichment: the profile of a business from its website and platforms. */
export const enrichmentSchema = v.object({
  about: v.optional(text('Description of the business in a few sentences')),
  services: v.optional(texts('Services on offer')),
  attributes: v.optional(texts('Attributes such as wheelchair access')),
  hours: v.optional(
    anything(
      'Opening hours by day, `{"monday":[{"opens":"09:00","closes":"17:00"}]}`; an empty day is closed',
    ),
  ),
  service_area: v.optional(text('Area served')),
  languages: v.optional(texts('Languages spoken, BCP 47')),
  socials: v.optional(v.pipe(v.record(v.string(), v.string()), v.description('Addresses by network'))),
  sources: v.optional(v.pipe(v.array(source), v.description('Pages that the profile is based on'))),
  confidence: v.optional(number('Confidence of the extraction', { min: 0, max: 1 })),
})

/** The schema of BusinessLocation.enrichment_overrides: edits by people, which replace enrichment. */
export const enrichmentOverridesSchema = v.object({
  about: v.optional(text('Replaces enrichment.about')),
  services: v.optional(texts('Replaces enrichment.services')),
  attributes: v.optional(texts('Replaces enrichment.attributes')),
})

/** An imported business profile. */
export type Enrichment = v.InferOutput<typeof enrichmentSchema>
/** People's edits of a profile. */
export type EnrichmentOverrides = v.InferOutput<typeof enrichmentOverridesSchema>

/** The fields of a location that contain its profile, for `foreignEntity('BusinessLocation', …)`. */
export const profileFields = {
  enrichment: v.optional(
    v.pipe(
      enrichmentSchema,
      v.description(
        "Business profile from the website and the platform's listing. Absent until enrichment succeeds",
      ),
    ),
  ),
  enrichment_overrides: v.optional(
    v.pipe(
      enrichmentOverridesSchema,
      v.description('Edits by people. Each key replaces the same key of enrichment'),
    ),
  ),
} as const

/** The fields of a location that `effectiveProfile` reads. */
export interface Profiled {
  readonly enrichment?: Enrichment | undefined
  readonly enrichment_overrides?: EnrichmentOverrides | undefined
}

/** Returns the profile of a business with people's edits applied, key by key. Empty if nothing is known. */
export function effectiveProfile({ enrichment = {}, enrichment_overrides = {} }: Profiled): Enrichment {
  const written = Object.entries(enrichment_overrides).filter(([, value]) => value !== undefined)
  return { ...enrichment, ...Object.fromEntries(written) }
}
