import { where } from 'renown'
import type { WorkspaceProblemSource } from 'renown/pages'
import { EventSubscription } from './records/EventSubscription'
import { Webhook } from './records/Webhook'

/** Webhooks that Renown disabled or that fail, and callbacks of agents that fail. */
export const webhookProblems: WorkspaceProblemSource = {
  name: 'webhooks',
  order: 60,
  async read(ctx, limit) {
    const failing = where.and(where.eq('state', 'active'), where.gt('failing_since', ''))
    const [webhooks, callbacks] = await Promise.all([
      ctx.rows(Webhook).list({ where: where.or(where.eq('state', 'disabled'), failing), limit }),
      ctx.rows(EventSubscription).list({ where: failing, limit }),
    ])
    return [
      ...webhooks.map(({ url, state, failing_since, updated_date, disabled_reason }) => ({
        kind: state === 'disabled' ? 'webhook_disabled' : 'webhook_failing',
        severity: state === 'disabled' ? ('critical' as const) : ('warning' as const),
        about: URL.parse(url)?.hostname ?? 'webhook',
        since: failing_since ?? updated_date,
        ...(disabled_reason === undefined ? {} : { why: disabled_reason }),
        todo: 'Repair the receiver. Then verify the webhook again in /app/settings/webhooks.',
      })),
      ...callbacks.map(({ url, type, is_suspended, failing_since, last_error }) => ({
        kind: is_suspended ? 'event_callback_stopped' : 'event_callback_failing',
        severity: is_suspended ? ('critical' as const) : ('warning' as const),
        about: `${type}: ${URL.parse(url)?.hostname ?? 'callback'}`,
        ...(failing_since === undefined ? {} : { since: failing_since }),
        ...(last_error === undefined ? {} : { why: last_error }),
        todo: 'Repair the callback. The app then renews its subscription.',
      })),
    ]
  },
}
