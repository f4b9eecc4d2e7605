import type { ErasedPeople } from '../../contracts/people'
import { where } from '../../contracts/where'
import type { Documents } from '../../stores/documents/port'
import { createAgencyOf } from '../agency-of'
import { digestsOf } from './identifiers'
import { createMatcher } from './matcher'
import { PersonRequest } from './PersonRequest'

/** The kind of digests of things outside, such as ids of reviews. */
export const blockedKind = 'blocked'

/**
 * Returns a function that reads who was erased in the agency of a workspace. It is read each time, because another process may
 * have erased somebody since.
 */
export function createErasedPeople(documents: Documents): (workspaceId: string) => Promise<ErasedPeople> {
  const agencyOf = createAgencyOf(documents)
  return async (workspaceId) => {
    const rows = await documents.collection(PersonRequest).find({
      where: where.and(
        where.eq('workspace_id', await agencyOf(workspaceId)),
        where.in('state', ['erasing', 'erased']),
      ),
      fields: ['salt', 'keys', 'blocked'],
    })
    if (rows.length === 0) return nobodyErased
    const erased = rows.map(({ salt, keys, blocked }) => ({
      matcher: createMatcher({ salt, keys }),
      digests: digestsOf(salt),
      blocked: new Set(blocked),
    }))
    return {
      isEmpty: false,
      isBlocked: (key) =>
        erased.some(({ digests, blocked }) => blocked.has(digests.digest(blockedKind, key))),
      isErased: (kind, value) => erased.some(({ matcher }) => matcher.has(kind, value)),
      redact: (value) => erased.reduce((left, { matcher }) => matcher.redact(left), value),
    }
  }
}

/** Nobody was erased. */
export const nobodyErased: ErasedPeople = {
  isEmpty: true,
  isBlocked: () => false,
  isErased: () => false,
  redact: (value) => value,
}
