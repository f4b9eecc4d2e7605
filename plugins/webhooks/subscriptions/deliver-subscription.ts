import {
  dayMs,
  hourMs,
  minuteMs,
  type OwnerContext,
  type RecordedEvent,
  type Task,
  usesAttempt,
  where,
} from 'renown'
import { callbackBody, mayCallBack, subscriberFault } from 'renown/sending'
import { EventSubscription, type SubscriptionRow } from '../records/EventSubscription'
import { EventEntry, type EventRow } from '../records/foreign'
import { type CallbackResult, callBack, secretsOf } from './callback'
import { accessEnded, endSubscription, typeRemoved } from './end'
import { firstAfter, firstCursor } from './position'

/** Waits after failed attempts, about four hours together. Then the subscription is suspended. */
const waitsMs = [
  5_000,
  30_000,
  2 * minuteMs,
  5 * minuteMs,
  10 * minuteMs,
  20 * minuteMs,
  30 * minuteMs,
  hourMs,
  hourMs,
  hourMs,
] as const
const askedMsMax = hourMs
/** A callback that takes longer is slow. */
const slowMs = 5_000
/** How often Renown tries to notify a callback of the end of its subscription. */
const noticesMax = 5
const noticeWaitMs = 30_000

/** What a turn did: `again` if more may follow, `done` if nothing is due. */
export type Turn = 'again' | 'done'

/** A message of a subscription, and where the subscription is after it. */
interface NextMessage {
  readonly id: string
  readonly body: string
  readonly seq: number
  readonly isEvent: boolean
}

/**
 * Sends the next event of a subscription, once. A later event is sent only after the callback accepted this one, so
 * their order stays. The attempt is stored before the request, and the next one is planned with it: a process that ends
 * in between leaves an event that is sent again, with the same webhook-id.
 */
export async function deliverNext(ctx: OwnerContext, row: SubscriptionRow, task: Task): Promise<Turn> {
  if (row.state === 'ended') return tellEnd(ctx, row)
  if (await endIfOver(ctx, row)) return 'again'
  if (!isDue(ctx, row)) return 'done'
  const message = await nextMessage(ctx, row)
  if (!message) return 'done'
  const attempts = row.attempts + 1
  const claimed = await ctx
    .rows(EventSubscription)
    .updateWhere(unmoved(row), { attempts, due_at: later(ctx, waitMs(ctx, attempts)) })
  if (!claimed) return 'done'
  await task.hold()
  const began = ctx.now().getTime()
  const { id, body } = message
  const sent = { subscription: row.id, url: row.url, secrets: secretsOf(ctx, claimed) }
  const result = await callBack(ctx, { ...sent, id, body }).catch(async (error) => {
    // An own store was away, so the attempt says nothing about the callback.
    const isCounted = usesAttempt(error)
    if (!isCounted)
      await ctx.rows(EventSubscription).updateWhere(unmoved(claimed), { attempts: row.attempts })
    throw error
  })
  const is_slow = ctx.now().getTime() - began > slowMs
  await settle(ctx, claimed, { message, result, is_slow })
  return result.outcome === 'failed' || is_slow ? 'done' : 'again'
}

/** Ends a subscription whose time or permission is over. Returns whether it did. */
export async function endIfOver(ctx: OwnerContext, row: SubscriptionRow): Promise<boolean> {
  if (row.expires_at <= ctx.now().toISOString())
    return endSubscription(ctx, row, 'The app did not renew it in time.')
  const fault = await subscriberFault(ctx, row)
  if (fault !== null) return endSubscription(ctx, row, fault, accessEnded(fault))
  if (ctx.eventTypes.some(({ name }) => name === row.type)) return false
  return endSubscription(ctx, row, 'Renown no longer has this type of events.', typeRemoved)
}

/** Whether the next event of a subscription may be sent now. */
export function isDue(
  { now }: Pick<OwnerContext, 'now'>,
  { is_suspended, due_at = '' }: SubscriptionRow,
): boolean {
  return is_suspended !== true && due_at <= now().toISOString()
}

const later = (ctx: Pick<OwnerContext, 'now'>, ms: number) => new Date(ctx.now().getTime() + ms).toISOString()

const waitMs = ({ random }: Pick<OwnerContext, 'random'>, attempts: number): number =>
  Math.round((waitsMs[attempts - 1] ?? dayMs) * (0.9 + random() * 0.2))

/** The row, if nobody else sent something for it in the meantime. */
const unmoved = ({ id, cursor, attempts }: SubscriptionRow) =>
  where.and(
    where.eq('id', id),
    where.eq('state', 'active'),
    where.eq('cursor', cursor),
    where.eq('attempts', attempts),
  )

/** Returns the next event, or the message that events are missing. Moves the cursor past events of other types. */
async function nextMessage(ctx: OwnerContext, row: SubscriptionRow): Promise<NextMessage | null> {
  const { id, workspace_id, cursor } = row
  const first = await firstAfter(ctx, workspace_id, cursor)
  if (!first) return null
  if (first.seq > cursor + 1) {
    const body = JSON.stringify({ type: 'gap', cursor: firstCursor })
    return { id: `msg_gap_${id.slice(4)}_${first.seq}`, body, seq: first.seq - 1, isEvent: false }
  }
  const event = isWanted(row, first) ? first : await firstWanted(ctx, row)
  if (event) return eventMessage(ctx, event)
  const [head] = await ctx.rows(EventEntry).list({
    where: where.eq('workspace_id', workspace_id),
    sort: [{ field: 'seq', direction: 'desc' }],
    limit: 1,
  })
  // Read again, because the event of this type may be as new as the last one.
  const late = head && (await firstWanted(ctx, row, head.seq))
  if (late) return eventMessage(ctx, late)
  if (head) await ctx.rows(EventSubscription).updateWhere(unmoved(row), { cursor: head.seq })
  return null
}

const isWanted = ({ type, location_id }: SubscriptionRow, event: EventRow): boolean =>
  event.type === type && (location_id === undefined || event.location_id === location_id)

async function firstWanted(
  ctx: OwnerContext,
  { workspace_id, cursor, type, location_id }: SubscriptionRow,
  until = Number.MAX_SAFE_INTEGER,
): Promise<EventRow | undefined> {
  const wanted = [
    where.eq('workspace_id', workspace_id),
    where.eq('type', type),
    where.gt('seq', cursor),
    where.lte('seq', until),
    ...(location_id === undefined ? [] : [where.eq('location_id', location_id)]),
  ]
  const [found] = await ctx.rows(EventEntry).list({
    where: where.and(...wanted),
    sort: [{ field: 'seq', direction: 'asc' }],
    limit: 1,
  })
  return found
}

function eventMessage({ eventTypes }: OwnerContext, row: EventRow): NextMessage {
  const { id, workspace_id, type, seq, created_date, location_id, entity, entity_id, data } = row
  const event: RecordedEvent = {
    id,
    workspace_id,
    type,
    seq,
    occurred_at: created_date,
    ...(location_id === undefined ? {} : { location_id }),
    ...(entity === undefined ? {} : { entity }),
    ...(entity_id === undefined ? {} : { entity_id }),
    data: data as RecordedEvent['data'],
  }
  return { id, body: callbackBody(eventTypes, event), seq, isEvent: true }
}

interface Settled {
  readonly message: NextMessage
  readonly result: CallbackResult
  readonly is_slow: boolean
}

async function settle(ctx: OwnerContext, row: SubscriptionRow, { message, result, is_slow }: Settled) {
  const now = ctx.now().toISOString()
  const rows = ctx.rows(EventSubscription)
  if (result.outcome === 'failed') {
    const { error: last_error, askedMs } = result
    const failing = { last_error, is_slow, failing_since: row.failing_since ?? now }
    await rows.updateWhere(unmoved(row), {
      ...failing,
      ...(row.attempts > waitsMs.length
        ? { is_suspended: true }
        : { due_at: later(ctx, Math.max(waitMs(ctx, row.attempts), Math.min(askedMs, askedMsMax))) }),
    })
    return
  }
  const isDelivered = result.outcome === 'delivered'
  await rows.updateWhere(unmoved(row), {
    cursor: message.seq,
    attempts: 0,
    due_at: undefined,
    failing_since: undefined,
    is_slow,
    ...(isDelivered ? { delivered_at: now, last_error: undefined } : { last_error: result.error }),
    ...(isDelivered && message.isEvent ? { delivered: row.delivered + 1 } : {}),
  })
}

/** Tells a callback that its subscription ended, if the owner still allows its host. */
async function tellEnd(ctx: OwnerContext, row: SubscriptionRow): Promise<Turn> {
  const { id, url, notice, notices = 0, due_at = '' } = row
  if (notice === undefined || due_at > ctx.now().toISOString()) return 'done'
  const ended = where.and(where.eq('id', id), where.eq('state', 'ended'), where.eq('notices', notices))
  const over = { notice: undefined, due_at: undefined }
  const claim = { notices: notices + 1, due_at: later(ctx, noticeWaitMs) }
  if (!(await ctx.rows(EventSubscription).updateWhere(ended, claim))) return 'done'
  const result = (await mayCallBack(ctx, row))
    ? await callBack(ctx, {
        subscription: id,
        url,
        secrets: secretsOf(ctx, row),
        body: notice,
        id: `msg_terminated_${id.slice(4)}_${Date.parse(row.ended_at ?? '')}`,
      })
    : null
  if (result?.outcome === 'failed' && notices + 1 < noticesMax) return 'done'
  const same = where.and(where.eq('id', id), where.eq('state', 'ended'), where.eq('notices', notices + 1))
  await ctx.rows(EventSubscription).updateWhere(same, over)
  return 'done'
}
