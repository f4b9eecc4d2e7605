import * as v from 'valibot'
import { defineCommand, field, idIn, platformIdsOf, requireRow, where } from '../../kit'
import { BusinessLocation } from '../BusinessLocation'
import { agencyIdOf, type LocationRow } from './find-location'
import { locationId } from './location-input'

const listMax = 1_000

/** Lists the locations of one workspace or of all. */
export const listLocations = defineCommand({
  name: 'location list',
  summary: 'Show business locations and their status',
  input: v.strictObject({
    workspace_id: v.optional(field.text('Only those of this workspace')),
    prospects: v.optional(field.flag('List prospects instead of clients'), false),
    limit: v.optional(field.integer('How many. Default 100', { min: 1, max: listMax }), 100),
    skip: v.optional(field.integer('Number of locations to skip, by name', { min: 0 }), 0),
  }),
  async run(ctx, { workspace_id, prospects, limit, skip }) {
    if (workspace_id !== undefined) await agencyIdOf(ctx, workspace_id)
    const inside = workspace_id === undefined ? [] : [where.eq('workspace_id', workspace_id)]
    const found = await ctx.rows(BusinessLocation).list({
      where: where.and(where.eq('is_prospect', prospects), ...inside),
      sort: [{ field: 'business_name', direction: 'asc' }],
      limit,
      skip,
    })
    const ids = platformIdsOf(ctx)
    return {
      locations: found.map((location) => ({
        location_id: location.id,
        business_name: location.business_name,
        standing: statusOf(location),
        added_via: location.added_via ?? ids.find((id) => idIn(id, location) !== undefined)?.source,
        website: location.website,
        workspace_id: location.workspace_id,
      })),
    }
  },
})

/** Shows all fields of one location. */
export const showLocation = defineCommand({
  name: 'location show',
  summary: 'Show all data of a business location',
  input: v.strictObject({ location_id: locationId }),
  positional: ['location_id'],
  async run(ctx, { location_id }) {
    const location = await requireRow(ctx.rows(BusinessLocation), 'business location', location_id)
    const { id, ...row } = location
    return { location_id: id, standing: statusOf(location), ...row }
  },
})

/** Returns the status of a location in a word. */
export function statusOf({
  is_active,
  is_prospect,
  is_demo,
  trial_state,
  billing_exempt,
}: LocationRow): string {
  if (is_prospect) return 'prospect'
  if (!is_active) return 'at rest'
  if (trial_state === 'trialing') return 'on trial'
  if (is_demo === true) return 'demo'
  return billing_exempt === true ? 'exempt' : 'active'
}
