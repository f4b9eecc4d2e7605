import type { OwnerContext } from 'renown'
import { facebook } from './facebook'
import { google } from './google'
import type { ReviewedLocation, ReviewSource } from './source'

/** Where a location's reviews are read, by how it was added; null where nothing can be read. */
export function sourceOf(
  _ctx: Pick<OwnerContext, 'settings'>,
  location: ReviewedLocation & { readonly added_via?: string | undefined },
): ReviewSource | null {
  const { added_via, google_location_id, facebook_page_id } = location
  if (added_via === 'gbp_oauth' && google_location_id !== undefined) return google
  if (facebook_page_id !== undefined) return facebook
  return null
}
