import type { Row } from '../../../contracts/entity'
import { Refusal } from '../../../contracts/errors'
import { Workspace } from '../../../tenancy/Workspace'
import type { SignedIn } from '../../framework/route'
import type { SettingsDeps } from '../settings/settings'

/** The dependencies of the pages that change clients. */
export type ClientDeps = SettingsDeps

/** The address of the list of clients. */
export const clientsPath = '/app/clients'

/**
 * Returns a workspace of the owner's agency. Throws a `not_found` Refusal for any other, including those of
 * the demo.
 */
export async function ownClient(
  { owner }: Pick<ClientDeps, 'owner'>,
  { person }: Pick<SignedIn, 'person'>,
  id: string,
): Promise<Row<typeof Workspace>> {
  const workspace = await owner.rows(Workspace).get(id)
  if (workspace && workspace.agency_id === person.agency_id) return workspace
  throw new Refusal('not_found', 'Your agency has no such client.')
}
