import type { Person, Sessions } from '../../../auth/sessions'
import type { Documents } from '../../../stores/documents/port'
import { cachedDocuments } from '../../../stores/documents/read-cache'
import { User } from '../../../tenancy/User'
import type { SignedIn } from '../route'
import type { WorkspaceAccess } from '../workspace-access'

/** Whether the person who opened a stream may still receive it, with the same access. */
export type MayListen = (visit: SignedIn) => Promise<boolean>

interface Deps {
  readonly documents: Documents
  readonly sessions: Pick<Sessions, 'of'>
  readonly places: Pick<WorkspaceAccess, 'find'>
}

/**
 * Repeats the checks that opened the stream: the session, the person, their role and the workspace. A stream
 * reads with the rights of its start, so it ends when any of them changes. The browser then opens a new one.
 * Throws if the store fails.
 */
export function createStreamAudience({ documents, sessions, places }: Deps): MayListen {
  const userRow = cachedDocuments(documents.collection(User))
  return async ({ request, host, session, person, place }) => {
    const now = await sessions.of(request, host)
    if (now?.id !== session.id) return false
    const current = await userRow(now.user_id)
    if (!current || rightsOf(current) !== rightsOf(person)) return false
    if (!place) return true
    const found = await places.find(current, place.id)
    return found !== null && JSON.stringify(found.info) === JSON.stringify(place.info)
  }
}

const rightsOf = ({ role, agency_id, workspace_ids }: Person) =>
  JSON.stringify([role, agency_id, workspace_ids ?? null])
