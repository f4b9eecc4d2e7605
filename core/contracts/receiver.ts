import type { OwnerContext } from './owner'

/** The address that a token belongs to. */
export interface ReceivingAddress {
  /** Id of the row that the plugin stores for this address. */
  readonly id: string
  readonly workspace_id: string
  /** Secrets of Standard Webhooks. Without any, messages need no signature. */
  readonly secrets: readonly string[]
}

/**
 * Messages from services outside, such as an alert service or an automation: `POST /in/<name>/<token>`. The token in the
 * address is the credential. Core limits the requests of each token, checks the signature, and limits the size and depth
 * of the JSON body.
 */
export interface ReceiverDeclaration {
  readonly summary: string
  /** Returns the address that has this token, by the hash that `newToken` returned. Null if there is none. */
  find(ctx: OwnerContext, tokenHash: string): Promise<ReceivingAddress | null>
  /**
   * Stores a message, and returns the JSON answer for the sender. What is accepted must be stored when it returns, because
   * the sender then forgets it. The same message can arrive again. Throws a Refusal if it cannot be accepted.
   */
  receive(
    ctx: OwnerContext,
    address: ReceivingAddress,
    message: unknown,
  ): Promise<Readonly<Record<string, unknown>>>
}
