import { type OwnerContext, where } from 'renown'
import { beginAttempt, newAttempt } from 'renown/sending'
import { attemptKey, type OutgoingPost, type PostTarget, type TargetAttempt } from '../contract'
import { Post, type PostRow } from '../records/Post'
import { type AttemptRow, PostAttempt } from '../records/PostAttempt'

/** Returns a post as it goes to its target. */
export const outgoing = ({
  id,
  post_type,
  content,
  revision = 1,
  scheduled_at,
  created_date,
}: PostRow): OutgoingPost => ({
  id,
  post_type,
  content,
  revision,
  planned_at: scheduled_at ?? created_date,
})

/** Matches the attempts of a post. */
const ofPost = ({ id, workspace_id }: PostRow) =>
  where.and(where.eq('workspace_id', workspace_id), where.eq('post_id', id))

/** Matches the attempts of the present version of a post. */
export const ofVersion = (post: PostRow) => where.and(ofPost(post), where.eq('revision', post.revision ?? 1))

/**
 * Records an attempt before its call. Returns null if the post already has an open one. An open attempt of an earlier version
 * does not count: only people start a new version.
 */
export function beginPost(ctx: OwnerContext, post: PostRow, target: PostTarget): Promise<AttemptRow | null> {
  const sent = outgoing(post)
  const rows = ctx.rows(PostAttempt)
  const earlier = where.and(ofPost(post), where.lt('revision', sent.revision))
  return beginAttempt(rows, earlier, () =>
    rows.insert({
      ...newAttempt((target.keyOf ?? attemptKey)(sent), ctx.now()),
      workspace_id: post.workspace_id,
      post_id: post.id,
      location_id: post.business_location_id,
      platform: post.platform,
      revision: sent.revision,
      request_hash: requestHash(post),
    }),
  )
}

const requestHash = ({ platform, post_type, content, business_location_id }: PostRow) =>
  new Bun.CryptoHasher('sha256')
    .update(JSON.stringify([platform, business_location_id, post_type, content]))
    .digest('hex')

/** Returns the attempt as its target sees it, with the ids of other posts of the location that are already known. */
export async function targetAttempt(ctx: OwnerContext, row: AttemptRow): Promise<TargetAttempt> {
  const own = [where.eq('workspace_id', row.workspace_id), where.eq('platform', row.platform)]
  const known = where.and(
    ...own,
    where.eq('business_location_id', row.location_id),
    where.eq('status', 'published'),
    where.ne('id', row.post_id),
  )
  const newest = [{ field: 'published_at', direction: 'desc' }] as const
  const posts = await ctx.rows(Post).list({ where: known, sort: newest, limit: 500 })
  // An attempt is settled before its post, so it knows more. The platform may hold back another post with the same words.
  const settled = where.and(
    ...own,
    where.eq('location_id', row.location_id),
    where.in('outcome', ['published', 'held']),
    where.ne('post_id', row.post_id),
  )
  const attempts = await ctx.rows(PostAttempt).list({ where: settled, limit: 500 })
  const ids = [...posts.map(({ external_post_id: id }) => id), ...attempts.map(({ external_id: id }) => id)]
  return { key: row.key, started_at: row.started_at, others: new Set(ids.filter((id) => id !== undefined)) }
}
