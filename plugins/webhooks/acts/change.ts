import { dayMs, moveState, type OwnerContext, Refusal, refusedField, where } from 'renown'
import { newWebhookSecret, webhookAddressFault } from 'renown/sending'
import { sealedAt } from '../delivery/message'
import { enqueueWebhook } from '../delivery/queue'
import { Webhook, type WebhookRow, webhookState } from '../records/Webhook'
import { WebhookAttempt } from '../records/WebhookAttempt'
import { WebhookDelivery } from '../records/WebhookDelivery'
import { requireChanged } from './find'

/** Maximum webhooks of a workspace. */
export const webhooksMax = 20
/** How long messages are signed with the former secret too. */
const overlapMs = dayMs

/** A webhook, and its secret, which is shown only once. */
export interface WebhookWithSecret {
  readonly webhook: WebhookRow
  readonly secret: string
}

/** Creates a webhook. Nothing is sent to it before its host is verified. */
export async function createWebhook(
  ctx: OwnerContext,
  { workspace_id, url, types }: Pick<WebhookRow, 'workspace_id' | 'url' | 'types'>,
): Promise<WebhookWithSecret> {
  const fault = webhookAddressFault(url)
  if (fault !== null) throw refusedField('url', fault)
  const unknown = types.find((type) => !ctx.eventTypes.some(({ name }) => name === type))
  if (unknown !== undefined)
    throw refusedField('types', `There is no event type ${unknown}. docs/reference/events.md lists them.`)
  await ctx.requireActive(workspace_id)
  const own = where.eq('workspace_id', workspace_id)
  const id = ctx.newId(Webhook)
  const secret = await newWebhookSecret(ctx)
  const webhook = await ctx.withLock(`webhooks ${workspace_id}`, async () => {
    if ((await ctx.rows(Webhook).count(own)) >= webhooksMax)
      throw new Refusal('conflict', `A workspace has at most ${webhooksMax} webhooks. Delete one first.`)
    return ctx.rows(Webhook).insert({
      id,
      workspace_id,
      url: new URL(url.trim()).href,
      types: [...new Set(types)].sort(),
      state: 'unverified',
      cursor: 0,
      secret: ctx.outbound.secrets.seal(secret, sealedAt({ id, workspace_id }, 'secret')),
    })
  })
  return { webhook, secret }
}

/** Gives a webhook a new secret. For a day, messages are signed with both. */
export async function rotateSecret(ctx: OwnerContext, webhook: WebhookRow): Promise<WebhookWithSecret> {
  const secret = await newWebhookSecret(ctx)
  const { outbound } = ctx
  const former = outbound.secrets.open(webhook.secret, sealedAt(webhook, 'secret'))
  const same = where.and(where.eq('id', webhook.id), where.eq('secret', webhook.secret))
  const changed = await ctx.rows(Webhook).updateWhere(same, {
    secret: outbound.secrets.seal(secret, sealedAt(webhook, 'secret')),
    former_secret: outbound.secrets.seal(former, sealedAt(webhook, 'former_secret')),
    former_until: new Date(ctx.now().getTime() + overlapMs).toISOString(),
  })
  return { webhook: requireChanged(changed), secret }
}

/** Pauses a webhook. Its events wait in the log. */
export const pauseWebhook = (ctx: OwnerContext, webhook: WebhookRow): Promise<WebhookRow> =>
  move(ctx, webhook, 'paused')

/** Resumes a paused webhook, beginning with the events since it was paused. */
export async function resumeWebhook(ctx: OwnerContext, webhook: WebhookRow): Promise<WebhookRow> {
  if (webhook.state !== 'paused')
    throw new Refusal('conflict', `The webhook is ${webhook.state}. Only a paused webhook is resumed.`)
  await ctx.requireActive(webhook.workspace_id)
  const resumed = await move(ctx, webhook, 'active', { failing_since: undefined })
  await enqueueWebhook(ctx, resumed)
  return resumed
}

/** Deletes a webhook with its deliveries and attempts. */
export async function deleteWebhook(
  ctx: OwnerContext,
  { id, workspace_id }: Pick<WebhookRow, 'id' | 'workspace_id'>,
): Promise<void> {
  await ctx.rows(Webhook).removeWhere(where.eq('id', id))
  const own = where.and(where.eq('workspace_id', workspace_id), where.eq('webhook_id', id))
  await ctx.rows(WebhookDelivery).removeWhere(own)
  await ctx.rows(WebhookAttempt).removeWhere(own)
}

/** Moves a webhook, if nobody else moved it in the meantime. */
export async function move(
  ctx: OwnerContext,
  { id, state }: WebhookRow,
  to: WebhookRow['state'],
  given: Partial<WebhookRow> = {},
): Promise<WebhookRow> {
  const moved = moveState(webhookState, state, to, { now: ctx.now(), with: given })
  const same = where.and(where.eq('id', id), where.eq('state', state))
  return requireChanged(await ctx.rows(Webhook).updateWhere(same, moved as Partial<WebhookRow>))
}
