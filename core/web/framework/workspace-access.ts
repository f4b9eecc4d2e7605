import type { Person, Session } from '../../auth/sessions'
import type { WorkspaceInfo } from '../../contracts/context'
import type { Row } from '../../contracts/entity'
import type { PageWorkspace } from '../../contracts/page'
import { everything, where } from '../../contracts/where'
import type { Documents } from '../../stores/documents/port'
import { cachedDocuments } from '../../stores/documents/read-cache'
import { Agency } from '../../tenancy/Agency'
import { Workspace } from '../../tenancy/Workspace'

/** A workspace that a page can show. */
export interface VisibleWorkspace extends PageWorkspace {
  readonly info: WorkspaceInfo
}

/** The workspaces that a person may see: all of the agency, or the given ones, and the demo for its owner. */
export interface WorkspaceAccess {
  /** Returns the workspace with this id, or null if it is not one of the person's. */
  find(person: Person, id: string): Promise<VisibleWorkspace | null>
  /** Returns the current workspace of the session: the chosen one, or the first. Null if there is none. */
  current(person: Person, session: Session): Promise<VisibleWorkspace | null>
  /** Returns at most `limit` workspaces: the home workspace first, then by name, those of the demo last. */
  list(person: Person, limit: number, name?: string): Promise<VisibleWorkspace[]>
  /** Whether the person may see the demo. Only people of the first agency may. */
  maySeeDemo(person: Person): Promise<boolean>
}

/** Returns the workspaces of a member, or undefined for owners, who see all of the agency. */
export const memberWorkspaces = ({ role, workspace_ids }: Person): readonly string[] | undefined =>
  role === 'owner' ? workspace_ids : (workspace_ids ?? [])

export function createWorkspaceAccess({ documents }: { documents: Documents }): WorkspaceAccess {
  const workspaces = documents.collection(Workspace)
  const agencies = documents.collection(Agency)
  const row = cachedDocuments(workspaces)
  const agencyRow = cachedDocuments(agencies)

  const maySeeDemo = async (person: Person) => {
    const { agency_id } = person
    if (memberWorkspaces(person)) return false
    const [first] = await agencies.find({
      where: where.ne('is_demo', true),
      sort: [{ field: 'created_date', direction: 'asc' }],
      limit: 1,
    })
    return first?.id === agency_id
  }
  const isOwn = async (person: Person, found: Row<typeof Workspace>) => {
    if (memberWorkspaces(person)?.includes(found.id) === false) return false
    if (found.agency_id === person.agency_id) return true
    const agency = found.is_demo === true ? await agencyRow(String(found.agency_id)) : null
    return agency?.is_demo === true && agency.is_active === true && (await maySeeDemo(person))
  }
  const find: WorkspaceAccess['find'] = async (person, id) => {
    const found = await row(id)
    return found?.is_active === true && (await isOwn(person, found)) ? visibleWorkspaceOf(found) : null
  }
  const ofAgency = async (
    agency_id: string,
    ids: readonly string[] | undefined,
    limit: number,
    name = '',
  ) => {
    const inside = where.and(
      where.eq('agency_id', agency_id),
      where.eq('is_active', true),
      ids ? where.in('id', [...ids]) : everything,
      name === '' ? everything : { op: 'contains', field: 'name', value: name },
    )
    const byName = [{ field: 'name', direction: 'asc' }] as const
    const home = await workspaces.find({ where: where.and(inside, where.eq('is_home', true)), limit: 1 })
    const others = where.and(inside, where.ne('is_home', true))
    const rest = limit > home.length ? await workspaces.find({ where: others, sort: byName, limit }) : []
    return [...home, ...rest].slice(0, limit).map(visibleWorkspaceOf)
  }
  const list: WorkspaceAccess['list'] = async (person, limit, name) => {
    const own = await ofAgency(person.agency_id, memberWorkspaces(person), limit, name)
    if (own.length >= limit || !(await maySeeDemo(person))) return own
    const demo = where.and(where.eq('is_demo', true), where.eq('is_active', true))
    const [agency] = await agencies.find({ where: demo, limit: 1 })
    return agency ? [...own, ...(await ofAgency(agency.id, undefined, limit - own.length, name))] : own
  }
  return {
    find,
    list,
    maySeeDemo,
    async current(person, { chosen_workspace_id }) {
      const chosen = chosen_workspace_id === null ? null : await find(person, chosen_workspace_id)
      return chosen ?? (await list(person, 1))[0] ?? null
    },
  }
}

function visibleWorkspaceOf(found: Row<typeof Workspace>): VisibleWorkspace {
  const { id, agency_id, name, timezone, locale } = found
  const is_home = found.is_home === true
  return {
    id,
    name: name ?? '',
    timezone: timezone ?? 'UTC',
    locale: locale ?? 'en',
    is_home,
    is_demo: found.is_demo === true,
    info: {
      id,
      agency_id: agency_id ?? '',
      timezone: timezone ?? 'UTC',
      is_home,
      ...(found.redact_pii === true ? { redact_pii: true } : {}),
    },
  }
}

/** Returns the data of a workspace that a page may see. */
export const pageWorkspaceOf = ({ info: _, ...shown }: VisibleWorkspace): PageWorkspace => shown
