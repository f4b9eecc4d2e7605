import type { OwnerContext } from '../../contracts/plugin'
import { locationReady, locationStatusChanged } from '../../events/core-events'
import { BusinessLocation } from '../BusinessLocation'
import type { LocationRow } from './find-location'

/** Publishes that a location was added or activated. */
export const publishReady = (
  ctx: OwnerContext,
  { id, workspace_id }: Pick<LocationRow, 'id' | 'workspace_id'>,
): Promise<void> =>
  ctx.publish(locationReady, { ...aboutLocation({ id, workspace_id }), data: { location_id: id } })

type Status = Pick<LocationRow, 'is_active' | 'is_prospect'>

/**
 * Publishes a change of the status of a location. Call it before the write, so that the event is not lost if the process
 * ends in between. Does nothing if the status is the same.
 */
export async function publishStatus(
  ctx: OwnerContext,
  before: Status & Pick<LocationRow, 'updated_date'>,
  after: Status & Pick<LocationRow, 'id' | 'workspace_id'>,
): Promise<void> {
  const { id, is_active, is_prospect } = after
  if (before.is_active === is_active && before.is_prospect === is_prospect) return
  await ctx.publish(locationStatusChanged, {
    ...aboutLocation(after),
    key: `${id} ${before.updated_date} ${is_active} ${is_prospect}`,
    data: { location_id: id, is_active, is_prospect },
  })
}

const aboutLocation = ({ id, workspace_id }: Pick<LocationRow, 'id' | 'workspace_id'>) => ({
  workspace_id,
  location_id: id,
  entity: BusinessLocation.name,
  entity_id: id,
})
