import { type OwnerContext, type SystemReads, where } from 'renown'
import { eventDelivery, type ShownSubscription } from 'renown/sending'
import { enqueueSubscription } from '../delivery/queue'
import { EventSubscription, type SubscriptionRow } from '../records/EventSubscription'
import { endedShownMs, stopSubscription } from './end'
import { audit, lockOf, subscribe, unsubscribe } from './subscribe'

const shownMax = 200

async function list(ctx: SystemReads, agencyId: string): Promise<ShownSubscription[]> {
  const newest = { sort: [{ field: 'created_date', direction: 'desc' }] as const, limit: shownMax }
  const states = [
    where.eq('state', 'active'),
    where.and(where.eq('state', 'ended'), where.eq('is_stopped', true)),
    where.and(where.eq('state', 'ended'), where.ne('is_stopped', true)),
  ]
  // One after the other, so that ended ones cannot push aside those that a person can act on.
  const read = states.map((one) =>
    ctx.rows(EventSubscription).list({ where: where.and(where.eq('agency_id', agencyId), one), ...newest }),
  )
  const rows = (await Promise.all(read)).flat().slice(0, shownMax)
  const now = ctx.now().toISOString()
  return rows.map((row) => shown(row, now))
}

function shown(row: SubscriptionRow, now: string): ShownSubscription {
  const { id, workspace_id, credential, type, url, expires_at, delivered } = row
  const isOver = row.state === 'ended' || expires_at <= now
  const over = row.is_stopped === true ? 'stopped' : 'ended'
  const failing = row.is_suspended === true ? 'suspended' : row.failing_since ? 'failing' : 'active'
  return {
    id,
    workspace_id,
    credential,
    type,
    expires_at,
    delivered,
    host: new URL(url).hostname,
    location_id: row.location_id ?? null,
    state: isOver ? over : failing,
    delivered_at: row.delivered_at ?? null,
    failing_since: row.failing_since ?? null,
    last_error: row.last_error ?? null,
    ended_reason: row.ended_reason ?? (isOver ? 'The app did not renew it in time.' : null),
  }
}

/** Returns a subscription of an agency. Null for one of another agency. */
async function own(ctx: OwnerContext, agencyId: string, id: string): Promise<SubscriptionRow | null> {
  const row = await ctx.rows(EventSubscription).get(id)
  return row?.agency_id === agencyId ? row : null
}

async function stop(ctx: OwnerContext, agencyId: string, id: string): Promise<boolean> {
  const row = await own(ctx, agencyId, id)
  if (!row) return false
  if (!(await ctx.withLock(lockOf(row), () => stopSubscription(ctx, row)))) return false
  await audit(ctx, { subscriber: row, url: row.url }, 'stop', 'Events are no longer sent to a callback')
  await enqueueSubscription(ctx, row)
  return true
}

async function allow(ctx: OwnerContext, agencyId: string, id: string): Promise<boolean> {
  const row = await own(ctx, agencyId, id)
  if (!row) return false
  const stopped = where.and(where.eq('id', id), where.eq('is_stopped', true))
  const expire_at = new Date(ctx.now().getTime() + endedShownMs).toISOString()
  if (!(await ctx.rows(EventSubscription).updateWhere(stopped, { is_stopped: undefined, expire_at })))
    return false
  await audit(ctx, { subscriber: row, url: row.url }, 'allow', 'A stopped callback may ask for events again')
  return true
}

/** Sends events to the callbacks of agents, with the queues of webhooks. */
export const agentCallbacks = eventDelivery.with({
  name: 'webhooks',
  subscribe,
  unsubscribe,
  list,
  stop,
  allow,
})
