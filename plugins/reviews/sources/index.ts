import type { OwnerContext } from 'renown'
import { dataforseo } from './dataforseo'
import { facebook } from './facebook'
import { google } from './google'
import { places } from './places'
import type { ReviewedLocation, ReviewSource } from './source'

/** Where a location's reviews are read, by how it was added; null where nothing can be read. */
export function sourceOf(
  { settings }: Pick<OwnerContext, 'settings'>,
  location: ReviewedLocation & { readonly added_via?: string | undefined },
): ReviewSource | null {
  const { added_via, google_location_id, google_place_id, facebook_page_id } = location
  if (added_via === 'gbp_oauth' && google_location_id !== undefined) return google
  if (facebook_page_id !== undefined) return facebook
  const canAsk = { places: settings.PLACES_API_KEY !== '', dfs_keyword: settings.DATAFORSEO_LOGIN !== '' }
  if (added_via === 'places' && google_place_id !== undefined && canAsk.places) return places
  if (added_via === 'dfs_keyword' && canAsk.dfs_keyword) return dataforseo
  return null
}
