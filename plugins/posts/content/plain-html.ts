import { withoutReferences } from 'renown/sources'

/** Tags that begin a new line. Other tags, such as links and emphasis, stand inside a line. */
const breaks = /<\/?(?:p|br|div|li|ul|ol|h[1-6]|blockquote|figure|figcaption|hr|pre|table|tr)\b[^<>]*>/gi

const plain = (html: string): string => withoutReferences(html.replace(breaks, '\n').replace(/<[^<>]*>/g, ''))

/**
 * Returns the text of HTML that a platform made from a text, for comparing both. A link that the platform shows shortened counts
 * as its address.
 */
export function textOfHtml(html: string): string {
  const [first = '', ...links] = html.split(/<a(?=\s)/i)
  return plain(first) + links.map(textOfLink).join('')
}

/** Returns the text of a link and of what follows it. `html` begins after `<a`. */
function textOfLink(html: string): string {
  const inside = html.indexOf('>') + 1
  const end = html.indexOf('</a>')
  if (inside === 0 || end < inside) return plain(`<a${html}`)
  const [, href = ''] = /\shref="([^"<>]{1,2000})"/.exec(html.slice(0, inside)) ?? []
  const shown = plain(html.slice(inside, end))
  const address = withoutReferences(href)
  return (isShortened(shown, address) ? address : shown) + plain(html.slice(end))
}

/** Whether a text is the beginning of an address, without its scheme and with an ellipsis. */
function isShortened(shown: string, address: string): boolean {
  const [beginning, ...rest] = shown.trim().split(/…|\.\.\./)
  const bare = (text: string) => text.replace(/^https?:\/\//, '').replace(/^www\./, '')
  if (beginning === undefined || rest.length > 1 || bare(beginning) === '') return false
  return bare(address).startsWith(bare(beginning)) && (rest.length === 1 || bare(shown) === bare(address))
}
