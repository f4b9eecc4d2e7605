import { effectiveProfile } from 'renown/records'
import { unfitText } from 'renown/sources'
import { summaryMax } from '../records/content'
import type { PostedLocationRow } from '../records/PostedLocation'
import { datedFacts } from './calendar'
import { factsOf, isBacked, siteKey } from './facts'

/** Returns what is public of a business, for the model and for checking what it wrote. */
export function businessFacts(location: PostedLocationRow) {
  const { about, services, attributes, hours, service_area, languages, socials } = effectiveProfile(location)
  const { business_name: name, business_category: category, phone, website } = location
  const { address_line1, address_line2, city, state, postal_code, country } = location
  const address = [address_line1, address_line2, postal_code, city, state, country]
    .filter((part) => part !== undefined)
    .join(', ')
  return {
    name,
    category,
    address,
    phone,
    website,
    about,
    services,
    attributes,
    service_area,
    languages,
    socials,
    hours: openDays(hours),
  }
}

/** Returns the days on which a business is open, with their hours. */
const openDays = (hours: unknown): Record<string, unknown> =>
  typeof hours === 'object' && hours !== null
    ? Object.fromEntries(
        Object.entries(hours).filter(([, spans]) => Array.isArray(spans) && spans.length > 0),
      )
    : {}

/**
 * Returns why a text must not be saved as a post that a machine wrote, or null. Every number, price, deal, day, street,
 * address and telephone number must be in the profile of the business or in the intent.
 */
export function refusedPost(text: string, location: PostedLocationRow, intent: string): string | null {
  const unfit = unfitText(text, summaryMax)
  if (unfit !== null) return unfit
  const known = knownFacts(location, intent)
  const unknown = [...factsOf(text)].find(([fact]) => !isBacked(fact, known))
  return unknown === undefined
    ? null
    : `it names ${unknown[1]} that neither the profile of the business nor the intent has`
}

function knownFacts(location: PostedLocationRow, intent: string): ReadonlySet<string> {
  const profile = textsIn(businessFacts(location)).join('\n')
  const known = new Set([profile, intent].flatMap((text) => [...factsOf(text).keys(), ...datedFacts(text)]))
  if (location.website !== undefined) known.add(siteKey(location.website))
  return known
}

/** Returns every key and text in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([key, part]) => `${key} ${textsIn(part).join('\n')}`)
}
