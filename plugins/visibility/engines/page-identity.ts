/** Parameters that tell where a visitor comes from, and not which page it is. */
const trackingNames: ReadonlySet<string> = new Set([
  'srsltid',
  'gclid',
  'gbraid',
  'wbraid',
  'dclid',
  'fbclid',
  'msclkid',
  'yclid',
  'igshid',
  'mc_cid',
  'mc_eid',
  '_ga',
  '_gl',
  'ref_src',
])

const isTracking = (name: string): boolean => name.startsWith('utm_') || trackingNames.has(name)

/**
 * Returns the address of a page without what only marks a visit: parameters of tracking, and a fragment that points to words
 * or to a part of the page. A fragment that an app uses as its path stays.
 */
export function cleanAddress(address: string): string {
  const url = new URL(address)
  for (const name of [...url.searchParams.keys()]) if (isTracking(name)) url.searchParams.delete(name)
  if (!/^#[!/]/.test(url.hash)) url.hash = ''
  return url.href
}

/**
 * Returns the address by which a page is counted. The same page is cited with http and https, with and without `www.`, and
 * with and without a slash at its end.
 */
export function countedAddress(address: string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(cleanAddress(address))
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return address
  const host = url.host.replace(/^www\./, '')
  let end = url.pathname.length
  while (end > 1 && url.pathname[end - 1] === '/') end--
  return `https://${host}${recoded(url.pathname.slice(0, end))}${url.search}${url.hash}`
}

/** Writes letters that were encoded in two ways alike. */
function recoded(path: string): string {
  try {
    return encodeURI(decodeURI(path)).replaceAll('%25', '%')
  } catch {
    return path
  }
}
