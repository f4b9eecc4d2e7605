import { parseForeignJson } from 'renown'
import * as v from 'valibot'
import { type Feed, FeedError, type FeedItem, itemsMax } from './feed-item'

const line = v.nullish(v.string())
const author = v.nullish(v.object({ name: line, url: line }))
const version = v.pipe(v.string(), v.startsWith('https://jsonfeed.org/version/'))
const feed = v.object({ version, language: line, items: v.array(v.unknown()) })

/** Returns the first text that says something. Some services send empty texts for what they do not have. */
const filled = (...texts: readonly (string | null | undefined)[]) =>
  texts.find((text) => text != null && text !== '')

/** An item of JSON Feed, also as F5Bot and others send it. */
export const jsonItem = v.pipe(
  v.object({
    id: v.nullish(v.union([v.string(), v.number()])),
    url: line,
    external_url: line,
    title: line,
    content_html: line,
    content_text: line,
    summary: line,
    date_published: line,
    date_modified: line,
    author,
    authors: v.nullish(v.array(author)),
    username: line,
    language: line,
  }),
  v.transform((item): FeedItem => {
    const who = item.authors?.[0] ?? item.author
    const given = {
      id: item.id == null ? undefined : String(item.id),
      link: filled(item.url, item.external_url),
      title: item.title,
      html: item.content_html,
      text: filled(item.content_text, item.summary),
      author: filled(item.username, who?.name),
      authorUrl: who?.url,
      published: item.date_published,
      updated: item.date_modified,
      language: item.language,
    }
    return Object.fromEntries(Object.entries(given).filter(([, value]) => value != null && value !== ''))
  }),
)

/** Reads JSON Feed. An item in an unknown form is an empty item. Throws a FeedError if the text is not such a feed. */
export function readJsonFeed(text: string): Feed {
  const read = v.safeParse(feed, parsed(text))
  if (!read.success) throw new FeedError('is not a feed')
  const { items, language } = read.output
  const known = items.slice(0, itemsMax).map((item) => v.safeParse(jsonItem, item))
  return {
    items: known.map((item) => (item.success ? item.output : {})),
    ...(language ? { language } : {}),
  }
}

function parsed(text: string): unknown {
  try {
    return parseForeignJson(text, { depthMax: 32, valuesMax: 100_000 })
  } catch {
    throw new FeedError('is not valid JSON')
  }
}
