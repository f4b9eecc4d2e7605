/** Returns the default address of a site. */
export const homeOf = (domain: string): string =>
  isTrial(domain) ? `http://${domain}/` : `https://${domain}/`

/** Returns the address of a page of the site, or null if it is not one. For trials any host is accepted. */
export function pageOfSite(typed: string, domain: string): string | null {
  const text = typed.trim()
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  if (!isTrial(domain) && !isBelow(url.hostname, domain)) return null
  url.hash = ''
  return url.href.length > 2_000 ? null : url.href
}

/** Whether a host is the site's domain or a subdomain. */
export const isBelow = (host: string, domain: string): boolean => {
  const name = host.replace(/\.$/, '')
  return name === domain || name.endsWith(`.${domain}`)
}

/** Returns the address of the same page as a test visit, which is reported but never counted. */
export function testVisitTo(page: string, nonce: string): string {
  const url = new URL(page)
  url.searchParams.set('renown_check', nonce)
  return url.href
}

/** The domain of a site for trials. The first start creates one if the operator names no domain. */
export const trialDomain = 'localhost'

/** Whether a site is for trials, so that it accepts pages of any origin. */
export const isTrial = (domain: string): boolean => domain === trialDomain
