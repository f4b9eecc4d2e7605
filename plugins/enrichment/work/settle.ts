import { moveState, type OwnerContext, type RowChanges, where } from 'renown'
import { enrichmentStatus } from 'renown/records'
import { EnrichedLocation, type EnrichedRow } from '../EnrichedLocation'
import { fillListing } from '../listing/fill-listing'
import { inferOnlineOnly } from '../listing/online-only'
import { type Findings, type Profile, withBefore } from '../profile/profile'

/** The result of reading. */
export interface Result {
  readonly findings: Findings
  readonly profile: Profile
  readonly method: string
  /** Why a source could not be read. Null if all could. */
  readonly fault: string | null
}

/** How many parts of a location changed. */
export interface Settled {
  readonly keys: number
  readonly fields: number
}

const triesMax = 5

/**
 * Stores a result in one change: the profile, the listing fields and the state. Checks for concurrent changes
 * first. Null if the location no longer waits for the result.
 */
export async function settle(ctx: OwnerContext, id: string, result: Result): Promise<Settled | null> {
  const rows = ctx.rows(EnrichedLocation)
  for (let tries = 0; tries < triesMax; tries++) {
    const location = await rows.get(id)
    if (location?.enrichment_status !== 'pending') return null
    const { changes, settled } = changesOf(location, result, ctx.now())
    const isUntouched = where.and(
      where.eq('id', id),
      where.eq('enrichment_status', 'pending'),
      where.eq('updated_date', location.updated_date),
    )
    if (await rows.updateWhere(isUntouched, changes)) return settled
  }
  throw new Error('The location changed too often to save its profile')
}

function changesOf(location: EnrichedRow, { findings, profile, method, fault }: Result, now: Date) {
  const { listing, data } = findings
  const filling = listing ? fillListing(location, listing) : null
  const enrichment = fault === null ? profile : withBefore(profile, location.enrichment)
  const moved = moveState(enrichmentStatus, 'pending', fault === null ? 'success' : 'partial', {
    now,
    with: fault === null ? {} : { enrichment_error: fault },
  })
  const whereabouts = { location: { ...location, ...filling?.changes }, listing, data }
  const isOnline = location.is_online_only_overridden === true ? null : inferOnlineOnly(whereabouts)
  return {
    changes: {
      ...filling?.changes,
      ...(filling ? { listing_from: filling.listing_from } : {}),
      ...(isOnline === null ? {} : { is_online_only: isOnline }),
      enrichment,
      enrichment_method: method,
      ...moved,
    } as RowChanges<typeof EnrichedLocation>,
    settled: {
      keys: changedKeys(location.enrichment ?? {}, enrichment),
      fields: Object.keys(filling?.changes ?? {}).length,
    },
  }
}

/** Counts the changed parts of the profile. The time of reading does not count. */
function changedKeys(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>) {
  const names = Object.keys({ ...before, ...after }).filter((name) => name !== 'sources')
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])).length
}
