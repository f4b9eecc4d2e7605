import { Parser } from 'htmlparser2'

/** Pages name their feeds in their head. */
const pageMax = 1_048_576
const generalTypes = new Set(['application/json', 'application/xml', 'text/xml', ''])
const feedTypes = new Set([
  'application/rss+xml',
  'application/atom+xml',
  'application/rdf+xml',
  'application/feed+json',
])
/** Feeds of a page that are tried. */
const feedsMax = 3
/** Addresses that are those of a feed by their form. */
const feedPath =
  /(?:^|\/)(?:feed|rss|atom|feed\.xml|rss\.xml|atom\.xml|index\.xml|feed\.json|[\w-]{1,60}\.rss)\/?$/i

/** Whether a text is a web page. */
export const isPage = (text: string): boolean =>
  /<(?:!doctype\s{1,9}html|html|head|body)[\s>]/i.test(text.slice(0, 65_536))

/** Returns the addresses of the feeds that a page names, those of its posts before those of its comments. */
export function feedsOfPage(html: string, address: string): string[] {
  const found: { readonly href: string; readonly rank: number }[] = []
  let base = address
  const parser = new Parser({
    onopentag(name, attributes) {
      const { href = '' } = attributes
      if (name === 'base' && href !== '') base = URL.parse(href, address)?.href ?? base
      if ((name !== 'link' && name !== 'a') || found.length >= 50 || href.trim() === '') return
      const url = URL.parse(href.trim(), base)
      if (url === null || !/^https?:$/.test(url.protocol)) return
      const rank = rankOf(name, attributes, url)
      if (rank !== undefined) found.push({ href: url.href, rank })
    },
  })
  parser.end(html.slice(0, pageMax))
  const ordered = found.toSorted((a, b) => a.rank - b.rank)
  return [...new Set(ordered.map(({ href }) => href))].filter((href) => href !== address).slice(0, feedsMax)
}

/** The place of an address among the feeds of a page, the lowest first. Undefined if it is that of no feed. */
function rankOf(
  name: string,
  { rel = '', type = '', title = '' }: Readonly<Record<string, string>>,
  { pathname }: URL,
): number | undefined {
  const isOfComments = /comment/i.test(`${title} ${pathname}`)
  const relations = rel.toLowerCase().split(/\s/)
  if (name === 'link' && (relations.includes('alternate') || relations.includes('feed'))) {
    const given = type.trim().toLowerCase().split(';')[0] ?? ''
    const isGeneral = generalTypes.has(given) && /feed|rss|atom/i.test(`${title} ${pathname}`)
    if (feedTypes.has(given) || isGeneral) return isOfComments ? 2 : 0
  }
  // A link that people follow, on pages that name no feed in their head.
  return name === 'a' && feedPath.test(pathname) ? (isOfComments ? 3 : 1) : undefined
}
