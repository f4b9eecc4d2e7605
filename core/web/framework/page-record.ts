import { Refusal } from '../../contracts/errors'
import type { AnyPage, PageRecord } from '../../contracts/page'
import type { AppPageDeps } from './page-context'
import type { SignedIn } from './route'
import type { VisibleWorkspace } from './workspace-access'

/** The row of a page, and the person's workspace that contains it. */
export interface FoundRecord extends PageRecord {
  readonly param: string
  readonly place: VisibleWorkspace
}

/**
 * Finds the row of a page in one of the person's workspaces. Throws 404 for an unknown row, and 403 for a row of another workspace.
 * Null for a page without a row.
 */
export async function recordOf(
  deps: Pick<AppPageDeps, 'owner' | 'places'>,
  { record }: Pick<AnyPage, 'record'>,
  { person }: SignedIn,
  idOf: (param: string) => string | null,
): Promise<FoundRecord | null> {
  if (!record) return null
  const id = idOf(record.param) ?? ''
  const row = id === '' ? null : await deps.owner.rows(record.entity).get(id)
  const place = row && (await deps.places.find(person, String(row.workspace_id)))
  if (!row) throw new Refusal('not_found', `Your workspaces have no such ${record.param}.`)
  if (!place)
    throw new Refusal('not_in_workspace', `The ${record.param} is in a workspace that you cannot open.`)
  const isMadeUp = place.is_demo || (row as { is_demo?: unknown }).is_demo === true
  return { row, place, param: record.param, mayChange: person.role === 'owner' && !isMadeUp }
}

/** Throws if an action would change a demo. */
export function refuseDemo(isDemo: boolean): void {
  if (isDemo) throw new Refusal('conflict', 'The demo cannot be changed.')
}
