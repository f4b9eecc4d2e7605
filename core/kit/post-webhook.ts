import type { SafeAnswer } from '../contracts/outbound'
import type { OwnerContext } from '../contracts/owner'
import { webhookHeaders } from './webhook-signature'

/** A message to a receiver outside. */
export interface WebhookMessage {
  readonly url: string
  /** The same for every delivery of the message. Receivers recognize repeats by it. */
  readonly id: string
  /** JSON. The same for every delivery of the message. */
  readonly body: string
  /** The message is signed with each of them. */
  readonly secrets: readonly string[]
  /** More headers. They are not signed. */
  readonly headers?: Readonly<Record<string, string>>
  /** Default: 20 s. */
  readonly timeoutMs?: number
}

const answerBytesMax = 64_000
const defaultTimeoutMs = 20_000

/**
 * Sends a message by the rules of Standard Webhooks, once. Only to HTTPS addresses on the public internet, without
 * redirects. Returns the answer with any status. Throws a ServiceFault if there is none.
 */
export function postWebhook(
  { outbound, now }: Pick<OwnerContext, 'outbound' | 'now'>,
  { url, id, body, secrets, headers = {}, timeoutMs = defaultTimeoutMs }: WebhookMessage,
): Promise<SafeAnswer> {
  const timestamp = Math.floor(now().getTime() / 1_000)
  return outbound.safeFetch(url, {
    method: 'POST',
    body,
    maxBytes: answerBytesMax,
    timeoutMs,
    headers: {
      ...headers,
      'content-type': 'application/json',
      ...webhookHeaders({ id, timestamp, body }, secrets),
    },
  })
}

/** Returns 32 random bytes as a secret of Standard Webhooks. */
export async function newWebhookSecret({ newToken }: Pick<OwnerContext, 'newToken'>): Promise<string> {
  const { hash } = await newToken('')
  return `whsec_${Buffer.from(hash, 'hex').toString('base64')}`
}

/** Returns why messages cannot be sent to an address, or null. Which IP addresses it has is checked for each request. */
export function webhookAddressFault(text: string): string | null {
  const url = URL.parse(text.trim())
  if (url?.protocol !== 'https:') return 'The address must begin with https://.'
  if (text.length > 2_000) return 'The address must have at most 2,000 characters.'
  if (url.username !== '' || url.password !== '') return 'The address must not contain a user name.'
  if (url.port !== '') return 'The address must not name a port. HTTPS uses 443.'
  if (!/^[^.\s]+(\.[^.\s]+)+$/.test(url.hostname) || /^\d+(\.\d+){3}$/.test(url.hostname))
    return 'The address must name a host on the public internet, such as hooks.example.com.'
  return null
}
