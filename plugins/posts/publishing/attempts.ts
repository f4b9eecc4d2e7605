import { moveState, nullIfConflict, type OwnerContext, where } from 'renown'
import {
  attemptKey,
  type OutgoingPost,
  type PostTarget,
  type PublishedPost,
  type TargetAttempt,
} from '../contract'
import { Post, type PostRow } from '../records/Post'
import { type AttemptRow, attemptOutcome, PostAttempt } from '../records/PostAttempt'

/** Returns a post as it goes to its target. */
export const outgoing = ({
  id,
  post_type,
  content,
  revision = 1,
  scheduled_at,
  created_date,
}: PostRow): OutgoingPost => ({
  ...{ id, post_type, content, revision, planned_at: scheduled_at ?? created_date },
})

/** Returns the last attempt of the present version of a post. */
export async function lastAttempt(ctx: OwnerContext, post: PostRow): Promise<AttemptRow | null> {
  const own = [where.eq('post_id', post.id), where.eq('revision', post.revision ?? 1)]
  const all = where.and(where.eq('workspace_id', post.workspace_id), ...own)
  const sort = [{ field: 'started_at', direction: 'desc' }] as const
  const [row] = await ctx.rows(PostAttempt).list({ where: all, sort, limit: 1 })
  return row ?? null
}

/** Records an attempt before its call. Returns null if the post already has an open one. */
export async function beginAttempt(
  ctx: OwnerContext,
  post: PostRow,
  target: PostTarget,
): Promise<AttemptRow | null> {
  const sent = outgoing(post)
  const now = ctx.now().toISOString()
  return ctx
    .rows(PostAttempt)
    .insert({
      ...{ workspace_id: post.workspace_id, post_id: post.id, location_id: post.business_location_id },
      ...{ platform: post.platform, revision: sent.revision, key: (target.keyOf ?? attemptKey)(sent) },
      ...{ request_hash: requestHash(post), started_at: now, called_at: now, calls: 1, looks: 0 },
      ...{ outcome: 'calling', is_open: true },
    })
    .catch(nullIfConflict)
}

const requestHash = ({ platform, post_type, content, business_location_id }: PostRow) =>
  new Bun.CryptoHasher('sha256')
    .update(JSON.stringify([platform, business_location_id, post_type, content]))
    .digest('hex')

/** Returns the attempt as its target sees it, with the ids of other posts of the location that are already known. */
export async function targetAttempt(ctx: OwnerContext, row: AttemptRow): Promise<TargetAttempt> {
  const own = [where.eq('business_location_id', row.location_id), where.eq('platform', row.platform)]
  const known = where.and(
    ...[where.eq('workspace_id', row.workspace_id), ...own],
    ...[where.eq('status', 'published'), where.ne('id', row.post_id)],
  )
  const sort = [{ field: 'published_at', direction: 'desc' }] as const
  const posts = await ctx.rows(Post).list({ where: known, sort, limit: 500 })
  const others = new Set(posts.flatMap(({ external_post_id: id }) => (id === undefined ? [] : [id])))
  return { key: row.key, started_at: row.started_at, others }
}

type Settled = 'published' | 'rejected' | 'unknown' | 'calling'

/** Moves an attempt, if its outcome is still the one of the row. Returns null if another process moved it. */
export function moveAttempt(
  ctx: OwnerContext,
  row: AttemptRow,
  to: Settled,
  given: Partial<AttemptRow> = {},
): Promise<AttemptRow | null> {
  const moved = moveState(attemptOutcome, row.outcome, to, { now: ctx.now(), with: given })
  const same = where.and(where.eq('id', row.id), where.eq('outcome', row.outcome))
  return ctx.rows(PostAttempt).updateWhere(same, moved as Partial<AttemptRow>)
}

/** Records that an attempt published the post. */
export const settlePublished = (
  ctx: OwnerContext,
  row: AttemptRow,
  { external_id, url, evidence }: PublishedPost,
): Promise<AttemptRow | null> =>
  moveAttempt(ctx, row, 'published', {
    ...{ external_id, evidence: evidence.slice(0, 500), is_open: false },
    ...(url === undefined ? {} : { external_url: url }),
  })
