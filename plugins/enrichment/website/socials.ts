import { trimTrailing } from 'renown'

const networks: Readonly<Record<string, string>> = {
  'facebook.com': 'facebook',
  'fb.com': 'facebook',
  'instagram.com': 'instagram',
  'linkedin.com': 'linkedin',
  'youtube.com': 'youtube',
  'x.com': 'x',
  'twitter.com': 'x',
  'tiktok.com': 'tiktok',
  'pinterest.com': 'pinterest',
  'threads.net': 'threads',
  'threads.com': 'threads',
  'bsky.app': 'bluesky',
  'yelp.com': 'yelp',
  'xing.com': 'xing',
  'vimeo.com': 'vimeo',
  'github.com': 'github',
  't.me': 'telegram',
  'wa.me': 'whatsapp',
}

/** Addresses that share a page and are not profiles. */
const sharing =
  /^\/(?:sharer|share|sharearticle|intent|dialog|plugins|tr|pin\/create|home|hashtag|search|login|policies|legal|privacy|help|embed|watch)(?:[/.]|$)/i

/**
 * Returns the network of a profile address, and the address without additional parts. Null if it is not a
 * profile.
 */
export function socialOf(address: string): { readonly network: string; readonly url: string } | null {
  const url = address.length > 500 ? null : URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.port !== '') return null
  const host = url.hostname.replace(/^(?:www|m|mobile|[a-z]{2}(?:-[a-z]{2})?)\./, '')
  const network = Object.hasOwn(networks, host) ? networks[host] : undefined
  const path = trimTrailing(url.pathname, '/')
  if (network === undefined || path === '' || sharing.test(path)) return null
  const id = path === '/profile.php' ? url.searchParams.get('id') : null
  if (path === '/profile.php' && !/^\d{1,20}$/.test(id ?? '')) return null
  const kept = `https://${url.hostname}${path}${id === null ? '' : `?id=${id}`}`
  return kept.length > 300 ? null : { network, url: kept }
}

/** Returns the first address per network. Addresses that the business declares as its own come first. */
export function socialsOf(addresses: readonly string[]): Record<string, string> {
  const found = new Map<string, string>()
  for (const address of addresses) {
    const social = socialOf(address)
    if (social && !found.has(social.network)) found.set(social.network, social.url)
  }
  return Object.fromEntries(found)
}
