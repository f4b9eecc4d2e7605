import type { ListedLocation } from '../../contracts/connection'
import type { Row } from '../../contracts/entity'
import { isRefusal, type Refusal } from '../../contracts/errors'
import { type PlatformIds, platformIdFields } from '../../contracts/platform-id'
import type { OwnerContext } from '../../contracts/plugin'
import { fieldOfId, idIn, platformIdsOf } from '../../kit/platform-ids'
import type { Connection } from '../../outbound/Connection'
import { BusinessLocation } from '../../tenancy/BusinessLocation'
import { addLocation } from '../../tenancy/locations/add-location'
import { agencyIdOf, withAgencyLock } from '../../tenancy/locations/find-location'
import { refuseTwin } from '../../tenancy/locations/location-ids'
import { recordAudit } from '../../tenancy/record-audit'
import { publishAccount } from '../publish-account'
import { accountLocations, type ExistingLocation, existingLocationsIn } from './account-locations'
import { bare } from './bare'

/** The result of adding one location. */
export interface Imported {
  readonly id: string
  readonly name: string
  /** `moved`: the location existed, was added in another way, and is now read with the account. */
  readonly outcome: 'added' | 'moved' | 'there' | 'refused'
  readonly location_id?: string | undefined
  readonly reason?: string | undefined
  readonly hint?: string | undefined
}

/** Adds locations of a connected account, by the ids in its listing. Each is added only once. */
export async function importLocations(
  ctx: OwnerContext,
  connection: Row<typeof Connection>,
  ids: readonly string[],
  { trial = false }: { readonly trial?: boolean } = {},
): Promise<Imported[]> {
  const { workspace_id, provider, account_id } = connection
  const listing = await accountLocations(ctx, connection)
  const listed = new Map(listing.locations.map((one) => [bare(one.id), one]))
  const standing = await existingLocationsIn(ctx, workspace_id)
  const done: Imported[] = []
  const taken = new Set<ListedLocation>()
  for (const id of new Set(ids)) {
    const one = listed.get(bare(id))
    const refused = one ? (strangerOf(id, account_id) ?? one.refused) : 'The account has no such location.'
    if (!one || refused !== undefined) {
      done.push({ id, name: one?.profile.business_name ?? id, outcome: 'refused', reason: refused })
    } else if (!taken.has(one)) {
      taken.add(one)
      done.push(await importOne(ctx, connection, one, standing(one), trial))
    }
  }
  const isNew = ({ outcome }: Imported) => outcome === 'added' || outcome === 'moved'
  if (done.some(isNew)) await publishAccount(ctx, { workspace_id, provider, account_id })
  return done
}

/** Returns the account that a location name contains, if it is another account. */
function strangerOf(id: string, accountId: string): string | undefined {
  const holder = /^(accounts\/[^/]+)\/locations\//.exec(id)?.[1]
  if (holder === undefined || bare(holder) === bare(accountId)) return undefined
  return `It names ${holder}, and the account is ${accountId}.`
}

async function importOne(
  ctx: OwnerContext,
  { workspace_id, provider }: Row<typeof Connection>,
  { id, profile }: ListedLocation,
  known: ExistingLocation | undefined,
  trial: boolean,
): Promise<Imported> {
  const about = { id, name: profile.business_name }
  const source = provider as NonNullable<Row<typeof BusinessLocation>['source']>
  const { addedVia } = ctx.providers.get(provider) ?? {}
  const added_via = addedVia === undefined ? {} : { added_via: addedVia }
  if (known) {
    const { location, isConnected } = known
    const there = { ...about, location_id: location.id }
    if (location.is_prospect) {
      const hint = `Sign it first: \`location sign ${location.id}\`.`
      return { ...there, outcome: 'refused', reason: 'In Renown it is a prospect, not a client.', hint }
    }
    if (isConnected) return { ...there, outcome: 'there' }
    const link = location.review_link === undefined ? { review_link: profile.review_link } : {}
    const ids = { ...newIdsOf(ctx, profile, location), source, ...added_via }
    const agencyId = await agencyIdOf(ctx, workspace_id)
    try {
      await withAgencyLock(ctx, agencyId, async () => {
        await refuseTwin(ctx, workspace_id, ids, location.id)
        await ctx.rows(BusinessLocation).update(location.id, { ...ids, ...link })
      })
    } catch (error) {
      return notImported(ctx, about, error)
    }
    await recordAudit(ctx, agencyId, 'location.change', location.business_name)
    return { ...there, outcome: 'moved' }
  }
  try {
    const { id: location_id } = await addLocation(ctx, {
      ...profile,
      workspace_id,
      source,
      ...added_via,
      trial,
    })
    return { ...about, outcome: 'added', location_id }
  } catch (error) {
    return notImported(ctx, about, error)
  }
}

/** Returns the ids of a listed location for one that is here: those of its listing, and others that it lacks. */
function newIdsOf(ctx: OwnerContext, profile: PlatformIds, location: PlatformIds): PlatformIds {
  const listings = platformIdsOf(ctx).filter((id) => id.isListing && idIn(id, profile) !== undefined)
  const replaced = listings.flatMap(({ parts = [], ...id }) => [
    fieldOfId(id),
    ...parts.flatMap(({ field, isRequired }) => (isRequired ? [field] : [])),
  ])
  const fields = platformIdFields.filter((field) => replaced.includes(field) || location[field] === undefined)
  return Object.fromEntries(fields.map((field) => [field, profile[field]]))
}

function notImported(ctx: OwnerContext, about: Pick<Imported, 'id' | 'name'>, error: unknown): Imported {
  if (!isRefusal(error) || error.status >= 500) throw error
  const twin = twinOf(ctx, error)
  if (twin !== undefined) return { ...about, outcome: 'there', location_id: twin }
  return { ...about, outcome: 'refused', reason: error.message, hint: error.details.hint }
}

/** Returns the location that somebody else added at the same time. */
function twinOf(ctx: OwnerContext, { details: { errors = [], extra = {} } }: Refusal): string | undefined {
  const listings = platformIdsOf(ctx).flatMap((id) => (id.isListing ? [`/${fieldOfId(id)}`] : []))
  const isSame = errors.some(({ pointer = '', code }) => code === 'taken' && listings.includes(pointer))
  return isSame && typeof extra.location_id === 'string' ? extra.location_id : undefined
}
