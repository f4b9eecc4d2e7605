import { dayMs, type OwnerContext, type Where, where } from 'renown'
import { Review } from '../records/Review'
import { WorkspaceOwner } from '../records/WorkspaceOwner'
import { type SkipReason, skipReasons } from '../writing/writeReply'

const windowMs = 30 * dayMs

/** Counts the automatic replies of an agency by outcome, among those due in the last 30 days. */
export async function countReplies(
  ctx: OwnerContext,
  agency_id: string,
): Promise<Readonly<Record<'sent' | 'skipped' | 'failed' | SkipReason, number>>> {
  const owned = await ctx.rows(WorkspaceOwner).list({ where: where.eq('agency_id', agency_id) })
  const since = new Date(ctx.now().getTime() - windowMs).toISOString()
  const count = (outcome: Where) =>
    ctx.rows(Review).count(
      where.and(
        where.in(
          'workspace_id',
          owned.map(({ id }) => id),
        ),
        where.gte('auto_response_scheduled_at', since),
        outcome,
      ),
    )
  const outcomes = ['sent', 'skipped', 'failed'] as const
  const counted = [
    ...outcomes.map(async (status) => [status, await count(where.eq('auto_response_status', status))]),
    ...skipReasons.map(async (reason) => [
      reason,
      // Earlier versions stored the reason as an error.
      await count(
        where.or(where.eq('auto_response_reason', reason), {
          op: 'startsWith',
          field: 'auto_response_error',
          value: `${reason}:`,
        }),
      ),
    ]),
  ]
  return Object.fromEntries(await Promise.all(counted))
}
