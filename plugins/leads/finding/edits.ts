import type { Row } from 'renown'
import type { MatchSpan } from '../keywords/matcher'
import type { Mention } from '../records/Mention'
import type { FoundPost } from '../sources/source'
import type { ActiveTrackers } from './active-trackers'
import { excerptOf } from './excerpt'
import { textHash } from './text-hash'

type MentionRow = Row<typeof Mention>
type PostWords = Pick<FoundPost, 'title' | 'body' | 'edited_at'>

/** Returns a short digest of the words of a post. */
export const textDigest = ({ title, body }: Pick<FoundPost, 'title' | 'body'>): string =>
  new Bun.CryptoHasher('sha256')
    .update(JSON.stringify([title ?? '', body]))
    .digest('base64url')
    .slice(0, 24)

/** Returns the words that a source shows. A part that an answer leaves out is unknown, and keeps what is stored. */
export const shownWords = (
  stored: Pick<FoundPost, 'title' | 'body'>,
  { title, body }: Pick<FoundPost, 'title' | 'body'>,
): Pick<FoundPost, 'title' | 'body'> => {
  const known = title ?? stored.title
  return { ...(known === undefined ? {} : { title: known }), body: body === '' ? stored.body : body }
}

/** Returns the changes of a mention whose source shows these words. Null if it has them already. */
export function textChanges(
  mention: MentionRow,
  post: PostWords,
  now: Date,
  spans: readonly MatchSpan[] = [],
) {
  const { title, body } = shownWords(mention, post)
  const { edited_at } = post
  const isRemoved = mention.removed_at_source_at !== undefined
  if (!isRemoved && mention.body === body && mention.title === title) return null
  const [span] = spans.filter(({ field }) => field === 'body')
  const words = {
    title,
    body,
    excerpt: excerptOf(body, span?.start ?? 0),
    text_hash: textHash(`${title ?? ''} ${body}`) ?? undefined,
    is_judged: false,
    missing_since: undefined,
  }
  const shown = { removed_at_source_at: undefined, is_gone_by_look: undefined }
  // Its words were removed with the post, so nobody knows whether these are others.
  if (isRemoved) return { ...words, ...shown, ...(edited_at === undefined ? {} : { edited_at }) }
  return {
    ...words,
    replaced_text: textDigest(mention),
    body_version: (mention.body_version ?? 1) + 1,
    edited_at: edited_at ?? now.toISOString(),
  }
}

/** Why a mention does not count whose author took the name out. */
export const unmatchedReason = 'Its author edited the post. It no longer contains a keyword of the tracker.'

/**
 * Returns the changes of a mention if its author edited it so that its tracker finds nothing in it any more. Null if the words
 * are the same or a keyword is left. What people decided and wrote about the mention stays.
 */
export function unmatchedChanges(active: ActiveTrackers, mention: MentionRow, post: PostWords, now: Date) {
  // Posts that a service chose have no keyword that could go.
  if (mention.matched_keywords.length === 0 || !active.trackers.has(mention.tracker_id)) return null
  const { title, body } = shownWords(mention, post)
  const words = { title, body, source: mention.source, url: mention.url, language: mention.language }
  const author = mention.author.handle === '' ? {} : { author: mention.author }
  const matches = active.matcher.match({ ...words, ...author })
  if (matches.some(({ tracker_id }) => tracker_id === mention.tracker_id)) return null
  const changes = textChanges(mention, post, now)
  if (changes === null) return null
  return {
    ...changes,
    matched_keywords: [],
    unmatched_at: now.toISOString(),
    relevance: 'irrelevant' as const,
    relevance_score: 0,
    relevance_reason: unmatchedReason,
    intent_reason: undefined,
  }
}
