import { type BaseRow, type OwnerContext, Refusal } from '../../kit'
import { BusinessLocation } from '../BusinessLocation'
import { recordAudit } from '../record-audit'
import { type LocationRow, ownAgencyOf, withAgencyLock } from './find-location'
import { activation, followActivation } from './location-capacity'
import { recountLocations } from './location-counts'
import { origins, refuseTwin } from './location-ids'
import type { syncFields, trialFields } from './location-upkeep'
import { publishReady } from './publish-location'

type Kept = keyof BaseRow | 'is_active' | 'is_demo' | keyof typeof trialFields | keyof typeof syncFields

/** The input for a new business. */
export interface NewLocation extends Omit<Partial<LocationRow>, Kept> {
  readonly workspace_id: string
  readonly business_name: string
  /** Whether to start its trial if no paid location is free. */
  readonly trial?: boolean
}

/**
 * Adds a business to a workspace, for commands, pages and imports. An empty text counts as a missing field.
 * Throws `conflict` with the `location_id` of a location with the same platform id, and `over_capacity` if no
 * paid location is free. A prospect needs none.
 */
export async function addLocation(ctx: OwnerContext, { trial, ...given }: NewLocation): Promise<LocationRow> {
  const { workspace_id, is_prospect = false } = given
  const agencyId = await ownAgencyOf(ctx, workspace_id)
  if (is_prospect && trial) {
    throw new Refusal('invalid_field', 'A prospect can start a trial only when it signs.', {
      errors: [{ pointer: '/trial', code: 'exclusive', message: 'not allowed for a prospect' }],
    })
  }
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')) as typeof given
  const told = { ...known, ...origins(ctx, known) }
  const location = await withAgencyLock(ctx, agencyId, async () => {
    await refuseTwin(ctx, workspace_id, told)
    const id = ctx.newId(BusinessLocation)
    const place = is_prospect
      ? { is_active: false, is_prospect }
      : await activation(ctx, {
          agencyId,
          location: { auto_response_enabled: false, ...told, id },
          wantsTrial: trial === true,
        })
    const row = { auto_response_enabled: false, ...told, id, ...place }
    const added = await ctx.rows(BusinessLocation).insert(row)
    await recountLocations(ctx, workspace_id)
    return added
  })
  await recordAudit(ctx, agencyId, 'location.add', location.business_name)
  if (location.is_active) await followActivation(ctx, agencyId, null, location)
  await publishReady(ctx, location)
  return location
}
