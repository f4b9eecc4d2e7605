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

/** What an attempt says about its post, strongest first. */
const strength: readonly AttemptRow['outcome'][] = ['published', 'calling', 'unknown', 'rejected']

/**
 * Returns the attempt that decides about the present version of a post: one that published it, or else one that may have.
 * Never asks which one is the newest, because clocks can go back.
 */
export async function decidingAttempt(ctx: OwnerContext, post: PostRow): Promise<AttemptRow | null> {
  const own = [where.eq('post_id', post.id), where.eq('revision', post.revision ?? 1)]
  const all = where.and(where.eq('workspace_id', post.workspace_id), ...own)
  for (const outcome of strength) {
    const [row] = await ctx
      .rows(PostAttempt)
      .list({ where: where.and(all, where.eq('outcome', outcome)), limit: 1 })
    if (row) return row
  }
  return null
}

/**
 * Records an attempt before its call. Returns null if the post already has an open one. An open attempt of an earlier version
 * does not count: only people start a new version.
 */
export async function beginAttempt(
  ctx: OwnerContext,
  post: PostRow,
  target: PostTarget,
): Promise<AttemptRow | null> {
  const own = [where.eq('workspace_id', post.workspace_id), where.eq('post_id', post.id)]
  const earlier = where.and(...own, where.eq('is_open', true), where.lt('revision', post.revision ?? 1))
  await ctx.rows(PostAttempt).updateMany(earlier, { is_open: false })
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
  const own = [where.eq('workspace_id', row.workspace_id), where.eq('platform', row.platform)]
  const known = where.and(
    ...[...own, where.eq('business_location_id', row.location_id)],
    ...[where.eq('status', 'published'), where.ne('id', row.post_id)],
  )
  const newest = [{ field: 'published_at', direction: 'desc' }] as const
  const posts = await ctx.rows(Post).list({ where: known, sort: newest, limit: 500 })
  // An attempt is settled before its post, so it knows more.
  const settled = where.and(
    ...[...own, where.eq('location_id', row.location_id)],
    ...[where.eq('outcome', 'published'), where.ne('post_id', row.post_id)],
  )
  const attempts = await ctx.rows(PostAttempt).list({ where: settled, limit: 500 })
  const ids = [...posts.map(({ external_post_id: id }) => id), ...attempts.map(({ external_id: id }) => id)]
  return { key: row.key, started_at: row.started_at, others: new Set(ids.filter((id) => id !== undefined)) }
}

type Settled = 'published' | 'rejected' | 'unknown' | 'calling'

/** Matches an attempt while no other process moved it or called its target again. */
export const sameAttempt = ({ id, outcome, calls }: AttemptRow) =>
  where.and(where.eq('id', id), where.eq('outcome', outcome), where.eq('calls', calls))

/** Moves an attempt, if its outcome and its calls are still those of the row. Returns null if another process moved it. */
export function moveAttempt(
  ctx: OwnerContext,
  row: AttemptRow,
  to: Settled,
  given: Partial<AttemptRow> = {},
): Promise<AttemptRow | null> {
  const moved = moveState(attemptOutcome, row.outcome, to, { now: ctx.now(), with: given })
  return ctx.rows(PostAttempt).updateWhere(sameAttempt(row), moved as Partial<AttemptRow>)
}

/**
 * Records that an attempt published the post. A proof counts even if another process took over in the meantime. Returns null
 * only if the attempt no longer exists.
 */
export async function settlePublished(
  ctx: OwnerContext,
  row: AttemptRow,
  { external_id, url, evidence }: PublishedPost,
): Promise<AttemptRow | null> {
  const given = {
    ...{ external_id, evidence: evidence.slice(0, 500), is_open: false },
    ...(url === undefined ? {} : { external_url: url }),
  }
  for (let known: AttemptRow | null = row; known; known = await ctx.rows(PostAttempt).get(row.id)) {
    if (known.outcome === 'published') return known
    // Impossible: only the process whose call was refused settles it so.
    if (known.outcome === 'rejected') return null
    const settled = await moveAttempt(ctx, known, 'published', given)
    if (settled) return settled
  }
  return null
}
