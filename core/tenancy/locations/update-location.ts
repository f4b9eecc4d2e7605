import * as v from 'valibot'
import {
  defineAct,
  field,
  idIn,
  inferOnlineOnlyOf,
  type OwnerContext,
  platformIdFields,
  platformIdsOf,
  Refusal,
} from '../../kit'
import { auditActions } from '../audit/audit-actions'
import { BusinessLocation } from '../BusinessLocation'
import { agencyIdOf, type LocationRow, ownLocation, withAgencyLock } from './find-location'
import { identityFields } from './location-fields'
import { malformedIds, origins, refuseTwin } from './location-ids'
import { businessName, pictures, platformIds, profile, website } from './location-input'

const { oneOf, text } = field
const notesMax = 4_000

/** Changes the fields of a business. */
export const updateLocation = defineAct({
  name: 'location update',
  summary: 'Change the fields of a business; an empty text removes a field',
  on: { entity: BusinessLocation, field: 'location_id', called: 'business location' },
  fields: {
    business_name: v.optional(businessName),
    website: v.optional(website),
    ...profile,
    ...pictures,
    youtube_channel_id: identityFields.youtube_channel_id,
    reddit_account_id: identityFields.reddit_account_id,
    reddit_username: identityFields.reddit_username,
    ...platformIds,
    added_via: identityFields.added_via,
    online_only: v.optional(
      oneOf(
        ['yes', 'no', 'inferred'],
        'No physical location; inferred: address, category and profile say it from then on',
      ),
    ),
    notes: v.optional(
      v.pipe(
        text('Notes about the business. Renown keeps them and does not use them yet'),
        v.maxLength(notesMax, `at most ${notesMax} characters`),
      ),
    ),
    auto_response: v.optional(oneOf(['on', 'off'], "Reply to its reviews by the agency's rules")),
  },
  faultsIn: malformedIds,
  only: 'owner',
  refusesDemo: true,
  label: 'Save',
  done: 'It is saved.',
  undo: 'location update',
  audit: { action: 'location.change', what: auditActions['location.change'] },
  async run(ctx, { row: { id: location_id }, input: told }) {
    const known = await ownLocation(ctx, location_id)
    const agencyId = await agencyIdOf(ctx, known.workspace_id)
    const changes = { ...changesOf(told), ...inferredOf(known, told) }
    if (Object.keys(changes).length === 0) {
      throw new Refusal('invalid_field', 'Name a field to change. `location update --help` lists them.')
    }
    const after = await withAgencyLock(ctx, agencyId, () => update(ctx, location_id, changes))
    const changed = Object.keys(changes).map((name) => [name, after[name as keyof LocationRow] ?? null])
    return { answer: { location_id, ...Object.fromEntries(changed) }, subject: after.business_name }
  },
})

type Changes = Partial<LocationRow>

interface Told {
  readonly online_only?: 'yes' | 'no' | 'inferred' | undefined
  readonly notes?: string | undefined
  readonly auto_response?: 'on' | 'off' | undefined
}

/** Returns the typed values as changes of the row. An empty text removes a field. */
function changesOf({ online_only, notes, auto_response, ...told }: Told & Changes): Changes {
  const typed = { ...told, ...(notes === undefined ? {} : { manual_notes: notes }) }
  const given = Object.entries(typed).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(given.map(([name, value]) => [name, value === '' ? undefined : value])),
    ...(auto_response === undefined ? {} : { auto_response_enabled: auto_response === 'on' }),
    ...(online_only === undefined ? {} : { is_online_only_overridden: online_only !== 'inferred' }),
    ...(online_only === undefined || online_only === 'inferred'
      ? {}
      : { is_online_only: online_only === 'yes' }),
  }
}

/** Takes a hand-set value back at once: by the record, else it is unknown until the profile is read again. */
function inferredOf(known: LocationRow, told: Told & Changes): Changes {
  if (told.online_only !== 'inferred') return {}
  return { is_online_only: inferOnlineOnlyOf({ ...known, ...changesOf(told) }) ?? undefined }
}

async function update(ctx: OwnerContext, id: string, changes: Changes): Promise<LocationRow> {
  const before = await ownLocation(ctx, id)
  const after = await ctx.rows(BusinessLocation).update(id, {
    ...changes,
    ...(await originChanges(ctx, before, changes)),
  })
  if (after) return after
  throw new Refusal('not_found', `There is no business location ${id}.`)
}

const origin = [...platformIdFields, 'added_via', 'website', 'country'] as const

/**
 * Returns the source of the business after the change. If a listing of an account is named, its reviews are
 * read through that account.
 */
async function originChanges(ctx: OwnerContext, before: LocationRow, changes: Changes): Promise<Changes> {
  if (!origin.some((name) => name in changes)) return {}
  const after = { ...before, ...changes }
  const changed = platformIdFields.filter((name) => name in changes)
  const isListed = platformIdsOf(ctx).some(
    (id) => id.isListing && id.added && idIn(id, changes) !== undefined,
  )
  const added_via = changes.added_via ?? (isListed ? undefined : before.added_via)
  const source = changed.length > 0 ? undefined : before.source
  const given = Object.fromEntries(origin.map((name) => [name, after[name]]))
  const told = origins(ctx, { ...given, added_via, source }, changed)
  const named = Object.fromEntries(changed.map((name) => [name, told[name]]))
  await refuseTwin(ctx, before.workspace_id, named, before.id)
  return {
    ...Object.fromEntries(platformIdFields.map((name) => [name, told[name]])),
    source: told.source ?? before.source,
    added_via: told.added_via,
  }
}
