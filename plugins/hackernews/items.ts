import { trimTrailing } from 'renown'
import {
  askSource,
  plainText,
  postOf,
  type Recheck,
  type SourceContext,
  secondsForm,
  textForm,
} from 'renown/leads'
import * as v from 'valibot'
import { hackerNewsSettings } from './settings'

const service = { label: 'Hacker News' }
/** The site with its items. */
export const site = 'https://news.ycombinator.com'
/** The form of the id of an item. */
export const itemId = v.pipe(v.string(), v.regex(/^\d{1,15}$/))
/** Requests at the same time. The API returns one item with each. */
const atOnce = 5

const id = v.pipe(v.number(), v.integer(), v.minValue(1))
const gone = v.union([v.object({ id, deleted: v.literal(true) }), v.object({ id, dead: v.literal(true) })])
const item = v.object({
  id,
  type: v.picklist(['story', 'comment', 'poll', 'job', 'pollopt']),
  by: v.pipe(v.string(), v.minLength(1)),
  time: secondsForm,
  text: textForm,
  title: textForm,
  parent: v.nullish(id),
})
/** The API answers `null` for an item that it does not have. */
const answer = v.nullable(v.union([gone, item]))

/** Reads stored items again. Other ids are ignored. */
export async function recheckItems(
  ctx: SourceContext,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly Recheck[]> {
  const queue = ids.filter((one) => v.is(itemId, one)).values()
  const found: Recheck[] = []
  const line = async () => {
    for (const one of queue) {
      const state = await recheckItem(ctx, one, signal)
      if (state !== null) found.push(state)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, line))
  return found
}

async function recheckItem(
  ctx: SourceContext,
  source_id: string,
  signal: AbortSignal,
): Promise<Recheck | null> {
  const url = `${trimTrailing(hackerNewsSettings.of(ctx).HACKERNEWS_ITEMS_URL, '/')}/item/${source_id}.json`
  const found = await askSource(ctx, service, { url, answer, signal })
  if (found === null) return { source_id, state: 'missing' }
  // An answer about another item says nothing about this one.
  if (String(found.id) !== source_id) return null
  if (!('by' in found)) return { source_id, state: 'gone' }
  return { source_id, state: 'found', post: postOfItem(found) }
}

function postOfItem({ id: number, by, time, text, title, parent }: v.InferOutput<typeof item>) {
  return postOf({
    source_id: String(number),
    channel: 'hackernews',
    url: `${site}/item?id=${number}`,
    title: plainText(title, 300),
    body: plainText(text),
    ...(parent == null ? {} : { parent_url: `${site}/item?id=${parent}` }),
    posted_at: time,
    author: { handle: by, url: `${site}/user?id=${encodeURIComponent(by)}` },
  })
}
