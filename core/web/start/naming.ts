import { runCommand } from '../../contexts/run-command'
import { isConflict } from '../../contracts/errors'
import type { AnyCommand, OwnerContext } from '../../contracts/plugin'
import { where } from '../../contracts/where'
import { Agency } from '../../tenancy/Agency'
import { BusinessLocation } from '../../tenancy/BusinessLocation'
import { noteReplaced } from '../../tenancy/Installation'
import { madeUp } from '../../tenancy/made-up'
import { recordAudit } from '../../tenancy/record-audit'
import { Workspace } from '../../tenancy/Workspace'

export interface NamesDeps {
  readonly owner: OwnerContext
  readonly commands: ReadonlyMap<string, AnyCommand>
}

/** A website, as the plugin that counts it lists it. */
export interface ListedSite {
  readonly site_id: string
  readonly domain: string
  readonly timezone: string
  readonly location_id: string
  readonly site_key: string
  readonly is_active: boolean
}

/** The progress of naming things. */
export interface NamingState {
  readonly agency_id: string
  readonly workspace: { readonly id: string; readonly name: string; readonly timezone: string }
  readonly location: { readonly id: string; readonly name: string } | null
  readonly site: ListedSite | null
  /** Whether something still has the default name of the first start. */
  readonly isMadeUp: boolean
}

export interface Names {
  readonly workspace: string
  readonly business: string
  /** A domain. Empty if there is no website. */
  readonly website: string
  readonly timezone: string
}

const oldestFirst = [{ field: 'created_date', direction: 'asc' }] as const

/** Null for an agency without a home workspace. */
export async function namingStateOf(deps: NamesDeps, agencyId: string): Promise<NamingState | null> {
  const { rows } = deps.owner
  const homes = where.and(where.eq('agency_id', agencyId), where.eq('is_home', true))
  const [[workspace], agency] = await Promise.all([
    rows(Workspace).list({ where: homes, limit: 1 }),
    rows(Agency).get(agencyId),
  ])
  if (!workspace || !agency) return null
  const inside = where.and(where.eq('workspace_id', workspace.id), where.eq('is_prospect', false))
  const [location] = await rows(BusinessLocation).list({ where: inside, sort: oldestFirst, limit: 1 })
  const sites = await sitesOf(deps, workspace.id)
  return {
    agency_id: agencyId,
    workspace: { id: workspace.id, name: workspace.name, timezone: workspace.timezone },
    location: location ? { id: location.id, name: location.business_name } : null,
    site: sites.find(({ domain }) => domain !== madeUp.domain) ?? sites[0] ?? null,
    isMadeUp: agency.name === madeUp.agency,
  }
}

/** Returns the sites of a workspace. Empty if no plugin declares sites. */
async function sitesOf({ owner, commands }: NamesDeps, workspace_id: string): Promise<ListedSite[]> {
  if (!commands.has('site list')) return []
  const { sites } = await runCommand({ owner, commands }, 'site list', { workspace_id })
  return (sites as ListedSite[]).filter(({ is_active }) => is_active)
}

/** Names everything. Each step checks first, so that a form that was sent twice creates nothing twice. */
export async function nameThings(deps: NamesDeps, standing: NamingState, names: Names): Promise<void> {
  const { owner } = deps
  const { workspace, timezone, business, website } = names
  const locationId = await nameLocation(deps, standing, business, website)
  if (website !== '') await nameSite(deps, standing, locationId, { domain: website, timezone })
  await owner.rows(Workspace).update(standing.workspace.id, { name: workspace, timezone })
  await recordAudit(owner, standing.agency_id, 'workspace.name', workspace)
  // Written last, because it marks everything as done.
  await owner.rows(Agency).update(standing.agency_id, { name: workspace })
}

async function nameLocation(deps: NamesDeps, standing: NamingState, name: string, website: string) {
  const { location, workspace } = standing
  const address = website === '' ? {} : { website: `https://${website}` }
  if (location) {
    await deps.owner.rows(BusinessLocation).update(location.id, { business_name: name, ...address })
    await recordAudit(deps.owner, standing.agency_id, 'location.change', name)
    await deps.owner.publish('locationReady', { workspace_id: workspace.id, location_id: location.id })
    return location.id
  }
  const input = { business_name: name, workspace_id: workspace.id, ...address }
  return String((await runCommand(deps, 'location create', input)).location_id)
}

/**
 * Names the site of the first run and keeps its key, so that a pasted tag continues to work. A site in another time
 * zone is replaced, because a zone is fixed. A site that has counted hits stays.
 */
async function nameSite(
  deps: NamesDeps,
  { site, workspace }: NamingState,
  location_id: string,
  input: { readonly domain: string; readonly timezone: string },
): Promise<void> {
  if (!deps.commands.has('site create')) return
  const sites = await sitesOf(deps, workspace.id)
  if (sites.some(({ domain }) => domain === input.domain)) return
  try {
    if (site?.domain === madeUp.domain && site.timezone === input.timezone) {
      await runCommand(deps, 'site rename', { site_id: site.site_id, domain: input.domain })
      return
    }
    if (site?.domain === madeUp.domain) {
      const { site_id: replaces } = site
      const made = await runCommand(deps, 'site create', { ...input, location_id, replaces })
      await noteReplaced(deps.owner, replaces, String(made.site_id))
      return
    }
  } catch (error) {
    if (!isConflict(error)) throw error
  }
  await runCommand(deps, 'site create', { location_id, ...input })
}
