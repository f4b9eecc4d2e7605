import { withoutReferences } from 'renown'

/** Tags that begin a new line. Other tags, such as links and emphasis, stand inside a line. */
const breaks = /<\/?(?:p|br|div|li|ul|ol|h[1-6]|blockquote|figure|figcaption|hr|pre|table|tr)\b[^<>]*>/gi

/** Returns the text of HTML that a platform made from a text, for comparing both. */
export const textOfHtml = (html: string): string =>
  withoutReferences(html.replace(breaks, '\n').replace(/<[^<>]*>/g, ''))
