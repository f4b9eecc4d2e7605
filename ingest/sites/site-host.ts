/**
 * Whether a host that a log names can be the site's. Addresses and local names say nothing, since servers behind
 * proxies log those; any other name has to be the domain or below it.
 */
export function isOfSite(host: string, domain: string): boolean {
  const name = nameOf(host)
  if (isBelow(name, domain)) return true
  return isLocal(name) || isLocal(domain)
}

/** Whether a page's origin is the site's own: its domain or below it, whatever the port; for trials any. */
export function isOriginOfSite(origin: string, domain: string): boolean {
  const url = URL.parse(origin)
  if (!url || url.host === '') return false
  return isTrialDomain(domain) || isBelow(nameOf(url.host), domain)
}

/** The domain that the first run's site bears until it gets a real one: it takes what comes, so that it can be tried. */
export const isTrialDomain = (domain: string): boolean => domain === 'localhost'

const nameOf = (host: string) => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')

const isBelow = (name: string, domain: string) => name === domain || name.endsWith(`.${domain}`)

const isLocal = (name: string) =>
  !name.includes('.') ||
  name.startsWith('[') ||
  /^[\d.]+$/.test(name) ||
  /\.(local|localhost|internal|lan)$/.test(name)
