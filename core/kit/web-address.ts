/**
 * Returns a typed address if a browser may open it: http or https, without a password. Otherwise undefined.
 */
export function webAddress(given: string | undefined): string | undefined {
  const url = URL.parse(given ?? '')
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username === ''
  return isWeb && url.href.length <= 2_000 ? url.href : undefined
}

/** Returns a copy without the entries that are undefined or empty text. */
export const withoutEmpty = <T extends object>(given: T): T =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== '')) as T
