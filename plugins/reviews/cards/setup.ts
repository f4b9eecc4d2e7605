import { type SystemReads, where } from 'renown'
import type { SetupStep } from 'renown/pages'
import { Review } from '../records/Review'
import { ReviewListing } from '../records/ReviewListing'
import { reviewWords } from '../words'

/** Whether Renown reads a platform for a workspace. */
export async function isReadingReviews(
  ctx: Pick<SystemReads, 'rows'>,
  workspaceId: string,
): Promise<boolean> {
  const read = where.and(where.eq('workspace_id', workspaceId), where.ne('due_at', null))
  return (await ctx.rows(ReviewListing).list({ where: read, limit: 1 })).length > 0
}

/** Connecting a platform. Reviews that came another way, such as an import, are enough. */
export const reviewsSetup: SetupStep = {
  name: 'reviews',
  label: reviewWords('setup'),
  href: '/app/settings/connections',
  order: 15,
  async isDone(ctx, workspaceId) {
    if (await isReadingReviews(ctx, workspaceId)) return true
    const own = where.eq('workspace_id', workspaceId)
    return (await ctx.rows(Review).list({ where: own, limit: 1 })).length > 0
  },
}
