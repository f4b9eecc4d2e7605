import { dayMs, type ListQuery, type OwnerContext, Refusal, where } from 'renown'
import { textHash } from '../content/post-text'
import { isUndecided } from '../publishing/settlePost'
import { Post, type PostRow } from '../records/Post'

/** Posts with the same text on the same platform within this time are duplicates. */
export const duplicateDays = 30

/** Throws a `conflict` Refusal if the location has another post with the same text on the same platform. */
export async function refuseDuplicate(ctx: OwnerContext, post: PostRow): Promise<void> {
  const other = await duplicateOf(ctx, post, ctx.now())
  if (!other) return
  const message = `Post ${other.id} has the same text on the same platform and is ${other.status}. Set allow_duplicate to publish it nevertheless.`
  throw new Refusal('conflict', message, {
    errors: [{ pointer: '/allow_duplicate', code: 'duplicate', message: other.id }],
  })
}

/** Reads posts, for people and for the system. */
interface PostReads {
  rows(entity: typeof Post): { list(query: ListQuery): Promise<PostRow[]> }
}

/** Returns a post with the same text on the same platform that counts, or null. */
export async function duplicateOf(ctx: PostReads, post: PostRow, now: Date): Promise<PostRow | null> {
  const since = now.getTime() - duplicateDays * dayMs
  const same = where.and(
    where.eq('workspace_id', post.workspace_id),
    where.ne('id', post.id),
    where.eq('business_location_id', post.business_location_id),
    where.eq('platform', post.platform),
    where.eq('text_hash', textHash(post)),
    where.in('status', ['scheduled', 'publishing', 'published', 'failed']),
  )
  const others = await ctx.rows(Post).list({ where: same, limit: 100 })
  return others.find((one) => isNear(one, since)) ?? null
}

/** A failed post counts only if it may have been published. */
function isNear(post: PostRow, since: number): boolean {
  const { status, published_at, updated_date } = post
  if (status === 'failed') return isUndecided(post) && Date.parse(updated_date) >= since
  return status !== 'published' || Date.parse(published_at ?? updated_date) >= since
}
