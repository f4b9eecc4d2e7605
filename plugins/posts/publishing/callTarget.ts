import { faultInfo, isPassing, isServiceFault, type OwnerContext } from 'renown'
import { type OpenTarget, outcomeOf, type PostTarget } from '../contract'
import { Post, type PostRow } from '../records/Post'
import type { AttemptRow } from '../records/PostAttempt'
import { moveAttempt, outgoing, settlePublished, targetAttempt } from './attempts'
import { failPost, publishedPost, stepLater, unchanged } from './settlePost'

/** When an unknown outcome is looked up, after the call or the last look. Three looks within ten minutes. */
const looksMs = [20_000, 120_000, 360_000] as const
/** The same for targets that recognize a key: their calls are repeated within the hour. */
const keyedLooksMs = [...looksMs, 900_000, 1_500_000] as const

/** Returns the wait before the next look, or null if no further one follows. */
export const nextLookMs = (target: Pick<PostTarget, 'keyMs'>, looks: number): number | null =>
  (target.keyMs === undefined ? looksMs : keyedLooksMs)[looks] ?? null

/** What is needed for a call. */
export interface Calling {
  readonly post: PostRow
  readonly row: AttemptRow
  readonly target: PostTarget
  readonly session: OpenTarget
}

/** Calls the target once and records what the answer proves. */
export async function callTarget(ctx: OwnerContext, { post, row, target, session }: Calling): Promise<void> {
  let published: Awaited<ReturnType<OpenTarget['create']>>
  try {
    published = await session.create(outgoing(post), await targetAttempt(ctx, row))
  } catch (error) {
    return afterCall(ctx, { post, row, target, error })
  }
  const settled = await settlePublished(ctx, row, published)
  if (settled) await publishedPost(ctx, post, settled)
}

async function afterCall(
  ctx: OwnerContext,
  { post, row, target, error }: Pick<Calling, 'post' | 'row' | 'target'> & { readonly error: unknown },
): Promise<void> {
  const { message } = faultInfo(error)
  // A refused repeat says nothing about the first call, whose answer was lost.
  const isRejected = outcomeOf(error) === 'rejected' && row.calls === 1
  if (isRejected) {
    const settled = await moveAttempt(ctx, row, 'rejected', { evidence: message, is_open: false })
    if (settled) await afterFault(ctx, post, error)
    return
  }
  if (await moveAttempt(ctx, row, 'unknown', { evidence: message })) {
    await stepLater(ctx, post, nextLookMs(target, row.looks) ?? 0)
  }
}

const backoffMs = { first: 30_000, most: 15 * 60_000 }

/**
 * Continues after a fault that proves that nothing was published. A fault that may pass is retried until the post is an
 * hour late. Any other fault is final.
 */
export async function afterFault(ctx: OwnerContext, post: PostRow, error: unknown): Promise<void> {
  const info = faultInfo(error)
  if (!isPassing(info)) return failPost(ctx, post, { kind: 'rejected', message: info.message })
  const tries = post.error_count ?? 0
  const askedMs = (isServiceFault(error) ? error.retryAfterMs : 0) ?? 0
  const ownMs = Math.min(backoffMs.most, backoffMs.first * 2 ** Math.min(tries, 10))
  await ctx.rows(Post).updateWhere(unchanged(post), { error_message: info.message, error_count: tries + 1 })
  await stepLater(ctx, post, Math.max(askedMs, ownMs))
}
