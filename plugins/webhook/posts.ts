import { answeredDelivery, hourMs, type OwnerContext, ServiceFault, statusFault } from 'renown'
import type { OpenTarget, OutgoingPost, PostTarget, ShownPost } from 'renown/posts'
import { isWebhookSecret, postWebhook } from 'renown/sending'
import { parseForeignJson, webAddress } from 'renown/sources'
import * as v from 'valibot'

const secretForm = 'whsec_ and 24 to 64 bytes in base64'

/**
 * A receiver of the owner, such as an automation or a website. It recognizes repeated deliveries by `webhook-id`, as the
 * rules of Standard Webhooks ask. It is never read.
 */
export const webhookPosts: PostTarget = {
  name: 'webhook',
  platform: 'webhook',
  label: 'Webhook',
  order: 20,
  perHour: 120,
  proof: {
    acceptance:
      'The receiver belongs to the owner, and nobody else can read it. Its 2xx status is its acceptance',
  },
  rules: {
    postTypes: ['update', 'offer', 'event'],
    textMax: 1_500,
    countedIn: 'characters',
    photosMax: 10,
    videosMax: 10,
    textOf: ({ content }) => content.summary,
  },
  channel: {
    address: { label: 'Address of your receiver. It must ignore a webhook-id that it has handled' },
    secret: { label: `Secret that signs the deliveries: ${secretForm}` },
    refusal({ address, secret }) {
      if (!webAddress(address)?.startsWith('https:'))
        return 'The address of the receiver must begin with https://.'
      return isWebhookSecret(secret) ? null : `The secret must be ${secretForm}.`
    },
  },
  async open(ctx, { location, channel: { address, secret } }): Promise<OpenTarget> {
    return {
      // Standard Webhooks asks receivers to ignore an id that they have handled, and the form asks the owner for that.
      keys: { isExact: true, lifetimeMs: async () => hourMs },
      create: (post, { key }) => deliver(ctx, { address, secret }, key, bodyOf(post, location.id, ctx.now())),
    }
  },
}

const bodyOf = ({ id, post_type, content, planned_at }: OutgoingPost, location_id: string, now: Date) =>
  JSON.stringify({
    type: 'post.publish',
    timestamp: now.toISOString(),
    data: { post_id: id, location_id, post_type, scheduled_at: planned_at, content },
  })

const answerForm = v.object({ url: v.optional(v.string()) })

async function deliver(
  ctx: OwnerContext,
  { address, secret }: { readonly address: string; readonly secret: string },
  id: string,
  body: string,
): Promise<ShownPost> {
  const answer = await postWebhook(ctx, { url: address, id, body, secrets: [secret] })
  const { status } = answer
  const fault = statusFault({ status }, `The receiver answered with status ${status}`)
  if (fault !== null) {
    const { kind, message, code } = fault
    throw new ServiceFault(kind, message, { code, delivery: answeredDelivery(status, fault) })
  }
  const url = addressIn(answer.body)
  return { external_id: id, evidence: `status ${status}`, ...(url === undefined ? {} : { url }) }
}

/** Returns the address of the published post, if the receiver says one. */
function addressIn(body: Uint8Array): string | undefined {
  try {
    const read = v.safeParse(answerForm, parseForeignJson(new TextDecoder().decode(body)))
    return read.success ? webAddress(read.output.url) : undefined
  } catch {
    return undefined
  }
}
