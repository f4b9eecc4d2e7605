import { faultInfo, type OwnerContext, Refusal, throwIfStoreAway } from 'renown'
import { postWebhook } from 'renown/sending'
import { parseForeignJson } from 'renown/sources'
import * as v from 'valibot'
import { lastSeq } from '../delivery/fan-out'
import { secretsOf } from '../delivery/message'
import { enqueueWebhook } from '../delivery/queue'
import type { WebhookRow } from '../records/Webhook'
import { move } from './change'

const answerForm = v.object({ challenge: v.string() })

/**
 * Asks the host of a webhook whether it expects the events: a signed message with a challenge, which the host must
 * return. Then the webhook is active. A new one begins with the next event, a disabled one with the event where it
 * stopped.
 */
export async function verifyWebhook(ctx: OwnerContext, webhook: WebhookRow): Promise<WebhookRow> {
  if (webhook.state !== 'unverified' && webhook.state !== 'disabled')
    throw new Refusal('conflict', 'The webhook is already verified.')
  await ctx.requireActive(webhook.workspace_id)
  // Read first, so that no event after the verification began is left out.
  const seq = await lastSeq(ctx, webhook.workspace_id)
  const fault = await challengeFault(ctx, webhook)
  if (fault !== null) {
    throw new Refusal('conflict', `The host was not verified: ${fault}`, {
      hint: 'Answer the message of the type `verification` with status 200 and `{"challenge":"…"}`, the challenge of the message.',
    })
  }
  const verified = await move(ctx, webhook, 'active', {
    verified_at: ctx.now().toISOString(),
    ...(webhook.verified_at === undefined ? { cursor: seq } : {}),
  })
  await enqueueWebhook(ctx, verified)
  return verified
}

/** Sends the challenge. Returns what is wrong with the answer, or null. */
async function challengeFault(ctx: OwnerContext, webhook: WebhookRow): Promise<string | null> {
  const { token: challenge } = await ctx.newToken('')
  const body = JSON.stringify({ type: 'verification', timestamp: ctx.now().toISOString(), challenge })
  const secrets = secretsOf(ctx, webhook)
  try {
    const id = `verification_${challenge.slice(0, 20)}`
    const answer = await postWebhook(ctx, { url: webhook.url, id, body, secrets })
    if (answer.status < 200 || answer.status > 299) return `it answered with status ${answer.status}.`
    return isReturned(answer.body, challenge) ? null : 'its answer does not have the challenge.'
  } catch (error) {
    throwIfStoreAway(error)
    return faultInfo(error).message
  }
}

function isReturned(body: Uint8Array, challenge: string): boolean {
  try {
    const read = v.safeParse(answerForm, parseForeignJson(new TextDecoder().decode(body)))
    return read.success && read.output.challenge === challenge
  } catch {
    return false
  }
}
