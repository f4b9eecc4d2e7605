import { where } from 'renown'
import type { LimitSource } from 'renown/pages'
import { webhooksMax } from './acts/change'
import { EventSubscription } from './records/EventSubscription'
import { Webhook } from './records/Webhook'
import { perCredentialMax, perWorkspaceMax } from './subscriptions/subscribe'

/** Webhooks of a workspace, and subscriptions of apps to its events. */
export const webhookLimits: LimitSource = {
  name: 'webhooks',
  order: 30,
  async read(ctx, { workspace, credential }) {
    const own = where.eq('workspace_id', workspace.id)
    const now = ctx.now().toISOString()
    const active = where.and(where.eq('state', 'active'), where.gt('expires_at', now))
    const inAll = where.and(active, where.eq('credential', credential))
    return [
      {
        name: 'webhooks',
        per: 'workspace',
        unit: 'webhooks',
        limit: webhooksMax,
        used: await ctx.rows(Webhook).count(own),
        atLimit: 'No webhook is added until one is deleted.',
      },
      {
        name: 'event_subscriptions',
        per: 'workspace',
        unit: 'subscriptions',
        limit: perWorkspaceMax,
        used: await ctx.rows(EventSubscription).count(where.and(own, active)),
        atLimit: 'No subscription begins until another one ends.',
      },
      {
        name: 'own_event_subscriptions',
        per: 'credential',
        unit: 'subscriptions',
        limit: perCredentialMax,
        used: await ctx.rows(EventSubscription).count(inAll),
        atLimit: 'You can begin no subscription until one of yours ends.',
      },
    ]
  },
}
