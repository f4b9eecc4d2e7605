import { pageIdentity } from 'renown/sources'

/** The address of a page, without what does not identify it. */
export interface PageAddress {
  /** Host in lower case without `www.`. Null if only a path was given. */
  readonly domain: string | null
  /** Path as hits store it, without query, fragment and a slash at its end. */
  readonly path: string
}

/** Reads a path or a web address. Null if it is neither. */
export function pageAddress(given: string): PageAddress | null {
  const isPath = given.startsWith('/') && !given.startsWith('//')
  const url = URL.parse(isPath ? `https://page.invalid${given}` : given)
  if (!url || !/^https?:$/.test(url.protocol)) return null
  const { host, path } = pageIdentity(url)
  return { domain: isPath ? null : host, path }
}

/** Returns whether a citation is of this page. Without a host, only pages of the brand's own site count. */
export function isPage(
  { domain, path }: PageAddress,
  cited: { readonly url?: string | undefined; readonly is_own: boolean },
): boolean {
  const page = cited.url === undefined ? null : pageAddress(cited.url)
  if (!page || page.path !== path) return false
  return domain === null ? cited.is_own : page.domain === domain
}
