import type { AccountContext } from '../contracts/connection'
import type { OwnerContext } from '../contracts/plugin'

/** Returns what a connection declaration may use: requests, connections and settings, but no rows. */
export const providerContext = ({
  outbound: { ask, connections },
  settings,
}: Pick<OwnerContext, 'outbound' | 'settings'>): AccountContext => ({
  outbound: { ask, connections },
  settings,
})
