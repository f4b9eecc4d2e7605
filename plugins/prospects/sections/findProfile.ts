import { effectiveProfile, oneLine } from 'renown'
import type { Prospect } from '../records/foreign'
import { type Section, section } from '../records/section'
import type { Place, PlaceLook } from './readPlace'

/** What a listing should hold, by the words of the answer. */
const parts = ['website', 'phone', 'address', 'category', 'opening_hours', 'description', 'photos'] as const
type Part = (typeof parts)[number]

interface Check {
  readonly field: Part
  /** Null: not known. */
  readonly present: boolean | null
  readonly source: 'places' | 'location' | 'enrichment' | null
}

/**
 * Which fields of its listing are filled in. Google's own place decides where it could be read. Without it a field that
 * we hold is there; one that we do not hold is not known to be missing.
 */
export function findProfile(prospect: Prospect, look: PlaceLook, at: Date): Section {
  const checks = 'place' in look ? listed(look.place, prospect) : held(prospect)
  const missing = checks.filter(({ present }) => present === false).map(({ field }) => field)
  const blank = checks.filter(({ present }) => present === null).map(({ field }) => field)
  if (blank.length === checks.length) {
    const reason = 'reason' in look ? look.reason : ''
    return section({ method: methods.held, at, facts: null, unknown: [{ what: 'listing', reason }] })
  }
  const filled = checks.length - missing.length
  return section({
    ...{ method: 'place' in look ? methods.listed : methods.held, at },
    facts: {
      ...{ checks, missing },
      ...('place' in look ? { business_status: oneLine(look.place.businessStatus ?? '', 40) } : {}),
    },
    unknown:
      'place' in look
        ? []
        : [{ what: 'listing', reason: `${look.reason} What we hold stands in for it.` }, ...unsaid(blank)],
    score: 'place' in look ? (100 * filled) / checks.length : null,
  })
}

const methods = {
  listed: "Google's place as anybody sees it (Places API): is each field filled in",
  held: 'Our own record of the business and its enrichment: is each field filled in',
} as const

const unsaid = (blank: readonly Part[]) =>
  blank.map((what) => ({ what, reason: 'We do not hold it, and the listing was not read.' }))

function listed(place: Place, { is_online_only }: Prospect): Check[] {
  const found: Record<Part, boolean> = {
    website: place.websiteUri !== undefined && place.websiteUri !== '',
    phone: place.internationalPhoneNumber !== undefined && place.internationalPhoneNumber !== '',
    address: place.formattedAddress !== undefined && place.formattedAddress !== '',
    category: (place.primaryTypeDisplayName?.text ?? '') !== '',
    opening_hours: (place.regularOpeningHours?.periods ?? []).length > 0,
    description: (place.editorialSummary?.text ?? '') !== '',
    photos: (place.photos ?? []).length > 0,
  }
  return parts
    .filter((field) => field !== 'address' || is_online_only !== true)
    .map((field) => ({ field, present: found[field], source: 'places' }))
}

function held(prospect: Prospect): Check[] {
  const enriched = effectiveProfile(prospect)
  const own: Partial<Record<Part, unknown>> = {
    website: prospect.website,
    phone: prospect.phone,
    address: prospect.address_line1,
    category: prospect.business_category,
    photos: prospect.cover_photo_url,
  }
  const read: Partial<Record<Part, unknown>> = { opening_hours: enriched.hours, description: enriched.about }
  return parts
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
