import {
  type ActAudit,
  type ActRecord,
  actCommands,
  defineAct,
  defineCommand,
  field,
  type OwnerContext,
  Refusal,
  requireRow,
} from 'renown'
import { effectiveProfile } from 'renown/records'
import * as v from 'valibot'
import { EnrichedLocation, type EnrichedRow } from '../EnrichedLocation'
import { cleanText, distinct } from '../website/text'
import { hasSources } from './dueEnrichments'
import { requestEnrichment } from './request-enrichment'

const onLocation: ActRecord<typeof EnrichedLocation> = {
  entity: EnrichedLocation,
  field: 'location_id',
  called: 'location',
}

const audited = (
  verb: 'correct' | 'read',
  what: string,
): ActAudit<typeof EnrichedLocation, Record<never, never>> => ({
  action: `location.${verb}`,
  what,
  subject: (_, { business_name }) => business_name,
})

const keys = ['about', 'services', 'attributes'] as const

/** Reads the profile of a location again. */
export const refreshEnrichment = defineAct({
  name: 'enrichment refresh',
  summary: "Read a location's website and profile again; the current profile stays until that succeeds",
  on: onLocation,
  label: 'Read again',
  done: 'Renown is reading the profile again, which takes a moment. The stored profile stays until then.',
  audit: audited('read', 'Location read again'),
  async run(ctx, { row: location }) {
    if (location.is_demo === true)
      throw new Refusal('conflict', 'The location belongs to the demo, so there is nothing to read.')
    if (!(await hasSources(ctx, location))) {
      throw new Refusal(
        'conflict',
        'There is nothing to read. Give the location a website, a Google place (if Google Places is set up) or a connected profile.',
      )
    }
    await ctx.requireActive(location.workspace_id)
    const { job_id, deduplicated } = await requestEnrichment(ctx, location, 'manual-refresh')
    return { answer: { location_id: location.id, enrichment_status: 'pending', job_id, deduplicated } }
  },
})

const aboutMax = 1_000
const itemsMax = 50
const itemMax = 120

const items = (what: string) =>
  v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.maxLength(itemMax, `at most ${itemMax} characters each`))),
      v.maxLength(itemsMax, `at most ${itemsMax}`),
      v.description(what),
    ),
  )

/** Records edits that replace imported values. */
export const overrideEnrichment = defineAct({
  name: 'enrichment override',
  summary: 'Replace values of a business profile with your own, key by key, or remove your edits',
  on: onLocation,
  fields: {
    about: v.optional(
      v.pipe(
        field.text('What the business is'),
        v.maxLength(aboutMax, `at most ${aboutMax} characters`),
        v.transform((text) => cleanText(text, aboutMax)),
        v.minLength(1, 'a text; to take yours away, clear it'),
      ),
    ),
    services: items('Services on offer, comma-separated'),
    attributes: items('Attributes such as wheelchair access, comma-separated'),
    clear: v.optional(
      v.pipe(
        v.array(v.picklist(keys)),
        v.description('Keys whose edits are removed, so that the imported value is used again'),
      ),
      [],
    ),
  },
  label: 'Save',
  done: {
    corrected: 'Your edit is saved and replaces the imported value.',
    cleared: 'Your edit was removed. The imported value is used again.',
  },
  undo: 'enrichment override',
  audit: audited('correct', 'Profile of a location edited'),
  async run(ctx, { row: { id }, input: { clear, about, services, attributes } }) {
    const written = {
      ...(about === undefined ? {} : { about }),
      ...(services === undefined ? {} : { services: distinct(services, itemsMax, itemMax) }),
      ...(attributes === undefined ? {} : { attributes: distinct(attributes, itemsMax, itemMax) }),
    }
    const both = clear.find((key) => key in written)
    if (both !== undefined) {
      throw new Refusal('invalid_field', `${both} cannot be both set and cleared.`, {
        errors: [{ pointer: '/clear', code: 'exclusive', message: `not together with ${both}` }],
      })
    }
    if (clear.length === 0 && Object.keys(written).length === 0)
      throw new Refusal('invalid_field', `Name a field to override or to clear: ${keys.join(', ')}.`)
    // Two people may edit different keys at the same time.
    return ctx.withLock(`enrichment override ${id}`, async () => {
      const location = await locationOf(ctx, id)
      const stands = Object.entries(location.enrichment_overrides ?? {})
      const kept = stands.filter(([key]) => !clear.some((one) => one === key))
      const overrides = { ...Object.fromEntries(kept), ...written }
      const isNone = Object.keys(overrides).length === 0
      const changes = { enrichment_overrides: isNone ? undefined : overrides }
      const changed = (await ctx.rows(EnrichedLocation).update(id, changes)) ?? location
      return { answer: shown(changed), said: Object.keys(written).length === 0 ? 'cleared' : 'corrected' }
    })
  },
})

const show = defineCommand({
  name: 'enrichment show',
  summary: "Show a business's profile with its sources, times and edits",
  input: v.strictObject({ location_id: field.text('The business location') }),
  positional: ['location_id'],
  run: async (ctx, input) => shown(await locationOf(ctx, input.location_id)),
})

async function locationOf(ctx: OwnerContext, id: string): Promise<EnrichedRow> {
  return requireRow(ctx.rows(EnrichedLocation), 'location', id)
}

function shown(location: EnrichedRow) {
  const { enrichment_status, enrichment_source, enrichment_updated_at, enrichment_error, enrichment_method } =
    location
  return {
    location_id: location.id,
    enrichment_status: enrichment_status ?? null,
    enrichment_source: enrichment_source ?? null,
    enrichment_updated_at: enrichment_updated_at ?? null,
    enrichment_error: enrichment_error ?? null,
    enrichment_method: enrichment_method ?? null,
    is_online_only: location.is_online_only ?? null,
    is_online_only_overridden: location.is_online_only_overridden ?? false,
    overridden: Object.keys(location.enrichment_overrides ?? {}),
    profile: effectiveProfile(location),
  }
}

/** The commands of profiles. */
export const enrichmentCommands = [show, ...actCommands([refreshEnrichment, overrideEnrichment])]
