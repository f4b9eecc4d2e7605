import { effectiveProfile } from 'renown/records'
import { type DraftChannel, type DraftFault, guardDraft } from 'renown/sending'
import type { PostTarget } from '../contract'
import { type PostType, summaryMax } from '../records/content'
import type { PostedLocationRow } from '../records/PostedLocation'

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

/** What a post is written for. */
export interface PostGround {
  readonly intent: string
  readonly post_type: PostType
  /** BCP 47 language tag. */
  readonly language: string
}

/**
 * Returns what a post says that neither the profile of the business nor the intent backs, and what its platform does not take.
 * A post speaks of what the business does and invites to its own pages, so such words alone are not refused.
 */
export function postFaults(
  text: string,
  location: PostedLocationRow,
  { intent, post_type, language }: PostGround,
  channel: DraftChannel = plainChannel,
): readonly DraftFault[] {
  const { phone, website } = location
  return guardDraft(
    text,
    {
      facts: [textsIn(businessFacts(location)).join('\n'), intent],
      phone,
      website,
      languages: [language, 'en'],
      unchecked: post_type === 'offer' ? [...usualWords, 'deal'] : usualWords,
    },
    channel,
  )
}

const usualWords = ['practice', 'promise'] as const

/** What Renown stores, if no plugin publishes on the platform. */
const plainChannel: DraftChannel = { label: 'Renown', textMax: summaryMax, countedIn: 'characters' }

/** Returns what a platform accepts, as the guard of drafts needs it. */
export const postChannel = (target: PostTarget | null): DraftChannel =>
  target === null
    ? plainChannel
    : { label: target.label, textMax: target.rules.textMax, countedIn: target.rules.countedIn }

/** Returns every key and text in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([key, part]) => `${key} ${textsIn(part).join('\n')}`)
}
