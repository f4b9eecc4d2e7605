import type { OwnerContext } from '../contracts/plugin'
import type { Account } from '../contracts/upkeep'
import { connectionReady } from '../events/core-events'

/** Publishes that an account was connected, or that locations of it were added. */
export const publishAccount = (
  ctx: OwnerContext,
  { workspace_id, provider, account_id }: Account,
): Promise<void> => ctx.publish(connectionReady, { workspace_id, data: { provider, account_id } })
