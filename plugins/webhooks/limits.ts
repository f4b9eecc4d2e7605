import { type LimitSource, where } from 'renown'
import { webhooksMax } from './acts/change'
import { EventSubscription } from './records/EventSubscription'
import { Webhook } from './records/Webhook'
import { perWorkspaceMax } from './subscriptions/subscribe'

/** Webhooks of a workspace, and subscriptions of apps to its events. */
export const webhookLimits: LimitSource = {
  ...{ name: 'webhooks', order: 30 },
  async read(ctx, { workspace }) {
    const own = where.eq('workspace_id', workspace.id)
    const now = ctx.now().toISOString()
    const active = where.and(own, where.eq('state', 'active'), where.gt('expires_at', now))
    return [
      {
        ...({ name: 'webhooks', per: 'workspace', unit: 'webhooks', limit: webhooksMax } as const),
        ...{ used: await ctx.rows(Webhook).count(own), atLimit: 'No webhook is added until one is deleted.' },
      },
      {
        ...({ name: 'event_subscriptions', per: 'workspace', unit: 'subscriptions' } as const),
        ...{ limit: perWorkspaceMax, used: await ctx.rows(EventSubscription).count(active) },
        atLimit: 'No subscription begins until another one ends.',
      },
    ]
  },
}
