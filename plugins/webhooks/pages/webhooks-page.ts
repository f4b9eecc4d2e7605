import { type ShownAct, shownActs, where } from 'renown'
import { actsOnPage, definePage, type PageContext } from 'renown/pages'
import { webhookActs } from '../acts/webhook-acts'
import { EventEntry } from '../records/foreign'
import { Webhook, type WebhookRow } from '../records/Webhook'
import { WebhookAttempt } from '../records/WebhookAttempt'
import { WebhookDelivery } from '../records/WebhookDelivery'
import { webhookWords } from '../words'
import { webhooksStyle } from './webhooks-style'

/** A webhook as the page shows it. */
export interface ShownWebhook {
  readonly id: string
  readonly url: string
  readonly host: string
  readonly state: WebhookRow['state']
  readonly types: readonly string[]
  readonly delivered_at: string | null
  readonly failing_since: string | null
  readonly disabled_reason: string | null
  /** Until when messages are signed with the former secret too. Null if they are not. */
  readonly former_until: string | null
}

/** An attempt as the page shows it. */
export interface ShownAttempt {
  readonly id: string
  readonly at: string
  readonly type: string
  readonly event_id: string
  readonly number: number
  readonly outcome: 'calling' | 'delivered' | 'failed' | 'unknown'
  readonly status: number | null
  readonly took_ms: number | null
  readonly answer: string | null
  readonly error: string | null
}

export interface WebhooksData {
  readonly webhooks: readonly ShownWebhook[]
  /** The webhook that the address names, with its last attempts. */
  readonly chosen:
    | (ShownWebhook & {
        readonly attempts: readonly ShownAttempt[]
        readonly waiting: number
        readonly undelivered: number
        /** Whether the next verification begins with old events. */
        readonly was_verified: boolean
      })
    | null
  /** True if the address names a webhook that is not here. */
  readonly is_unknown: boolean
  readonly types: readonly { readonly name: string; readonly summary: string }[]
  readonly may_change: boolean
  readonly acts: Readonly<Record<keyof typeof webhookActs, ShownAct>>
}

const attemptsMax = 50

async function loadWebhooks(ctx: PageContext, query: URLSearchParams): Promise<WebhooksData> {
  const id = query.get('webhook')
  const [rows, found] = await Promise.all([
    ctx.rows(Webhook).list({ sort: [{ field: 'created_date', direction: 'asc' }], limit: 100 }),
    id === null ? null : ctx.rows(Webhook).get(id),
  ])
  const now = ctx.now().toISOString()
  return {
    webhooks: rows.map((row) => shown(row, now)),
    chosen: found && { ...shown(found, now), ...(await detailOf(ctx, found)) },
    is_unknown: id !== null && found === null,
    types: ctx.system.eventTypes.map(({ name, summary }) => ({ name, summary })),
    acts: shownActs(webhookActs),
    may_change: !ctx.isDemo,
  }
}

async function detailOf(ctx: PageContext, { id, cursor, types, verified_at }: WebhookRow) {
  const own = where.eq('webhook_id', id)
  const inState = (state: string) => ctx.rows(WebhookDelivery).count(where.and(own, where.eq('state', state)))
  const wanted = types.length === 0 ? [] : [where.in('type', types)]
  const [attempts, pending, undelivered, unread] = await Promise.all([
    ctx.rows(WebhookAttempt).list({ where: own, limit: attemptsMax }),
    inState('pending'),
    inState('failed'),
    verified_at === undefined ? 0 : ctx.rows(EventEntry).count(where.and(where.gt('seq', cursor), ...wanted)),
  ])
  return {
    waiting: pending + unread,
    undelivered,
    was_verified: verified_at !== undefined,
    attempts: attempts.map((row) => ({
      id: row.id,
      at: row.started_at,
      type: row.type,
      event_id: row.event_id,
      number: row.number,
      outcome: row.outcome,
      status: row.status ?? null,
      took_ms: row.took_ms ?? null,
      answer: row.answer ?? null,
      error: row.error ?? null,
    })),
  }
}

function shown({ id, url, state, types, ...row }: WebhookRow, now: string): ShownWebhook {
  const { former_until = '' } = row
  return {
    id,
    url,
    host: new URL(url).hostname,
    state,
    types,
    delivered_at: row.delivered_at ?? null,
    failing_since: row.failing_since ?? null,
    disabled_reason: row.disabled_reason ?? null,
    former_until: former_until > now ? former_until : null,
  }
}

/** The webhooks of a workspace, and what they were sent. */
export const webhooksPage = definePage<WebhooksData>({
  path: '/app/settings/webhooks',
  title: 'Webhooks',
  only: 'owner',
  nav: { label: webhookWords('nav'), order: 95, group: 'settings' },
  module: new URL('./WebhooksPage.tsx', import.meta.url),
  isStatic: true,
  load: loadWebhooks,
  ...actsOnPage({ ...webhookActs, 'replay-since': webhookActs.replay }),
  style: webhooksStyle,
})
