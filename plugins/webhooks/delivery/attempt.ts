import { dayMs, faultInfo, moveState, type OwnerContext, type Task, throwIfStoreAway, where } from 'renown'
import { postWebhook } from 'renown/sending'
import { EventEntry } from '../records/foreign'
import { Webhook, type WebhookRow } from '../records/Webhook'
import { type AttemptRow, attemptState, WebhookAttempt } from '../records/WebhookAttempt'
import { type DeliveryRow, deliveryState, WebhookDelivery } from '../records/WebhookDelivery'
import { disable } from './disable'
import { bodyOf, excerptOf, secretsOf } from './message'
import { attemptsMax, breakMs, failingMs, retryAfterMs, retryMs } from './retry'

const keptMs = 30 * dayMs
/** A receiver that takes longer is slow. */
const slowMs = 5_000

/** The result of a request: what it proves about the receiver. */
interface Answer {
  readonly outcome: 'delivered' | 'failed'
  readonly status?: number
  readonly answer?: string
  readonly error?: string
  readonly askedMs?: number
}

/** What an attempt did: `skipped` if nothing was sent, `slow` if it was delivered and took long. */
export type Attempted = Answer['outcome'] | 'slow' | 'skipped'

/**
 * Sends one message, once. The attempt is recorded before the request, and the next one is planned with it, so that a
 * process that ends in between leaves a message that is sent again.
 */
export async function attempt(
  ctx: OwnerContext,
  webhook: WebhookRow,
  delivery: DeliveryRow,
  task: Task,
): Promise<Attempted> {
  const event = await ctx.rows(EventEntry).get(delivery.event_id)
  // Events are removed after 90 days, later than any delivery that is not held back by a pause.
  if (!event) return giveUp(ctx, delivery)
  const number = delivery.attempts + 1
  const unmoved = [where.eq('id', delivery.id), where.eq('state', 'pending')]
  const claimed = await ctx
    .rows(WebhookDelivery)
    .updateWhere(where.and(...unmoved, where.eq('attempts', delivery.attempts)), {
      attempts: number,
      due_at: later(ctx, retryMs(number, ctx.random()) ?? 0),
    })
  if (!claimed) return 'skipped'
  await endLost(ctx, delivery)
  const now = ctx.now()
  const row = await ctx.rows(WebhookAttempt).insert({
    workspace_id: delivery.workspace_id,
    webhook_id: webhook.id,
    delivery_id: delivery.id,
    event_id: event.id,
    type: event.type,
    number,
    started_at: now.toISOString(),
    outcome: 'calling',
    expire_at: later(ctx, keptMs),
  })
  await task.hold()
  const answer = await call(ctx, webhook, { id: event.id, body: bodyOf(ctx, event) }).catch(async (error) => {
    // An own store was away, so the attempt says nothing about the receiver.
    const same = where.and(...unmoved, where.eq('attempts', number))
    await ctx.rows(WebhookDelivery).updateWhere(same, { attempts: number - 1 })
    throw error
  })
  const took_ms = Math.max(0, ctx.now().getTime() - now.getTime())
  const { outcome, askedMs, ...told } = answer
  await settleAttempt(ctx, row, outcome, { ...told, took_ms })
  const isSlow = took_ms > slowMs
  await settle(ctx, webhook, claimed, { ...answer, isSlow })
  return outcome === 'delivered' && isSlow ? 'slow' : outcome
}

const later = (ctx: Pick<OwnerContext, 'now'>, ms: number) => new Date(ctx.now().getTime() + ms).toISOString()

async function call(
  ctx: OwnerContext,
  webhook: WebhookRow,
  message: { readonly id: string; readonly body: string },
): Promise<Answer> {
  try {
    const { status, body, headers } = await postWebhook(ctx, {
      ...message,
      url: webhook.url,
      secrets: secretsOf(ctx, webhook),
    })
    const askedMs = retryAfterMs(headers.get('retry-after'), ctx.now())
    const answer = excerptOf(body)
    const told = { status, ...(answer === '' ? {} : { answer }) }
    if (status >= 200 && status < 300) return { outcome: 'delivered', ...told }
    const error = status >= 300 && status < 400 ? 'Redirects are not followed.' : undefined
    return {
      outcome: 'failed',
      ...told,
      ...(error === undefined ? {} : { error }),
      ...(askedMs === undefined ? {} : { askedMs }),
    }
  } catch (error) {
    throwIfStoreAway(error)
    return { outcome: 'failed', error: faultInfo(error).message }
  }
}

/** Ends attempts of a delivery whose process was lost. */
async function endLost(ctx: OwnerContext, { id, workspace_id }: DeliveryRow): Promise<void> {
  const open = [where.eq('workspace_id', workspace_id), where.eq('delivery_id', id)]
  const lost = await ctx
    .rows(WebhookAttempt)
    .list({ where: where.and(...open, where.eq('outcome', 'calling')), limit: 20 })
  for (const row of lost)
    await settleAttempt(ctx, row, 'unknown', { error: 'Renown stopped before the answer.' })
}

async function settleAttempt(
  ctx: OwnerContext,
  { id }: AttemptRow,
  to: 'delivered' | 'failed' | 'unknown',
  given: Partial<AttemptRow>,
): Promise<void> {
  const moved = moveState(attemptState, 'calling', to, { now: ctx.now(), with: given })
  const open = where.and(where.eq('id', id), where.eq('outcome', 'calling'))
  await ctx.rows(WebhookAttempt).updateWhere(open, moved as Partial<AttemptRow>)
}

async function settle(
  ctx: OwnerContext,
  webhook: WebhookRow,
  delivery: DeliveryRow,
  { outcome, status = 0, askedMs, isSlow }: Answer & { readonly isSlow: boolean },
): Promise<void> {
  const now = ctx.now().toISOString()
  if (outcome === 'delivered') {
    await end(ctx, delivery, 'delivered')
    const changes = { delivered_at: now, failing_since: undefined, resume_at: undefined, is_slow: isSlow }
    await ctx.rows(Webhook).update(webhook.id, changes)
    return
  }
  if (delivery.attempts >= attemptsMax) await end(ctx, delivery, 'failed')
  else {
    const waitMs = retryMs(delivery.attempts, ctx.random(), askedMs) ?? 0
    const same = where.and(where.eq('id', delivery.id), where.eq('attempts', delivery.attempts))
    await ctx.rows(WebhookDelivery).updateWhere(same, { due_at: later(ctx, waitMs) })
  }
  const failing_since = webhook.failing_since ?? now
  const pauseMs = breakMs(status, askedMs)
  await ctx.rows(Webhook).update(webhook.id, {
    failing_since,
    is_slow: isSlow,
    ...(pauseMs === 0 ? {} : { resume_at: later(ctx, pauseMs) }),
  })
  if (status === 410) return disable(ctx, webhook, 'The receiver answered 410 Gone.')
  if (ctx.now().getTime() - Date.parse(failing_since) < failingMs) return
  await disable(ctx, webhook, 'No message arrived for five days.')
}

async function giveUp(ctx: OwnerContext, delivery: DeliveryRow): Promise<'skipped'> {
  await end(ctx, delivery, 'failed')
  return 'skipped'
}

async function end(ctx: OwnerContext, { id }: DeliveryRow, to: 'delivered' | 'failed'): Promise<void> {
  const given = { expire_at: later(ctx, keptMs) }
  const moved = moveState(deliveryState, 'pending', to, { now: ctx.now(), with: given })
  const pending = where.and(where.eq('id', id), where.eq('state', 'pending'))
  await ctx.rows(WebhookDelivery).updateWhere(pending, moved as Partial<DeliveryRow>)
}
