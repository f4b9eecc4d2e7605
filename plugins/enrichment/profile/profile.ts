import type { Enrichment } from 'renown/records'
import type { EnrichedRow } from '../EnrichedLocation'
import { type BusinessData, businessData } from '../listing/business-data'
import { orderedHours } from '../listing/hours'
import type { Listing } from '../listing/listing'
import type { Site } from '../website/read-site'
import { socialsOf } from '../website/socials'
import { cleanText, distinct, phoneDigits } from '../website/text'
import { languageTags } from './languages'

/** The data that was read about a business, from one or two sources. */
export interface Findings {
  readonly site: Site | null
  readonly listing: Listing | null
  /** The business in the markup of its pages. */
  readonly data: BusinessData | null
}

/** A complete profile: every known part, within its limit. */
export type Profile = Enrichment & Required<Omit<Enrichment, 'hours' | 'service_area'>>

const bounds = { about: 1_000, item: 80, items: 30, area: 300, languages: 10, sources: 8 } as const

/** Combines the data of all sources, and finds the business in a site's structured data. */
export const findingsOf = (site: Site | null, listing: Listing | null, location: EnrichedRow): Findings => ({
  site,
  listing,
  data:
    site &&
    businessData(
      site.pages.flatMap(({ data }) => data),
      location,
    ),
})

/**
 * Returns a profile from machine-readable data only: markup, `meta` and the fields of the listing. The listing comes
 * first, and pages fill the gaps.
 */
export function structuredProfile(findings: Findings, location: EnrichedRow): Profile {
  const { site, listing, data } = findings
  const pages = site?.pages ?? []
  const described = pages.map(({ description }) => description)
  const told = [listing?.about, data?.description, ...described, nameplate(location)]
  const about = told.map((text) => cleanText(text ?? '', bounds.about)).find((text) => text !== '')
  const hours = orderedHours(listing?.hours ?? {}) ?? orderedHours(data?.hours ?? {})
  const area = cleanText(listing?.area || data?.area || '', bounds.area)
  const spoken = [...(data?.languages ?? []), ...pages.flatMap(({ languages }) => languages)]
  const links = pages.flatMap((page) => page.links.map(({ url }) => url))
  return {
    about: about ?? '',
    services: distinct([...(listing?.services ?? []), ...(data?.services ?? [])], bounds.items, bounds.item),
    attributes: distinct(
      [...(listing?.attributes ?? []), ...(data?.attributes ?? [])],
      bounds.items,
      bounds.item,
    ),
    ...(hours === undefined ? {} : { hours }),
    ...(area === '' ? {} : { service_area: area }),
    languages: languageTags([...(listing?.languages ?? []), ...spoken], bounds.languages),
    socials: socialsOf([...(data?.same_as ?? []), ...(listing?.socials ?? []), ...links]),
    sources: sourcesOf(findings),
    confidence: confidenceOf(findings),
  }
}

/** The parts of a language model's answer that may be used. */
export interface Understood {
  readonly about: string | null
  readonly services: readonly string[]
  readonly attributes: readonly string[]
  readonly service_area: string | null
  readonly languages: readonly string[]
}

/**
 * Returns the profile with the model's findings: its summary is used, and its lists come before those of the
 * structured data.
 */
export function withUnderstood(profile: Profile, understood: Understood): Profile {
  const { about, services, attributes, service_area, languages } = understood
  const area = cleanText(profile.service_area ?? service_area ?? '', bounds.area)
  return {
    ...profile,
    about: cleanText(about ?? '', bounds.about) || profile.about,
    services: distinct([...services, ...profile.services], bounds.items, bounds.item),
    attributes: distinct([...attributes, ...profile.attributes], bounds.items, bounds.item),
    ...(area === '' ? {} : { service_area: area }),
    languages: languageTags([...profile.languages, ...languages], bounds.languages),
  }
}

/** Adds the earlier data of a source that could not be read, with its old date, if there is no newer data. */
export function withBefore(profile: Profile, before: Enrichment | undefined): Profile {
  if (!before) return profile
  const kept = Object.entries(before).filter(
    ([key, value]) => isEmpty(profile[key as keyof Profile]) && !isEmpty(value),
  )
  const read = new Set(profile.sources.map(({ url }) => url))
  const older = (before.sources ?? []).filter(({ url }) => !read.has(url))
  return {
    ...profile,
    ...Object.fromEntries(kept),
    sources: [...profile.sources, ...older].slice(0, bounds.sources),
  }
}

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

/** Returns a description from the name, the category and the city, if no source has one. */
const nameplate = ({ business_name, business_category, city }: EnrichedRow) =>
  [business_name, business_category, city].filter(Boolean).join(' · ')

function sourcesOf({ site, listing }: Findings): Profile['sources'] {
  const read = [...(listing ? [listing] : []), ...(site?.pages ?? [])]
  const sources = read.map(({ url, fetched_at }) => ({ url: cleanText(url, 2_000), fetched_at }))
  return sources.slice(0, bounds.sources)
}

/**
 * Returns the confidence. A listing gives 0.4, a website 0.2, and markup of the business on it 0.2. Adds 0.2 if two of
 * them have the same telephone number or postal code.
 */
function confidenceOf({ site, listing, data }: Findings): number {
  const phones = [listing?.fields.phone, data?.phone, ...(site?.pages ?? []).flatMap(({ phones }) => phones)]
  const [first, ...others] = phones.map((phone) => phoneDigits(String(phone ?? '')))
  const code = String(listing?.fields.postal_code ?? '').toLowerCase()
  const agrees =
    (first !== '' && others.includes(first ?? '')) ||
    (code !== '' && data?.postal_code.toLowerCase() === code)
  const tenths = (listing ? 4 : 0) + (site ? 2 : 0) + (data ? 2 : 0) + (agrees ? 2 : 0)
  return tenths / 10
}
