import type { AccountContext } from '../contracts/connection'
import type { OwnerContext } from '../contracts/plugin'

/** Returns the context of a connection declaration: requests, connections and settings, but no rows. */
export const providerContext = ({
  outbound: { ask, connections },
  settings,
}: Pick<OwnerContext, 'outbound' | 'settings'>): AccountContext => ({
  outbound: { ask, connections },
  settings,
})
