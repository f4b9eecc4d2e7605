import type { AccountListing, ListedLocation } from '../../contracts/connection'
import type { Row } from '../../contracts/entity'
import type { OwnerContext } from '../../contracts/plugin'
import { ServiceFault } from '../../contracts/service-fault'
import { where } from '../../contracts/where'
import { idIn, idKeyIn, isConnectedLocation, platformIdsOf, storedForms } from '../../kit/platform-ids'
import type { Connection } from '../../outbound/Connection'
import { declaredConnections } from '../../registry/declared-connections'
import { BusinessLocation } from '../../tenancy/BusinessLocation'
import { providerContext } from '../provider-context'

type Location = Row<typeof BusinessLocation>

/**
 * A location of an account that the workspace already has: the same location, or the same place added in
 * another way.
 */
export interface ExistingLocation {
  readonly location: Location
  /** Whether its data is already read with an account of the service. */
  readonly isConnected: boolean
}

/** Returns the locations of a connected account, as its service lists them now. */
export async function accountLocations(
  ctx: OwnerContext,
  { provider, id, account_id, account_type }: Row<typeof Connection>,
): Promise<AccountListing> {
  const declared = declaredConnections(ctx).get(provider)
  if (!declared) throw new ServiceFault('unsupported', `No loaded plugin connects ${provider}`)
  if (!declared.locations)
    throw new ServiceFault('unsupported', `${declared.label} accounts have no locations`)
  const listing = await declared.locations(providerContext(ctx), { id, account_id, account_type })
  return { ...listing, locations: listing.locations.map((one) => withOwnId(ctx, provider, one)) }
}

/** Returns a location with its id in `platform_id`, if its platform has no field of its own. */
function withOwnId(ctx: OwnerContext, provider: string, one: ListedLocation): ListedLocation {
  const own = platformIdsOf(ctx).find((id) => id.field === undefined && id.provider === provider)
  if (!own) return one
  const key = own.keyOf?.(one.id) ?? one.id
  return { ...one, profile: { ...one.profile, platform_id: storedForms(own, key)[0] } }
}

const locationsMax = 100_000

/** Finds which of an account's locations the workspace already has. */
export async function existingLocationsIn(
  ctx: Pick<OwnerContext, 'rows' | 'extensions'>,
  workspaceId: string,
): Promise<(one: ListedLocation) => ExistingLocation | undefined> {
  const own = where.eq('workspace_id', workspaceId)
  const rows = await ctx.rows(BusinessLocation).list({ where: own, limit: locationsMax })
  const ids = platformIdsOf(ctx).map((id) => ({ id, byKey: Map.groupBy(rows, (row) => idKeyIn(id, row)) }))
  return ({ profile }) => {
    const listing = ids.find(({ id }) => id.isListing && idIn(id, profile) !== undefined)?.id
    for (const { id, byKey } of ids) {
      const key = idKeyIn(id, profile)
      // A location that has another listing of the platform is another location at the same place.
      const isSame = (row: Location) => id === listing || !listing || idIn(listing, row) === undefined
      const location = key === undefined ? undefined : byKey.get(key)?.find(isSame)
      if (location) return { location, isConnected: isConnectedLocation(ctx, location) }
    }
    return undefined
  }
}
