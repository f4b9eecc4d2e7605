import type { OwnerContext } from '../../../contracts/plugin'
import { type SetupWebsite, setupStep, type WantedWebsite } from '../../../contracts/setup'
import { where } from '../../../contracts/where'
import { runDeclared } from '../../../kit'
import { Agency } from '../../../tenancy/Agency'
import { BusinessLocation } from '../../../tenancy/BusinessLocation'
import { noteReplaced } from '../../../tenancy/Installation'
import { createLocation } from '../../../tenancy/locations/create-location'
import { publishReady } from '../../../tenancy/locations/publish-location'
import { madeUp } from '../../../tenancy/made-up'
import { recordAudit } from '../../../tenancy/record-audit'
import { Workspace } from '../../../tenancy/Workspace'

export interface NamesDeps {
  readonly owner: OwnerContext
}

/** The progress of naming things. */
export interface NamingState {
  readonly agency_id: string
  readonly workspace: { readonly id: string; readonly name: string; readonly timezone: string }
  readonly location: { readonly id: string; readonly name: string } | null
  readonly site: SetupWebsite | null
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
  const site = await websiteSetupOf(deps)?.find(deps.owner, workspace.id, madeUp.domain)
  return {
    agency_id: agencyId,
    workspace: { id: workspace.id, name: workspace.name, timezone: workspace.timezone },
    location: location ? { id: location.id, name: location.business_name } : null,
    site: site ?? null,
    isMadeUp: agency.name === madeUp.agency,
  }
}

/** Without a plugin that counts websites, the first steps name none. */
const websiteSetupOf = ({ owner }: NamesDeps) =>
  owner.extensions(setupStep).find(({ website }) => website !== undefined)?.website

/** Names everything. Each step checks first, so that a form that was sent twice creates nothing twice. */
export async function nameThings(deps: NamesDeps, standing: NamingState, names: Names): Promise<void> {
  const { owner } = deps
  const { workspace, timezone, business, website } = names
  const locationId = await nameLocation(deps, standing, business, website)
  if (website !== '')
    await nameSite(deps, {
      workspace_id: standing.workspace.id,
      location_id: locationId,
      domain: website,
      timezone,
    })
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
    await publishReady(deps.owner, { id: location.id, workspace_id: workspace.id })
    return location.id
  }
  const input = { business_name: name, workspace_id: workspace.id, ...address }
  return String((await runDeclared(createLocation.command, deps.owner, input)).location_id)
}

async function nameSite(deps: NamesDeps, wanted: WantedWebsite): Promise<void> {
  const swapped = await websiteSetupOf(deps)?.name(deps.owner, wanted, madeUp.domain)
  if (swapped) await noteReplaced(deps.owner, swapped.replaced, swapped.by)
}
