import type { AnyAct } from '../../contracts/act'
import type { DoneBy, OwnerContext } from '../../contracts/plugin'
import { runDeclared } from '../../kit'
import type { SignedIn } from './route'

/** Returns the system context with the person, for the audit log. */
export const asPerson = (owner: OwnerContext, { person, host }: SignedIn): OwnerContext => ({
  ...owner,
  by: { host: host.origin, user_id: person.id } satisfies DoneBy,
})

/** Does an act as the person, with the input of its command, and returns its answer. The caller has checked whose record it is. */
export const actAs = (
  owner: OwnerContext,
  visit: SignedIn,
  { command }: AnyAct,
  input: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> => runDeclared(command, asPerson(owner, visit), input)
