import { nullIfConflict, type OwnerContext, type Row } from 'renown'
import { Mention } from '../records/Mention'
import type { FoundPost, MentionSource } from '../sources/source'
import { canonicalUrl } from './canonical-url'
import { type Candidate, candidateOf, type DuplicateFinder } from './duplicates'
import { isOtherAuthor } from './same-author'
import { hasSameWords, isAlike } from './same-text'

type MentionRow = Row<typeof Mention>

/**
 * Gives a stored mention the id that its feed has for it now, and returns it. Ids of a feed are its own and can change, so
 * the same words of the same author at the same address are the same post. Null if no mention is that post, or if the
 * feed still has an item with the earlier id.
 */
export async function adoptMention(
  ctx: OwnerContext,
  source: Pick<MentionSource, 'name' | 'reach' | 'isPushed'>,
  { post, tracker_id }: { readonly post: FoundPost; readonly tracker_id: string },
  {
    atAddress,
    readIds,
  }: { readonly atAddress: readonly MentionRow[]; readonly readIds: ReadonlySet<string> },
): Promise<MentionRow | null> {
  // A service that sends posts chooses their ids on purpose.
  if (source.reach !== 'feed' || source.isPushed) return null
  const candidate = candidateOf(post, source, tracker_id)
  const row = atAddress.find(
    (one) =>
      one.found_by === source.name &&
      one.source === post.channel &&
      one.removal_rule === undefined &&
      !readIds.has(one.source_id) &&
      isUnchanged(one, candidate),
  )
  if (!row) return null
  const changes = { source_id: post.source_id, canonical_url: canonicalUrl(post.url) }
  return ctx.rows(Mention).update(row.id, changes).catch(nullIfConflict)
}

const isUnchanged = (row: MentionRow, post: Candidate): boolean =>
  !isOtherAuthor(row, post) &&
  (hasSameWords(row, post) ||
    (row.posted_at !== undefined && row.posted_at === post.posted_at && isAlike(row, post)))

/**
 * Returns the changes of a mention that counted as a copy and is none: its author edited it, or an earlier version took all
 * posts at one address for copies. It is judged again, so that it can become a lead. Null if it still is a copy.
 */
export async function noLongerCopy(
  find: DuplicateFinder,
  source: Pick<MentionSource, 'name'>,
  mention: MentionRow,
  post: FoundPost,
) {
  if (mention.duplicate_of === undefined) return null
  const candidate = { ...candidateOf(post, source, mention.tracker_id), id: mention.id }
  const { duplicate_of, similar_to } = await find(candidate)
  if (duplicate_of !== undefined) return null
  return { duplicate_of, similar_to, is_judged: false, canonical_url: canonicalUrl(post.url) }
}
