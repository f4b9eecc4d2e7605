import { type OwnerContext, type Row, where } from 'renown'
import { ReviewReply } from '../records/ReviewReply'

type Act = Row<typeof ReviewReply>

/** Queues an action. Idempotent. */
export async function enqueueAct(ctx: OwnerContext, { workspace_id, review_id, act_id }: Act): Promise<void> {
  await ctx.enqueue('send-person-reply', { workspace_id, key: act_id, payload: { review_id, act_id } })
}

/** Queues actions whose process ended after storing the action and before queueing it. */
export async function requeueActs(
  ctx: OwnerContext,
  { workspace_id, location_id }: Pick<Act, 'workspace_id' | 'location_id'>,
): Promise<void> {
  const own = where.and(where.eq('workspace_id', workspace_id), where.eq('location_id', location_id))
  const queued = where.and(own, where.eq('state', 'queued'))
  for await (const act of ctx.rows(ReviewReply).each({ where: queued })) await enqueueAct(ctx, act)
}
