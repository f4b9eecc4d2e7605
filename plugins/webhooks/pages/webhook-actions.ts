import { type ActionContext, type AnyAction, dayMs, defineAction, hourMs, Refusal } from 'renown'
import * as v from 'valibot'
import { createWebhook, deleteWebhook, pauseWebhook, resumeWebhook, rotateSecret } from '../acts/change'
import { replayEvent, replaySince } from '../acts/replay'
import { verifyWebhook } from '../acts/verify'
import { Webhook } from '../records/Webhook'

/** A secret that the page shows once. */
export interface ShownSecret {
  readonly webhook_id: string
  readonly secret: string
  readonly is_replaced: boolean
}

const id = v.pipe(v.string(), v.maxLength(100))
const owners = { only: 'owner', refusesDemo: true } as const

/** Throws if the webhook is not in the person's workspace. */
async function own(ctx: ActionContext, id: string): Promise<string> {
  const found = await ctx.rows(Webhook).get(id)
  if (found) return found.id
  throw new Refusal('not_found', 'This webhook is not in the workspace.')
}

const create = defineAction({
  ...owners,
  auth: 'recent',
  input: v.strictObject({
    url: v.pipe(v.string(), v.trim(), v.maxLength(2_000, 'The address must have at most 2,000 characters.')),
    types: v.pipe(
      v.optional(v.union([v.string(), v.array(v.string())]), []),
      v.transform((value) => [value].flat()),
    ),
  }),
  async run(ctx, given) {
    const { webhook, secret } = await createWebhook(ctx.owner, { ...given, workspace_id: ctx.workspace.id })
    return { shown: { webhook_id: webhook.id, secret, is_replaced: false } satisfies ShownSecret }
  },
})

const rotate = defineAction({
  ...owners,
  auth: 'recent',
  input: v.strictObject({ id }),
  async run(ctx, input) {
    const { webhook, secret } = await rotateSecret(ctx.owner, await own(ctx, input.id))
    return { shown: { webhook_id: webhook.id, secret, is_replaced: true } satisfies ShownSecret }
  },
})

const act = (done: string, run: (ctx: ActionContext['owner'], id: string) => Promise<unknown>) =>
  defineAction({
    ...owners,
    auth: 'session',
    done,
    input: v.strictObject({ id }),
    async run(ctx, input) {
      await run(ctx.owner, await own(ctx, input.id))
    },
  })

const replay = defineAction({
  ...owners,
  auth: 'session',
  done: 'The event is sent again.',
  input: v.strictObject({ id, event: v.pipe(v.string(), v.maxLength(100)) }),
  async run(ctx, input) {
    await replayEvent(ctx.owner, { webhook_id: await own(ctx, input.id), event_id: input.event })
  },
})

const sinceMs = { hour: hourMs, day: dayMs, week: 7 * dayMs } as const

const replayAll = defineAction({
  ...owners,
  auth: 'session',
  done: 'The events are sent again.',
  input: v.strictObject({ id, since: v.picklist(['hour', 'day', 'week']) }),
  async run(ctx, input) {
    const since = new Date(ctx.now().getTime() - sinceMs[input.since]).toISOString()
    await replaySince(ctx.owner, { webhook_id: await own(ctx, input.id), since })
  },
})

const remove = defineAction({
  ...owners,
  auth: 'recent',
  input: v.strictObject({ id }),
  async run(ctx, input) {
    await deleteWebhook(ctx.owner, await own(ctx, input.id))
    return { to: '/app/settings/webhooks?done=deleted' }
  },
})

/** What owners do with webhooks. */
export const webhookActions: Readonly<Record<string, AnyAction>> = {
  create,
  rotate,
  replay,
  remove,
  'replay-since': replayAll,
  verify: act('The webhook is verified. Events are sent from now on.', verifyWebhook),
  pause: act('The webhook is paused. Its events wait.', pauseWebhook),
  resume: act('The webhook is active again.', resumeWebhook),
}
