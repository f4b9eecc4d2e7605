import { escapedPath } from '../contracts/escaped-path'
import { trimTrailing } from '../contracts/trim-trailing'

/**
 * Parameters that only say how a reader came. `ref`, `source`, `si` and `cmpid` can also name what is on the page, so they
 * are not among them.
 */
const trackingNames: ReadonlySet<string> = new Set(
  [
    // Campaigns
    'at_medium at_campaign at_format at_bbc_team s_kwcid ef_id _openstat ref_src ref_url',
    // Clicks on results and advertisements
    'srsltid gclid gclsrc gad_source gad_campaignid gbraid wbraid dclid msclkid yclid ysclid fbclid fb_source',
    'fb_action_ids fb_action_types ttclid twclid li_fat_id epik rdt_cid sccid irclickid',
    // Shared links
    'igshid igsh mibextid share_id xmt',
    // Newsletters, and visitors that a page passes on
    'mc_cid mc_eid mkt_tok _hsenc _hsmi vero_id vero_conv oly_anon_id oly_enc_id _kx _gl _ga',
  ].flatMap((row) => row.split(' ')),
)
const trackingBeginnings = ['utm_', 'hsa_', 'pk_', 'mtm_', 'piwik_', 'matomo_', 'at_link_', 'at_ptr_', '__hs']

/** Whether a parameter of an address only says how a reader came, and not which page it is. */
function isTrackingParameter(given: string): boolean {
  const name = given.toLowerCase()
  return trackingNames.has(name) || trackingBeginnings.some((beginning) => name.startsWith(beginning))
}

/** Returns a fragment without the words that a browser should highlight, such as `#:~:text=From%20ten`. */
export const withoutHighlight = (hash: string): string => {
  const at = hash.indexOf(':~:')
  return at < 0 ? hash : hash.slice(0, at)
}

/**
 * Returns the address of a page without what only marks a visit: parameters of tracking, and a fragment that points to words
 * or to a part of the page. A fragment that an app uses as its path stays. The address still leads to the page. Any
 * text that is not an address is returned as it is.
 */
export function cleanPageAddress(address: string): string {
  const url = URL.parse(address)
  if (url === null) return address
  const names = [...url.searchParams.keys()].filter(isTrackingParameter)
  for (const name of names) url.searchParams.delete(name)
  url.hash = routeOf(url.hash)
  return url.href
}

/**
 * Returns the key by which a page is counted and compared. These make no difference: http or https, `www.`, a slash at the end,
 * tracking parameters, the order of parameters, and encoded letters. The key looks like an address, but it need not open. Any
 * text that is not a web address is returned as it is.
 */
export function pageKey(address: string): string {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return address
  const port = url.port === '' ? '' : `:${url.port}`
  const { path } = pageIdentity(url)
  return `https://${pageHost(url)}${port}${path}${identifyingQuery(url)}${routeOf(url.hash)}`
}

/**
 * Returns the query of an address with only the parameters that identify the page, in the order of their names. It begins
 * with `?`, or is empty.
 */
export function identifyingQuery(
  { searchParams }: URL,
  isLeftOut: (name: string) => boolean = isTrackingParameter,
): string {
  const kept = [...searchParams].filter(([name]) => !isLeftOut(name))
  const query = new URLSearchParams(kept.toSorted(byName)).toString()
  return query === '' ? '' : `?${query}`
}

/** The host and the path of a page, without what does not identify it. */
export interface PageIdentity {
  /** Host in lower case without `www.`. */
  readonly host: string
  /** Path as hits store it, without a slash at its end. */
  readonly path: string
}

/** Returns the host and the path that a page is compared by, where query and fragment do not count. */
export const pageIdentity = (url: URL): PageIdentity => ({
  host: pageHost(url),
  path: pagePath(url.pathname),
})

/** Returns a path in the form in which paths are compared: as hits store it, without a slash at its end. */
const pagePath = (path: string): string => trimTrailing(escapedPath(path), '/') || '/'

const pageHost = ({ hostname }: URL): string =>
  hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\.(?=.*\.)/, '')

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]) =>
  a === b ? 0 : a < b ? -1 : 1

/** Returns the fragment where it is the path of an app, such as `#/prices`, without tracking parameters. Otherwise nothing. */
function routeOf(hash: string): string {
  const own = withoutHighlight(hash)
  if (!/^#[!/]/.test(own)) return ''
  const at = own.indexOf('?')
  if (at < 0) return own
  const kept = own
    .slice(at + 1)
    .split('&')
    .filter((part) => part !== '' && !isTrackingParameter(part.split('=', 1)[0] ?? ''))
  return `${own.slice(0, at)}${kept.length === 0 ? '' : `?${kept.join('&')}`}`
}
