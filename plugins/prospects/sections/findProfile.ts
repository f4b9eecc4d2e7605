import { oneLine } from 'renown'
import { type ListingPart, listingParts } from 'renown/profiles'
import { effectiveProfile } from 'renown/records'
import type { Prospect } from '../records/foreign'
import { type Section, section } from '../records/section'
import type { ListingLook, ListingSource } from './readListing'

interface Check {
  readonly field: ListingPart
  /** Null if unknown. */
  readonly present: boolean | null
  /** `location`, `enrichment` or the name of the source. */
  readonly source: string | null
}

/**
 * Returns which parts of its listing are filled. The public listing decides if it could be read. Without it, a part
 * that Renown stores counts as present, and other parts are unknown.
 */
export function findProfile(prospect: Prospect, look: ListingLook, at: Date): Section {
  const checks = 'listing' in look ? listed(look, prospect) : held(prospect)
  const missing = checks.filter(({ present }) => present === false).map(({ field }) => field)
  const blank = checks.filter(({ present }) => present === null).map(({ field }) => field)
  if (blank.length === checks.length) {
    const reason = 'reason' in look ? look.reason : ''
    return section({ method: methods.held, at, facts: null, unknown: [{ what: 'listing', reason }] })
  }
  const filled = checks.length - missing.length
  return section({
    method: 'listing' in look ? methods.listed(look.source) : methods.held,
    at,
    facts: {
      checks,
      missing,
      ...('listing' in look ? { business_status: oneLine(look.listing.business_status ?? '', 40) } : {}),
    },
    unknown:
      'listing' in look
        ? []
        : [{ what: 'listing', reason: `${look.reason} What we hold stands in for it.` }, ...unsaid(blank)],
    score: 'listing' in look ? (100 * filled) / checks.length : null,
  })
}

const methods = {
  listed: ({ label, via }: ListingSource) =>
    `${label}'s place as anybody sees it (${via}): is each field filled in`,
  held: "Whether each field of Renown's record and profile of the business is filled in",
} as const

const unsaid = (blank: readonly ListingPart[]) =>
  blank.map((what) => ({ what, reason: 'Renown does not have it, and the listing was not read.' }))

function listed(
  { listing, source }: Extract<ListingLook, { listing: unknown }>,
  { is_online_only }: Prospect,
): Check[] {
  return listingParts
    .filter((field) => field !== 'address' || is_online_only !== true)
    .map((field) => ({ field, present: listing.filled[field], source: source.name }))
}

function held(prospect: Prospect): Check[] {
  const enriched = effectiveProfile(prospect)
  const own: Partial<Record<ListingPart, unknown>> = {
    website: prospect.website,
    phone: prospect.phone,
    address: prospect.address_line1,
    category: prospect.business_category,
    photos: prospect.cover_photo_url,
  }
  const read: Partial<Record<ListingPart, unknown>> = {
    opening_hours: enriched.hours,
    description: enriched.about,
  }
  return listingParts
    .filter((field) => field !== 'address' || prospect.is_online_only !== true)
    .map((field) => {
      if (isThere(own[field])) return { field, present: true, source: 'location' }
      if (isThere(read[field])) return { field, present: true, source: 'enrichment' }
      return { field, present: null, source: null }
    })
}

const isThere = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length > 0
    : typeof value === 'string' && value.trim() !== ''
