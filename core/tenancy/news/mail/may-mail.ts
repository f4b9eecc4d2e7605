import type { Row } from '../../../contracts/entity'
import type { User } from '../../User'
import type { Workspace } from '../../Workspace'

/** Returns whether a person may read the pages of a workspace, and has an address. Demos are never mailed. */
export const mayMail = (
  person: Row<typeof User> | null,
  workspace: Row<typeof Workspace> | null,
): person is Row<typeof User> & { email: string } =>
  person?.is_active === true &&
  person.email !== undefined &&
  workspace?.is_active === true &&
  workspace.is_demo !== true &&
  workspace.agency_id === person.agency_id &&
  (person.role === 'owner' || (person.workspace_ids ?? []).includes(workspace.id))
