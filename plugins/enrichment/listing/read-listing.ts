import type { OwnerContext } from 'renown'
import { profileSource } from '../contract'
import type { EnrichedRow } from '../EnrichedLocation'
import { type Listing, silentListing } from './listing'

/** A profile that can be read: its source, and the function that reads it. */
export interface ListingReader {
  readonly reader: string
  read(signal: AbortSignal): Promise<Listing>
}

/**
 * Returns the first source that can read a location, in their order. Null if none can, which is not a
 * failure.
 */
export async function listingReader(ctx: OwnerContext, location: EnrichedRow): Promise<ListingReader | null> {
  for (const { name, open } of ctx.extensions(profileSource).toSorted((a, b) => a.order - b.order)) {
    const found = await open(ctx, location)
    if (!found) continue
    return {
      reader: name,
      async read(signal) {
        const profile = await found.read(signal)
        const from = { reader: name, id: `${name}:${profile.id}`, fetched_at: ctx.now().toISOString() }
        return { ...silentListing, ...profile, ...from }
      },
    }
  }
  return null
}
