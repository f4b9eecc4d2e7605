import { type DemoDeclaration, type DemoRow, type DemoWorld, demoRows } from 'renown'
import { Webhook } from '../records/Webhook'
import { WebhookAttempt } from '../records/WebhookAttempt'

/** The attempts of the demo: how many days ago, and what the receiver answered. */
const attempts = [
  { daysAgo: 5, type: 'review.received', status: 200 },
  { daysAgo: 4, type: 'lead.created', status: 200 },
  { daysAgo: 3, type: 'review.low_rating', status: 503, answer: 'Maintenance until noon' },
  { daysAgo: 3, type: 'review.low_rating', status: 200 },
  { daysAgo: 2, type: 'visibility.changed', status: 200 },
] as const

/** A paused webhook with attempts. Nothing is ever sent for it. */
export const webhooksDemo: DemoDeclaration = {
  rows(world) {
    const [workspace] = world.workspaces
    if (!workspace) return []
    const webhook_id = world.id(Webhook, workspace.id)
    return [
      demoRows(Webhook, [
        {
          id: webhook_id,
          workspace_id: workspace.id,
          url: 'https://automation.example/renown',
          types: ['lead.created', 'review.low_rating', 'review.received', 'visibility.changed'],
          state: 'paused',
          secret: 'sealed',
          cursor: 0,
          verified_at: world.at(30, 9),
          delivered_at: world.at(2, 10),
          created_date: world.at(30, 9),
          updated_date: world.at(1, 9),
        },
      ]),
      demoRows(
        WebhookAttempt,
        attempts.map((one, place) =>
          attemptOf(world, { workspace_id: workspace.id, webhook_id }, one, place),
        ),
      ),
    ]
  },
}

function attemptOf(
  world: DemoWorld,
  of: { readonly workspace_id: string; readonly webhook_id: string },
  { daysAgo, type, status, ...told }: (typeof attempts)[number],
  place: number,
): DemoRow<typeof WebhookAttempt> {
  const at = world.at(daysAgo, 8 + place)
  const event = `${type} ${daysAgo}`
  return {
    ...of,
    id: world.id(WebhookAttempt, String(place)),
    delivery_id: world.id({ idPrefix: 'whd' }, event),
    event_id: world.id({ idPrefix: 'evt' }, event),
    type,
    status,
    took_ms: 90 + 7 * place,
    number: place === 3 ? 2 : 1,
    outcome: status === 200 ? 'delivered' : 'failed',
    ...told,
    started_at: at,
    created_date: at,
    updated_date: at,
    expire_at: world.at(daysAgo - 30, 8),
  }
}
