import { timingSafeEqual } from 'node:crypto'
import { isServiceFault, type OwnerContext, throwIfStoreAway } from 'renown'
import { type CallbackFailure, postWebhook } from 'renown/sending'
import { parseForeignJson, type SafeAnswer } from 'renown/sources'
import * as v from 'valibot'
import { retryAfterMs } from '../delivery/retry'
import { EventSubscription, type SubscriptionRow } from '../records/EventSubscription'

const timeoutMs = 10_000

/** Returns the field that a secret of a subscription is encrypted for. */
export const sealedAt = (
  { id, workspace_id }: Pick<SubscriptionRow, 'id' | 'workspace_id'>,
  field: 'secret' | 'former_secret',
) => ({ entity: EventSubscription.name, workspace_id, id, field })

/** Returns the secrets that sign a message now: the present one, and for a while the former one. */
export function secretsOf({ outbound, now }: OwnerContext, row: SubscriptionRow): string[] {
  const { secret, former_secret, former_until = '' } = row
  const open = outbound.secrets.open(secret, sealedAt(row, 'secret'))
  if (former_secret === undefined || former_until <= now().toISOString()) return [open]
  return [open, outbound.secrets.open(former_secret, sealedAt(row, 'former_secret'))]
}

/** A message to a callback. */
export interface CallbackMessage {
  readonly subscription: string
  readonly url: string
  readonly id: string
  readonly body: string
  readonly secrets: readonly string[]
}

/** What a message to a callback achieved. `refused`: the callback does not want this message, ever. */
export type CallbackResult =
  | { readonly outcome: 'delivered'; readonly answer: SafeAnswer }
  | { readonly outcome: 'refused'; readonly error: CallbackFailure }
  | { readonly outcome: 'failed'; readonly error: CallbackFailure; readonly askedMs: number }

/** Statuses with which a callback refuses one message: gone, and too large. */
const refusals: ReadonlySet<number> = new Set([410, 413])

/** Sends one message to a callback, once. */
export async function callBack(ctx: OwnerContext, message: CallbackMessage): Promise<CallbackResult> {
  const { subscription, ...sent } = message
  try {
    const headers = { 'x-mcp-subscription-id': subscription }
    const answer = await postWebhook(ctx, { ...sent, headers, timeoutMs })
    const { status } = answer
    if (status >= 200 && status < 300) return { outcome: 'delivered', answer }
    const error = status >= 500 ? 'http_5xx' : 'http_4xx'
    if (refusals.has(status)) return { outcome: 'refused', error }
    const askedMs = retryAfterMs(answer.headers.get('retry-after'), ctx.now()) ?? 0
    return { outcome: 'failed', error, askedMs }
  } catch (error) {
    throwIfStoreAway(error)
    return { outcome: 'failed', error: failureOf(error), askedMs: 0 }
  }
}

function failureOf(error: unknown): CallbackFailure {
  const code = isServiceFault(error) ? error.code : undefined
  if (code === 'timeout') return 'timeout'
  // It answered, but with more than the limit, or with something that is not HTTP.
  if (code === 'too_large' || code === 'malformed') return 'challenge_failed'
  return code === 'certificate' ? 'tls_error' : 'connection_refused'
}

const challengeAnswer = v.object({ challenge: v.string() })

/** Asks a callback whether it expects events, with a signed challenge. Returns how it failed, or null. */
export async function challengeFault(
  ctx: OwnerContext,
  message: Omit<CallbackMessage, 'id' | 'body'>,
): Promise<CallbackFailure | null> {
  const { token: challenge, hash } = await ctx.newToken('')
  const id = `msg_verification_${hash.slice(0, 24)}`
  const result = await callBack(ctx, {
    ...message,
    id,
    body: JSON.stringify({ type: 'verification', challenge }),
  })
  if (result.outcome !== 'delivered') return result.error
  return isReturned(result.answer.body, challenge) ? null : 'challenge_failed'
}

function isReturned(body: Uint8Array, challenge: string): boolean {
  try {
    const read = v.safeParse(challengeAnswer, parseForeignJson(new TextDecoder().decode(body)))
    return read.success && equalTexts(read.output.challenge, challenge)
  } catch {
    return false
  }
}

/** Compares texts in a time that does not depend on where they differ. */
const equalTexts = (one: string, other: string): boolean => {
  const bytes = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
  return timingSafeEqual(bytes(one), bytes(other))
}
