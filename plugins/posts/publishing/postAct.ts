import { faultInfo, isPassing, isServiceFault, minuteMs, type OwnerContext, usesAttempt } from 'renown'
import type { CallRoute, OnceAct, OpenCall } from 'renown/sending'
import { postText } from '../contract'
import { Post, type PostRow } from '../records/Post'
import { type AttemptRow, attemptOutcome, PostAttempt } from '../records/PostAttempt'
import { PostedLocation } from '../records/PostedLocation'
import { beginPost, ofVersion, outgoing, targetAttempt } from './attempts'
import { type Route, routeOf, targetOf } from './destination'
import { doubtOf, raiseDoubt } from './doubt'
import { judgePost } from './judge'
import { paceMs } from './pace'
import { failPost, heldPost, publishedPost, stepLater, subjectOf, unchanged } from './settlePost'

/** How long a post waits before it looks again whether its target is still in doubt. */
const doubtMs = 2 * minuteMs

/** Returns the publication of a post as something that happens at most once. */
export const postAct = (ctx: OwnerContext, post: PostRow): OnceAct<AttemptRow> => {
  const target = targetOf(ctx, post.platform)
  const isInDoubt = async () => (await doubtOf(ctx, post)) !== null
  return {
    rows: ctx.rows(PostAttempt),
    states: attemptOutcome,
    own: ofVersion(post),
    now: () => ctx.now(),
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
    async paceMs() {
      if (await isInDoubt()) return doubtMs
      return target ? paceMs(ctx, post, target) : 0
    },
    begin: async () => (target ? beginPost(ctx, post, target) : null),
    later: (waitMs) => stepLater(ctx, post, waitMs),
    accepted: (row) => publishedPost(ctx, post, row),
    held: (row) => heldPost(ctx, post, row),
    failed: (failure) => failPost(ctx, post, failure),
    refused: (error) => afterFault(ctx, post, error),
    doubt: (why) => raiseDoubt(ctx, post, why, subjectOf(post)),
    isInDoubt,
  }
}

const callRoute = (
  ctx: OwnerContext,
  post: PostRow,
  { target, destination }: Route,
): CallRoute<AttemptRow> => {
  const sent = outgoing(post)
  const textOf = target.shownText ?? target.rules.textOf ?? postText
  return {
    rule: target.proof,
    async expects(row) {
      const { started_at: since, others } = await targetAttempt(ctx, row)
      return { text: textOf(sent), since, others }
    },
    async open(): Promise<OpenCall<AttemptRow>> {
      const { keys, create, read, look } = await target.open(ctx, destination)
      return {
        keys,
        create: async (row) => create(sent, await targetAttempt(ctx, row)),
        ...(read === undefined ? {} : { read: (_: AttemptRow, id: string) => read(id) }),
        ...(look === undefined
          ? {}
          : { look: async (row: AttemptRow) => look(sent, await targetAttempt(ctx, row)) }),
      }
    },
  }
}

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
  const isFailed = usesAttempt(error)
  // A limit does not count as a failed attempt, so the pause does not grow. It is never shorter than a minute.
  const ownMs = isFailed ? Math.min(backoffMs.most, backoffMs.first * 2 ** Math.min(tries, 10)) : minuteMs
  await ctx
    .rows(Post)
    .updateWhere(unchanged(post), { error_message: info.message, error_count: tries + (isFailed ? 1 : 0) })
  await stepLater(ctx, post, Math.max(askedMs, ownMs))
}
