import type { Asker } from '../../../connections/consent/consents'
import type { Row } from '../../../contracts/entity'
import { Refusal } from '../../../contracts/errors'
import { Connection } from '../../../outbound/Connection'
import { Workspace } from '../../../tenancy/Workspace'
import type { SignedIn } from '../../framework/route'
import type { SettingsDeps } from './settings'

export const connectionsPath = '/app/settings/connections'

export type ConnectionRow = Row<typeof Connection>

export const askerOf = ({ session, host }: SignedIn): Asker => ({ session_id: session.id, host: host.origin })

/** Returns a workspace of the person's own agency. Throws for a demo. */
export async function ownWorkspace({ owner }: SettingsDeps, { person }: SignedIn, id: string) {
  const workspace = await owner.rows(Workspace).get(id)
  if (workspace?.agency_id === person.agency_id && workspace.is_active) return workspace
  throw new Refusal('not_found', 'This agency has no such workspace.')
}

/** Returns a connection of the person's own agency. */
export async function ownConnection(
  deps: SettingsDeps,
  { person }: SignedIn,
  id: string,
): Promise<ConnectionRow> {
  const connection = await deps.owner.rows(Connection).get(id)
  const workspace = connection && (await deps.owner.rows(Workspace).get(connection.workspace_id))
  if (connection && workspace?.agency_id === person.agency_id) return connection
  throw new Refusal('not_found', 'This agency has no such connection.')
}

/** Returns the name of an account at the service, or its id there. */
export const nameOf = ({ account_name, account_id }: ConnectionRow): string => account_name ?? account_id
