import { hourMs, type OwnerContext, where } from 'renown'
import type { PostTarget } from '../contract'
import type { PostRow } from '../records/Post'
import { PostAttempt } from '../records/PostAttempt'

/** Returns how long a post waits so that its location stays within the hourly limit of the target. */
export async function paceMs(
  ctx: OwnerContext,
  { workspace_id, business_location_id, platform }: PostRow,
  { perHour }: Pick<PostTarget, 'perHour'>,
): Promise<number> {
  const now = ctx.now().getTime()
  const recent = where.and(
    where.eq('workspace_id', workspace_id),
    where.eq('location_id', business_location_id),
    where.eq('platform', platform),
    where.gt('started_at', new Date(now - hourMs).toISOString()),
  )
  const sort = [{ field: 'started_at', direction: 'desc' }] as const
  const attempts = await ctx.rows(PostAttempt).list({ where: recent, sort, limit: perHour })
  const oldest = attempts.at(-1)
  if (attempts.length < perHour || !oldest) return 0
  return Date.parse(oldest.started_at) + hourMs - now
}
