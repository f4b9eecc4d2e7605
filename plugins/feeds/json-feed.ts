import { parseForeignJson } from 'renown/sources'
import * as v from 'valibot'
import { type Feed, FeedError, type FeedItem, itemsMax } from './feed-item'

/** A text of an item. A value of another type is left out, and the item stays. */
const line = v.fallback(v.nullish(v.string()), null)
const author = v.fallback(v.nullish(v.object({ name: line, url: line })), null)
const attachment = v.fallback(v.nullish(v.object({ url: line })), null)
const version = v.pipe(v.string(), v.regex(/^https?:\/\/(?:www\.)?jsonfeed\.org\/version\//))
const feed = v.object({
  version: v.optional(version),
  language: line,
  home_page_url: line,
  author,
  authors: v.fallback(v.nullish(v.array(author)), null),
  items: v.array(v.unknown()),
})

/** Returns the first text that says something. Some services send empty texts for what they do not have. */
const filled = (...texts: readonly (string | null | undefined)[]) =>
  texts.find((text) => text != null && text !== '')

/** An item of JSON Feed, also as F5Bot and others send it. */
const jsonItem = v.pipe(
  v.object({
    id: v.fallback(v.nullish(v.union([v.string(), v.number()])), null),
    url: line,
    external_url: line,
    title: line,
    content_html: line,
    content_text: line,
    summary: line,
    date_published: v.fallback(v.nullish(v.union([v.string(), v.number()])), null),
    date_modified: v.fallback(v.nullish(v.union([v.string(), v.number()])), null),
    author,
    authors: v.fallback(v.nullish(v.array(author)), null),
    attachments: v.fallback(v.nullish(v.array(attachment)), null),
    username: line,
    language: line,
  }),
  v.transform((item): FeedItem => {
    const who = item.authors?.[0] ?? item.author
    const id = item.id == null ? undefined : String(item.id)
    const given = {
      id,
      title: item.title,
      html: item.content_html,
      text: filled(item.content_text, item.summary),
      author: filled(item.username, who?.name),
      authorUrl: who?.url,
      published: item.date_published == null ? undefined : String(item.date_published),
      updated: item.date_modified == null ? undefined : String(item.date_modified),
      language: item.language,
    }
    const addresses = [item.url, item.external_url, /^https?:\/\//.test(id ?? '') ? id : null]
    const links = [...addresses, item.attachments?.[0]?.url].flatMap((href) => (href ? [{ href }] : []))
    const said = Object.entries(given).filter(([, value]) => value != null && value !== '')
    return { ...Object.fromEntries(said), links }
  }),
)

/** Reads JSON Feed. An item in an unknown form is an empty item. Throws a FeedError if the text is not such a feed. */
export function readJsonFeed(text: string): Feed {
  const read = v.safeParse(feed, parsed(text))
  if (!read.success) throw new FeedError('is not a feed')
  const { items, language, home_page_url, authors } = read.output
  const writer = (authors?.[0] ?? read.output.author)?.name
  const known = items.slice(0, itemsMax).map((item) => v.safeParse(jsonItem, item))
  return {
    items: known.map((item) => (item.success ? item.output : {})),
    left: Math.max(0, items.length - itemsMax),
    isCut: false,
    ...(home_page_url ? { home: { href: home_page_url } } : {}),
    ...(language ? { language } : {}),
    ...(writer ? { author: writer } : {}),
  }
}

function parsed(text: string): unknown {
  try {
    return parseForeignJson(text, { depthMax: 32, valuesMax: 200_000 })
  } catch {
    throw new FeedError('is not valid JSON')
  }
}
