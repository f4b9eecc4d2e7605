import { definePlugin } from 'renown'
import { workspaceLimits, workspaceProblems } from 'renown/pages'
import { webhookCommands } from './commands'
import { webhooksDemo } from './demo/demo'
import { webhookLimits } from './limits'
import { webhooksPage } from './pages/webhooks-page'
import { webhookProblems } from './problems'
import { dueWebhooks, retryWebhooks, sendWebhooks, wakeWebhooks } from './queues'
import { EventSubscription } from './records/EventSubscription'
import { EventEntry } from './records/foreign'
import { Webhook } from './records/Webhook'
import { WebhookAttempt } from './records/WebhookAttempt'
import { WebhookDelivery } from './records/WebhookDelivery'
import { agentCallbacks } from './subscriptions/provided'

/** Sends what happens in a workspace to addresses of its owner, and to callbacks of agents, by Standard Webhooks. */
export default definePlugin({
  name: 'webhooks',
  summary: 'Events of a workspace, sent to receivers of the owner',
  renown: '^1.0.0',
  needs: ['tenancy'],
  entities: [Webhook, WebhookDelivery, WebhookAttempt, EventSubscription],
  reads: [EventEntry],
  provides: [agentCallbacks, workspaceLimits.with(webhookLimits), workspaceProblems.with(webhookProblems)],
  subscribers: { '*': wakeWebhooks },
  jobs: { dueWebhooks },
  queues: { 'send-webhooks': sendWebhooks, 'retry-webhooks': retryWebhooks },
  commands: webhookCommands,
  pages: [webhooksPage],
  demo: webhooksDemo,
})
