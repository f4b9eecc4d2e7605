import { Refusal } from 'renown'
import { webAddress } from 'renown/sources'
import * as v from 'valibot'
import { channelOf } from '../sources/channel-of'
import { othersRan } from '../sources/others-ran'
import { plainText } from '../sources/plain-text'
import { postOf } from '../sources/post-rows'
import { readDate } from '../sources/read-date'
import type { FoundPost, UnreadPost } from '../sources/source'

/** Maximum items of one message. */
const itemsMax = 100
/** Longer ids are stored as their digest. */
const idMax = 400

const line = v.nullish(v.string())
/** A date, also as seconds since 1970. It may be empty. One that cannot be read is a mistake that the sender is notified of. */
const moment = v.nullish(
  v.pipe(
    v.union([v.string(), v.number()]),
    v.transform((given) => readDate(String(given))),
    v.check(({ is }) => is !== 'unknown'),
    v.transform((read) => (read.is === 'value' ? read.value : undefined)),
  ),
)
const author = v.nullish(v.object({ name: line, url: line }))
const address = v.pipe(
  v.string(),
  v.check((text) => webAddress(text) !== undefined),
)

/** An item of JSON Feed, as F5Bot and others send it. */
const item = v.pipe(
  v.object({
    id: v.nullish(v.union([v.string(), v.number()])),
    url: address,
    title: line,
    content_html: line,
    content_text: line,
    summary: line,
    language: line,
    date_published: moment,
    date_modified: moment,
    username: line,
    author,
    authors: v.nullish(v.array(author)),
  }),
  v.check(({ title, content_html, content_text, summary }) =>
    [title, content_html, content_text, summary].some((text) => (text ?? '').trim() !== ''),
  ),
)

/** The readable posts of a message, and the items that could not be read. */
interface ReadItems {
  readonly posts: readonly FoundPost[]
  readonly unread: readonly UnreadPost[]
}

/**
 * Reads a message: one item, an array of items, or an object whose `items` are the items, such as a whole JSON Feed.
 * Throws a Refusal if it has another form, has too many items, or none of its items can be read.
 */
export async function readItems(message: unknown): Promise<ReadItems> {
  const given = itemsIn(message)
  if (given.length > itemsMax) {
    throw new Refusal(
      'payload_too_large',
      `The message has more than ${itemsMax} items. Send several messages.`,
    )
  }
  const posts: FoundPost[] = []
  const unread: UnreadPost[] = []
  for (const [index, one] of given.entries()) {
    await othersRan()
    const read = v.safeParse(item, one)
    if (read.success) posts.push(postOfItem(read.output))
    else unread.push({ reason: `items[${index}] ${v.getDotPath(read.issues[0]) ?? 'has an unknown form'}` })
  }
  if (posts.length === 0 && unread.length > 0) throw unreadableItems(unread)
  return { posts, unread }
}

function itemsIn(message: unknown): readonly unknown[] {
  if (Array.isArray(message)) return message
  if (message !== null && typeof message === 'object') {
    const { items } = message as { items?: unknown }
    if (items === undefined) return [message]
    if (Array.isArray(items)) return items
  }
  throw new Refusal(
    'invalid_field',
    'Send an item of JSON Feed, an array of items, or an object with `items`.',
  )
}

const unreadableItems = (unread: readonly UnreadPost[]) =>
  new Refusal(
    'invalid_field',
    'No item can be read. An item needs `url` and one of `title`, `content_html`, `content_text` and `summary`. Dates are ISO 8601.',
    {
      errors: unread.map(({ reason }) => {
        const [, index = '', name = ''] = /^items\[(\d+)\] ([\w.]*)/.exec(reason) ?? []
        const pointer = `/items/${index}${name === '' || name === 'has' ? '' : `/${name.replaceAll('.', '/')}`}`
        return { pointer, code: 'invalid', message: 'missing or in an unknown form' }
      }),
    },
  )

function postOfItem(given: v.InferOutput<typeof item>): FoundPost {
  const { id, url, title, content_html, content_text, summary, language, username } = given
  const who = given.authors?.[0] ?? given.author
  return postOf({
    source_id: idOf(String(id ?? '').trim() || url),
    channel: channelOf(url, 'web'),
    url,
    title: plainText(title ?? '', 300),
    language,
    body: content_html ? plainText(content_html) : content_text || summary || '',
    posted_at: given.date_published || undefined,
    edited_at: given.date_modified || undefined,
    author: { handle: username || who?.name, url: who?.url },
  })
}

/** Returns the id of a post, apart from the ids of other sources. */
const idOf = (id: string) =>
  `inbound ${id.length <= idMax ? id : `sha256:${new Bun.CryptoHasher('sha256').update(id).digest('hex')}`}`
