import { type CallRoute, faultInfo, isPassing, isServiceFault, type OnceAct, type OwnerContext } from 'renown'
import { Post, type PostRow } from '../records/Post'
import { type AttemptRow, attemptOutcome, PostAttempt } from '../records/PostAttempt'
import { PostedLocation } from '../records/PostedLocation'
import { beginPost, ofVersion, outgoing, targetAttempt } from './attempts'
import { type Route, routeOf, targetOf } from './destination'
import { judgePost } from './judge'
import { paceMs } from './pace'
import { failPost, publishedPost, stepLater, unchanged } from './settlePost'

/** Returns the publication of a post as something that happens at most once. */
export const postAct = (ctx: OwnerContext, post: PostRow): OnceAct<AttemptRow> => {
  const target = targetOf(ctx, post.platform)
  return {
    ...{ rows: ctx.rows(PostAttempt), states: attemptOutcome, own: ofVersion(post), now: () => ctx.now() },
    async judge() {
      const judged = await judgePost(ctx, post)
      return 'kind' in judged ? judged : callRoute(ctx, post, judged)
    },
    async route() {
      const location = await ctx.rows(PostedLocation).get(post.business_location_id)
      if (!location) return { why: 'The location of the post no longer exists.' }
      const route = await routeOf(ctx, location, post.platform)
      return 'why' in route ? route : callRoute(ctx, post, route)
    },
    paceMs: async () => (target ? paceMs(ctx, post, target) : 0),
    begin: async () => (target ? beginPost(ctx, post, target) : null),
    later: (waitMs) => stepLater(ctx, post, waitMs),
    accepted: (row) => publishedPost(ctx, post, row),
    failed: (failure) => failPost(ctx, post, failure),
    refused: (error) => afterFault(ctx, post, error),
  }
}

const callRoute = (
  ctx: OwnerContext,
  post: PostRow,
  { target, destination }: Route,
): CallRoute<AttemptRow> => ({
  keyMs: target.keyMs,
  async open() {
    const session = await target.open(ctx, destination)
    const sent = outgoing(post)
    return {
      create: async (row) => session.create(sent, await targetAttempt(ctx, row)),
      ...(session.look === undefined
        ? {}
        : {
            async look(row: AttemptRow) {
              const attempt = await targetAttempt(ctx, row)
              const found = await session.look?.(sent, attempt)
              return found && !attempt.others.has(found.external_id) ? found : null
            },
          }),
    }
  },
})

const backoffMs = { first: 30_000, most: 15 * 60_000 }

/**
 * Continues after a fault that proves that nothing was published. A fault that may pass is retried until the post is an
 * hour late. Any other fault is final.
 */
async function afterFault(ctx: OwnerContext, post: PostRow, error: unknown): Promise<void> {
  const info = faultInfo(error)
  if (!isPassing(info)) return failPost(ctx, post, { kind: 'rejected', message: info.message })
  const tries = post.error_count ?? 0
  const askedMs = (isServiceFault(error) ? error.retryAfterMs : 0) ?? 0
  const ownMs = Math.min(backoffMs.most, backoffMs.first * 2 ** Math.min(tries, 10))
  await ctx.rows(Post).updateWhere(unchanged(post), { error_message: info.message, error_count: tries + 1 })
  await stepLater(ctx, post, Math.max(askedMs, ownMs))
}
