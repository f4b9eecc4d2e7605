import { type OwnerContext, type Row, type Where, where } from 'renown'
import { enqueueAnalysis } from '../analysis/analyseReview'
import { notifyFlagged, recentlyFlagged } from '../analysis/flagSensitive'
import type { ReviewRow } from '../analysis/reconcile'
import type { ReviewSource, SourceReview } from '../contract'
import type { Chain } from '../proof/ledger'
import { reviewsOf } from '../proof/storedReviews'
import { AutoResponseRules } from '../records/AutoResponseRules'
import { Review } from '../records/Review'
import type { ReviewedLocation } from '../records/ReviewedLocation'
import { WorkspaceOwner } from '../records/WorkspaceOwner'
import { requeueActs } from './personActs'
import { scheduleReply } from './scheduleReply'
import { isRatingUnknown } from './whyUnanswered'

type Rules = Awaited<ReturnType<typeof rulesOf>>

/** Returns the reply rules of the agency that owns a workspace. */
export async function rulesOf(ctx: OwnerContext, workspaceId: string) {
  const owner = await ctx.rows(WorkspaceOwner).get(workspaceId)
  return owner === null ? null : ctx.rows(AutoResponseRules).get(owner.agency_id)
}

/** Returns the automatic reply of a new review, and when it is due. */
export function scheduledFor(
  ctx: OwnerContext,
  {
    source,
    location,
    random,
  }: {
    readonly source: ReviewSource
    readonly location: Row<typeof ReviewedLocation>
    readonly random: () => number
  },
  review: SourceReview,
  rules: Rules,
) {
  const { replies } = source
  if (!replies) return {}
  const isTaken = (replies.takes?.(review) ?? true) || replies.mayTakeLater?.(review)
  const none = { auto_response_status: 'skipped', auto_response_reason: 'source_takes_none' } as const
  if (!isTaken) return rules === null ? {} : none
  const isUnknown = isRatingUnknown(source, review)
  return scheduleReply(review, rules, location, ctx.now(), random, isUnknown)
}

/** Queues the reply of a pending review. Idempotent. */
export async function enqueueReply(ctx: OwnerContext, review: ReviewRow): Promise<void> {
  await ctx.enqueue('send-reply', {
    workspace_id: review.workspace_id,
    key: review.id,
    payload: { review_id: review.id },
    runAt: new Date(review.auto_response_scheduled_at ?? ctx.now()),
  })
}

const takenUpMax = 1_000

/** Queues pending replies again that a crash lost between their row and the queue. */
export async function requeueReplies(ctx: OwnerContext, chain: Chain): Promise<void> {
  const now = ctx.now().toISOString()
  // Starts with the workspace, because the indexes of rows do.
  const own = where.and(where.eq('workspace_id', chain.workspace_id), reviewsOf(chain))
  const list = (due: Where) => ctx.rows(Review).list({ where: where.and(own, due), limit: takenUpMax })
  for (const row of await list(where.eq('auto_response_status', 'pending'))) {
    if ((row.auto_response_scheduled_at ?? now) <= now) await enqueueReply(ctx, row)
  }
  await requeueActs(ctx, chain)
  for (const row of await list(recentlyFlagged(ctx.now()))) await notifyFlagged(ctx, row)
  if (!ctx.outbound.model.isConfigured) return
  for (const row of await list(where.eq('analysis_due', true))) await enqueueAnalysis(ctx, row)
}
