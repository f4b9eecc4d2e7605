/**
 * Whether a host in a log can belong to the site. IP addresses and local names always can, because servers behind
 * proxies log those. Any other name must be the domain or below it.
 */
export function isOfSite(host: string, domain: string): boolean {
  const name = nameOf(host)
  if (isBelow(name, domain)) return true
  return isLocal(name) || isLocal(domain)
}

/**
 * Whether a line names the site in its URL and something else as its host. Then it is unknown to whom the request went,
 * and whose address the line has. Where both are of the site, either is right.
 */
export const hasOtherHost = (asked: string | null, host: string | undefined, domain: string): boolean =>
  asked !== null && host !== undefined && !isTrialDomain(domain) && !isBelow(nameOf(host), domain)

/** Whether a host says nothing about the site, as that of a server behind a proxy: an IP address or a local name. */
export function isForeignLocal(host: string, domain: string): boolean {
  const name = nameOf(host)
  return isLocal(name) && !isBelow(name, domain)
}

/** Whether a page's origin belongs to the site: its domain or below it, with any port. For trials any origin does. */
export function isOriginOfSite(origin: string, domain: string): boolean {
  const url = URL.parse(origin)
  if (!url || url.host === '') return false
  return isTrialDomain(domain) || isBelow(nameOf(url.host), domain)
}

/**
 * Whether a domain is the first site's placeholder. Such a site accepts hits of any host, so that people can try it.
 */
export const isTrialDomain = (domain: string): boolean => domain === 'localhost'

const nameOf = (host: string) => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')

const isBelow = (name: string, domain: string) => name === domain || name.endsWith(`.${domain}`)

const isLocal = (name: string) =>
  !name.includes('.') ||
  name.startsWith('[') ||
  /^[\d.]+$/.test(name) ||
  /\.(local|localhost|internal|lan)$/.test(name)
