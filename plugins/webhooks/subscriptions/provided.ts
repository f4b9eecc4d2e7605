import { eventDelivery, type OwnerContext, type ShownSubscription, type SystemReads, where } from 'renown'
import { enqueueSubscription } from '../delivery/queue'
import { EventSubscription, type SubscriptionRow } from '../records/EventSubscription'
import { accessEnded, endSubscription } from './end'
import { audit, subscribe, unsubscribe } from './subscribe'

const shownMax = 200

async function list(ctx: SystemReads, agencyId: string): Promise<ShownSubscription[]> {
  const rows = await ctx.rows(EventSubscription).list({
    where: where.eq('agency_id', agencyId),
    ...{ sort: [{ field: 'created_date', direction: 'desc' }], limit: shownMax },
  })
  const now = ctx.now().toISOString()
  return rows.map((row) => shown(row, now))
}

function shown(row: SubscriptionRow, now: string): ShownSubscription {
  const { id, workspace_id, credential, type, url, expires_at, delivered } = row
  const isOver = row.state === 'ended' || expires_at <= now
  const failing = row.is_suspended === true ? 'suspended' : row.failing_since ? 'failing' : 'active'
  return {
    ...{ id, workspace_id, credential, type, expires_at, delivered, host: new URL(url).hostname },
    ...{ location_id: row.location_id ?? null, state: isOver ? 'ended' : failing },
    ...{ delivered_at: row.delivered_at ?? null, failing_since: row.failing_since ?? null },
    ...{ last_error: row.last_error ?? null },
    ended_reason: row.ended_reason ?? (isOver ? 'The app did not renew it in time.' : null),
  }
}

async function stop(ctx: OwnerContext, agencyId: string, id: string): Promise<boolean> {
  const row = await ctx.rows(EventSubscription).get(id)
  if (row?.agency_id !== agencyId) return false
  const reason = 'A person stopped it.'
  if (!(await endSubscription(ctx, row, reason, accessEnded(reason)))) return false
  await audit(ctx, { subscriber: row, url: row.url }, 'stop', 'Events are no longer sent to a callback')
  await enqueueSubscription(ctx, row)
  return true
}

/** Sends events to the callbacks of agents, with the queues of webhooks. */
export const agentCallbacks = eventDelivery.with({ name: 'webhooks', subscribe, unsubscribe, list, stop })
