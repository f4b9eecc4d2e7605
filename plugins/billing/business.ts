import type { OwnerContext } from 'renown'
import { idKeysOf, type PlatformIds } from 'renown/records'
import { getDomain } from 'tldts'
import type { BillingLocation } from './location'

/** The data that identifies a business, in comparable form, by kind. Every kind but these three is an id of a platform. */
export type BusinessIdentity = Readonly<Record<string, string>>

const words = ['website', 'name', 'city']
const platformsOf = (known: BusinessIdentity) => Object.keys(known).filter((kind) => !words.includes(kind))

type Told = PlatformIds & Partial<Pick<BillingLocation, 'website' | 'business_name' | 'city'>>

/** Returns the data that identifies the business of a location. */
export function identityOf(
  ctx: Pick<OwnerContext, 'extensions'>,
  { business_name, city, website, ...ids }: Told,
): BusinessIdentity {
  const known: Record<string, string | undefined> = {
    ...idKeysOf(ctx, ids),
    website: website === undefined ? undefined : siteOf(website),
    name: business_name === undefined ? undefined : plain(business_name),
    city: city === undefined ? undefined : plain(city),
  }
  return Object.fromEntries(Object.entries(known).flatMap(([kind, value]) => (value ? [[kind, value]] : [])))
}

/**
 * Whether two businesses are the same. A platform id that both have decides, otherwise the website. If one
 * has neither, the name decides, together with the city if both have one. So the branches of a chain, which
 * share a website, are different businesses.
 */
export function isSameBusiness(one: BusinessIdentity, other: BusinessIdentity): boolean {
  const both = platformsOf(one).filter((kind) => other[kind] !== undefined)
  if (both.length > 0) return both.some((kind) => one[kind] === other[kind])
  if (one.website !== undefined && one.website === other.website) return true
  if (!hasNameAlone(one) && !hasNameAlone(other)) return false
  const isSameCity = one.city === undefined || other.city === undefined || one.city === other.city
  return one.name !== undefined && one.name === other.name && isSameCity
}

/** Returns the identity as hashes, which can be compared but not read. */
export function hashed(known: BusinessIdentity): BusinessIdentity {
  return Object.fromEntries(
    Object.entries(known).map(([kind, value]) => [kind, sha256(`${kind} ${value}`)] as const),
  )
}

const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')

/** Whether only its name distinguishes it from others. */
const hasNameAlone = (known: BusinessIdentity) =>
  known.website === undefined && platformsOf(known).length === 0

/** Hosts where many businesses have a page. For these, the path belongs to the name of the site. */
const shared =
  /(?:^|\.)(?:facebook\.com|instagram\.com|linktr\.ee|google\.com|g\.page|goo\.gl|x\.com|twitter\.com|tiktok\.com|youtube\.com|linkedin\.com|etsy\.com|booking\.com|(?:yelp|tripadvisor|amazon|ebay|airbnb|opentable|treatwell|doctolib)\.[a-z.]{1,40})$/

/** Returns the registrable domain of a website, or the host with its path for a page on a shared host. */
function siteOf(website: string): string | undefined {
  const url = URL.parse(website)
  if (!url) return undefined
  const host = url.hostname.replace(/\.$/, '')
  if (shared.test(host)) return `${host.replace(/^www\./, '')}${withoutSlashes(url.pathname).toLowerCase()}`
  return getDomain(host, { allowPrivateDomains: true }) ?? host
}

/** Returns only letters and digits, in lower case. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** A loop, because a pattern such as `/[x]+$/` needs quadratic time. */
function withoutSlashes(path: string): string {
  let end = path.length
  while (path.charAt(end - 1) === '/') end--
  return path.slice(0, end)
}
