import { type ProfileFieldName, profileFieldNames } from '../contract'
import type { EnrichedRow } from '../EnrichedLocation'
import { cleanText } from '../website/text'
import type { Listing } from './listing'

/** Fields that are filled together or not at all, so that an address never mixes two sources. */
const groups: readonly (readonly ProfileFieldName[])[] = [
  ['address_line1', 'address_line2', 'city', 'state', 'postal_code', 'country'],
  ['latitude', 'longitude'],
  ...(['business_category', 'phone', 'website', 'google_maps_url', 'cover_photo_url'] as const).map((one) => [
    one,
  ]),
  ...(['logo_url', 'is_verified', 'review_link'] as const).map((one) => [one]),
]

type Value = string | number | boolean
type Values = Readonly<Partial<Record<ProfileFieldName, Value>>>

/** The changes that a profile makes to a location's listing, and the record of its own values. */
export interface Filling {
  readonly changes: Partial<Pick<EnrichedRow, ProfileFieldName>>
  readonly listing_from: { readonly id: string; readonly fields: Record<string, Value> }
}

/**
 * Fills empty fields from a profile, and updates those that it filled before and nobody has changed since.
 * Edits by people stay. A field with the same value counts as filled by the profile, so it is updated too.
 */
export function fillListing(
  location: EnrichedRow,
  { id, fields, unread = [] }: Pick<Listing, 'id' | 'fields' | 'unread'>,
): Filling {
  const told = sound(fields)
  const given = givenBefore(location, id)
  const changes: Partial<Record<ProfileFieldName, Value | undefined>> = {}
  const kept: Record<string, Value> = {}
  for (const group of groups) {
    if (group.some((name) => unread.includes(name))) {
      for (const name of group) if (given[name] !== undefined) kept[name] = given[name]
      continue
    }
    const isFree = group.every((name) => isOpen(location[name], given[name], told[name]))
    if (!isFree || !group.some((name) => told[name] !== undefined || given[name] !== undefined)) continue
    for (const name of group) {
      const value = told[name]
      if (value !== undefined) kept[name] = value
      if (value !== location[name] && (value !== undefined || given[name] !== undefined))
        changes[name] = value
    }
  }
  return { changes: changes as Filling['changes'], listing_from: { id, fields: kept } }
}

/** Whether a field may be filled: it is empty, this profile filled it, or its value is the same. */
const isOpen = (stands: Value | undefined, given: Value | undefined, told: Value | undefined) =>
  stands === undefined || stands === '' || stands === given || isSame(stands, told)

const isSame = (a: Value, b: Value | undefined) =>
  a === b || (typeof a === 'string' && typeof b === 'string' && a.trim().toLowerCase() === b.toLowerCase())

/** Returns what the same profile contained when it was last read. */
function givenBefore({ listing_from: from }: EnrichedRow, id: string): Values {
  const fields = from?.id === id ? from.fields : null
  if (fields === null || typeof fields !== 'object') return {}
  const entries = profileFieldNames.flatMap((name) => {
    const value = (fields as Values)[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

const lengths: Partial<Record<ProfileFieldName, number>> = {
  website: 2_000,
  google_maps_url: 2_000,
  cover_photo_url: 2_000,
  logo_url: 2_000,
  review_link: 2_000,
}
const isAddress = (name: ProfileFieldName) =>
  name.endsWith('_url') || name === 'website' || name === 'review_link'

/** Returns the fields of a platform that have valid values. */
function sound(fields: Values): Values {
  const entries = profileFieldNames.map((name) => [name, soundValue(name, fields[name])] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function soundValue(name: ProfileFieldName, value: Value | undefined): Value | undefined {
  if (typeof value === 'boolean' || value === undefined) return value
  if (typeof value === 'string') {
    const text = cleanText(value, lengths[name] ?? 200)
    const isFit = text !== '' && (!isAddress(name) || /^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    return isFit ? text : undefined
  }
  const bound = name === 'latitude' ? 90 : 180
  return Math.abs(value) <= bound ? value : undefined
}
