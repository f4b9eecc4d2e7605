import { equalSecrets } from '../process/crypto'

/** A message as it is signed by the rules of Standard Webhooks. */
export interface SignedMessage {
  /** The same for every delivery of the message. Receivers recognize repeats by it. */
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

const secretForm = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/
const keyBytes = { min: 24, max: 64 }

/** Whether a text is a secret of Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. */
export function isWebhookSecret(text: string): boolean {
  if (!secretForm.test(text)) return false
  const { length } = keyOf(text)
  return length >= keyBytes.min && length <= keyBytes.max
}

/**
 * Returns the headers of a message by the rules of Standard Webhooks, signed with each secret. Several secrets let a
 * receiver change from one to the next.
 */
export const webhookHeaders = (
  message: SignedMessage,
  secrets: readonly string[],
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> => ({
  'webhook-id': message.id,
  'webhook-timestamp': String(message.timestamp),
  'webhook-signature': secrets.map((secret) => signatureOf(message, secret)).join(' '),
})

/** Whether one of the signatures in a header is that of the message. Does not check its age. */
export const isSigned = (message: SignedMessage, header: string, secret: string): boolean =>
  header.split(' ').some((one) => equalSecrets(one, signatureOf(message, secret)))

const signatureOf = ({ id, timestamp, body }: SignedMessage, secret: string): string =>
  `v1,${new Bun.CryptoHasher('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`

const keyOf = (secret: string) => Buffer.from(secret.slice('whsec_'.length), 'base64')
