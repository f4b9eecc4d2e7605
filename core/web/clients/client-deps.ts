import type { Row } from '../../contracts/entity'
import { Refusal } from '../../contracts/errors'
import { Workspace } from '../../tenancy/Workspace'
import type { SignedIn } from '../define-page'
import type { AppPageDeps } from '../page-context'
import type { SettingsDeps } from '../settings/settings'

/** What the pages of clients need. */
export type ClientDeps = Pick<AppPageDeps, 'context'> & SettingsDeps

/** A workspace of the owner's agency. Throws a `not_found` Refusal for every other one, those of the demo too. */
export async function ownClient(
  { owner }: Pick<ClientDeps, 'owner'>,
  { person }: Pick<SignedIn, 'person'>,
  id: string,
): Promise<Row<typeof Workspace>> {
  const workspace = await owner.rows(Workspace).get(id)
  if (workspace && workspace.agency_id === person.agency_id) return workspace
  throw new Refusal('not_found', 'Your agency has no such client.')
}
