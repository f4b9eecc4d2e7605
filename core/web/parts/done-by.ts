import type { DoneBy, OwnerContext } from '../../contracts/plugin'
import type { SignedIn } from '../define-page'

/** The owner's side as whoever asks for a page: what is done with it is written down as theirs. */
export const asPerson = (owner: OwnerContext, { person, host }: SignedIn): OwnerContext => ({
  ...owner,
  by: { host: host.origin, user_id: person.id } satisfies DoneBy,
})
