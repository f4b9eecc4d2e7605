const trackingNames =
  /^(?:utm_.*|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|si|ref|ref_src|ref_url|source|cmpid)$/i

/**
 * Returns an address by which copies of one page are found: lower-case host without `www.`, `m.` and `amp.`, no
 * tracking parameters, no fragment and no slash at the end. Not an address to open.
 */
export function canonicalUrl(given: string): string {
  const url = URL.parse(given)
  if (url === null) return given
  const host = url.host.replace(/^(?:(?:www|m|mobile|amp)\.)+/, '')
  const kept = [...url.searchParams].filter(([name]) => !trackingNames.test(name)).sort(byName)
  const query = new URLSearchParams(kept).toString()
  const parts = url.pathname.split('/')
  while (parts.at(-1) === '' || parts.at(-1) === 'amp') parts.pop()
  const path = parts.join('/')
  return `${host}${path}${query === '' ? '' : `?${query}`}`
}

const byName = ([a]: readonly string[], [b]: readonly string[]) => ((a ?? '') < (b ?? '') ? -1 : 1)
