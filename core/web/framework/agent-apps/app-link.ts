import { pageUrl, splitAddress } from '../../../kit/page-addresses'

/**
 * Returns the link to the page with the figures of an answer: in the workspace that the call named by its id, otherwise in the one of
 * the connection.
 */
export function linkFor(link: string, { workspace_id: named }: Readonly<Record<string, unknown>>): string {
  const url = URL.parse(link)
  if (!url || typeof named !== 'string' || !/^wsp_\w{1,60}$/.test(named)) return link
  return pageUrl(url.origin, named, `${splitAddress(url.pathname).path}${url.search}`)
}
