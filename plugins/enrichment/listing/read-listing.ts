import type { Location, Reading } from '../EnrichedLocation'
import { facebookConnection, readFacebookPage } from './facebook-listing'
import { googleConnection, readGoogleProfile } from './google-listing'
import type { Listing } from './listing'
import { readPlace } from './places-listing'

/** A profile that can be asked for: who is asked, and the asking. */
export interface ListingReader {
  readonly reader: Listing['reader']
  read(signal: AbortSignal): Promise<Listing>
}

/**
 * The profile of a location that tells most of those that can be asked: its own at Google where the account is connected, its Page where
 * that is, and else what Google shows anybody. Null where there is none: then it is not asked, which is no failure.
 */
export async function listingReader(ctx: Reading, location: Location): Promise<ListingReader | null> {
  const google = await googleConnection(ctx, location)
  if (google) return { reader: 'google', read: (signal) => readGoogleProfile(ctx, location, google, signal) }
  const page = await facebookConnection(ctx, location)
  if (page) return { reader: 'facebook', read: (signal) => readFacebookPage(ctx, location, page, signal) }
  if (location.google_place_id === undefined || ctx.settings.PLACES_API_KEY === '') return null
  return { reader: 'places', read: (signal) => readPlace(ctx, location, signal) }
}
