import type { DoneBy, OwnerContext } from '../../contracts/plugin'
import type { SignedIn } from './route'

/** Returns the system context with the person, for the audit log. */
export const asPerson = (owner: OwnerContext, { person, host }: SignedIn): OwnerContext => ({
  ...owner,
  by: { host: host.origin, user_id: person.id } satisfies DoneBy,
})
