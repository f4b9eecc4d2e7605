import { Parser } from 'htmlparser2'

/** Pages name their feeds in their head. */
const pageMax = 1_048_576
const feedTypes = new Set([
  'application/rss+xml',
  'application/atom+xml',
  'application/rdf+xml',
  'application/feed+json',
])
/** Feeds of a page that are tried. */
const feedsMax = 3

/** Whether a text is a web page. */
export const isPage = (text: string): boolean =>
  /<(?:!doctype\s{1,9}html|html|head|body)[\s>]/i.test(text.slice(0, 65_536))

/** Returns the addresses of the feeds that a page names, those of its posts before those of its comments. */
export function feedsOfPage(html: string, address: string): string[] {
  const found: { readonly href: string; readonly isOfComments: boolean }[] = []
  let base = address
  const parser = new Parser({
    onopentag(name, { rel = '', type = '', href = '', title = '' }) {
      if (name === 'base' && href !== '') base = URL.parse(href, address)?.href ?? base
      if (name !== 'link' || found.length >= 50) return
      const isAlternate = rel.toLowerCase().split(/\s/).includes('alternate')
      const url = URL.parse(href.trim(), base)
      if (!isAlternate || url === null || href.trim() === '' || !/^https?:$/.test(url.protocol)) return
      const isFeed =
        feedTypes.has(type.trim().toLowerCase().split(';')[0] ?? '') ||
        (type.trim().toLowerCase() === 'application/json' && /feed/i.test(href))
      if (isFeed) found.push({ href: url.href, isOfComments: /comment/i.test(`${title} ${url.pathname}`) })
    },
  })
  parser.end(html.slice(0, pageMax))
  const ordered = found.toSorted((a, b) => Number(a.isOfComments) - Number(b.isOfComments))
  return [...new Set(ordered.map(({ href }) => href))].filter((href) => href !== address).slice(0, feedsMax)
}
