/**
 * Whether a host that a log names can be the site's. Addresses and local names say nothing, since servers behind
 * proxies log those; any other name has to be the domain or below it.
 */
export function isOfSite(host: string, domain: string): boolean {
  const name = nameOf(host)
  if (isBelow(name, domain)) return true
  return isLocal(name) || isLocal(domain)
}

/** Whether a page's origin is the site's own: its domain or below it, whatever the port. */
export function isOriginOfSite(origin: string, domain: string): boolean {
  const url = URL.parse(origin)
  if (!url) return false
  const name = nameOf(url.host)
  return isBelow(name, domain) || (domain === 'localhost' && loopback.includes(name))
}

const loopback = ['127.0.0.1', '[::1]']

const nameOf = (host: string) => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')

const isBelow = (name: string, domain: string) => name === domain || name.endsWith(`.${domain}`)

const isLocal = (name: string) =>
  !name.includes('.') ||
  name.startsWith('[') ||
  /^[\d.]+$/.test(name) ||
  /\.(local|localhost|internal|lan)$/.test(name)
