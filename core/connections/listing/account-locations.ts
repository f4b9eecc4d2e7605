import type { AccountListing, ListedLocation } from '../../contracts/connection'
import type { Row } from '../../contracts/entity'
import type { OwnerContext } from '../../contracts/plugin'
import { ServiceFault } from '../../contracts/service-fault'
import { where } from '../../contracts/where'
import type { Connection } from '../../outbound/Connection'
import { declaredConnections } from '../../registry/declared-connections'
import { BusinessLocation } from '../../tenancy/BusinessLocation'
import { providerContext } from '../provider-context'
import { bare } from './bare'

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
  return declared.locations(providerContext(ctx), { id, account_id, account_type })
}

const locationsMax = 100_000

/** Finds which of an account's locations the workspace already has. */
export async function existingLocationsIn(
  ctx: Pick<OwnerContext, 'rows'>,
  workspaceId: string,
): Promise<(one: ListedLocation) => ExistingLocation | undefined> {
  const own = where.eq('workspace_id', workspaceId)
  const rows = await ctx.rows(BusinessLocation).list({ where: own, limit: locationsMax })
  const by = (key: (row: Location) => string | undefined) =>
    new Map(rows.flatMap((row) => (key(row) === undefined ? [] : [[key(row), row] as const])))
  const listings = by(({ google_location_id: id }) => (id === undefined ? undefined : bare(id)))
  const pages = by(({ facebook_page_id }) => facebook_page_id)
  const places = by(({ google_place_id, google_location_id }) =>
    google_location_id === undefined ? google_place_id : undefined,
  )
  return ({ profile }) => {
    const { google_location_id, facebook_page_id, google_place_id } = profile
    const location =
      google_location_id === undefined
        ? pages.get(facebook_page_id)
        : (listings.get(bare(google_location_id)) ?? places.get(google_place_id))
    if (!location) return undefined
    const isConnected =
      location.facebook_page_id !== undefined ||
      (location.added_via === 'gbp_oauth' && location.google_account_id !== undefined)
    return { location, isConnected }
  }
}
