import type { Row } from '../../../contracts/entity'
import type { Documents } from '../../../stores/documents/port'
import { Agency } from '../../../tenancy/Agency'
import { User } from '../../../tenancy/User'

/** Whether the agency and the person behind a grant are active now. */
export type IsHolderActive = (of: {
  readonly agency_id: string
  readonly user_id: string
}) => Promise<boolean>

export function createIsHolderActive(documents: Documents): IsHolderActive {
  const agencies = documents.collection(Agency)
  const users = documents.collection(User)
  return async ({ agency_id, user_id }) => {
    const [agency, user] = (await Promise.all([agencies.get(agency_id), users.get(user_id)])) as [
      Row<typeof Agency> | null,
      Row<typeof User> | null,
    ]
    return agency?.is_active === true && user?.is_active === true && user.agency_id === agency_id
  }
}
