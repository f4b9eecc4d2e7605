import { keyRotate } from '../auth/commands'
import { ownerLink } from '../auth/people/owner-link'
import type { OwnerContext } from '../contracts/plugin'
import { selfCheck } from '../contracts/self-check'
import { setupStep } from '../contracts/setup'
import { where } from '../contracts/where'
import { type LockDeps, withInstallationLock } from '../jobs/locks'
import { definePlugin, runDeclared } from '../kit'
import { commandLine } from '../tenancy/audit/audit'
import { createAgency, createWorkspace } from '../tenancy/commands'
import { Installation } from '../tenancy/Installation'
import { createLocation } from '../tenancy/locations/create-location'
import { madeUp } from '../tenancy/made-up'
import { Agency, BusinessLocation, User, Workspace } from './tenancy-plugin'

/** The data that a person or a script needs to start. It has secrets only on the first start. */
export interface FirstRun {
  /** Whether this start created or completed the installation. */
  readonly isFirst: boolean
  readonly agency_id: string
  readonly workspace_id: string
  readonly location_id: string
  readonly site_id?: string
  readonly site_key?: string
  readonly agent_key?: string
  readonly forwarder_token?: string
  /** A link that signs the owner in once, to choose a password. */
  readonly owner_link?: string
}

const installationId = 'ins_first'
/** Core's record of the installation. */
export const installation = definePlugin({
  name: 'installation',
  summary: 'What the first run created',
  renown: '^1.0.0',
  extensionPoints: [selfCheck],
  entities: [Installation],
})

interface Deps {
  readonly owner: OwnerContext
  /** Domain of the first site. */
  readonly siteDomain: string
}

/** Runs the first start if several processes share a store: one process runs it, the others wait. */
export const firstRunOnce = (deps: Deps & LockDeps): Promise<FirstRun> =>
  withInstallationLock(deps, 'first run', () => firstRun(deps))

/**
 * Creates agency, home workspace, owner, location, site and agent key if they are missing. Each step checks
 * first, so that a later run finishes an interrupted one. Secrets that may have been lost are replaced.
 */
export async function firstRun(deps: Deps): Promise<FirstRun> {
  const known = await record(deps.owner)
  if (known.completed_at !== undefined) return answer(false, known)
  const { rows } = deps.owner
  const agency = await ensureAgency(deps)
  const location = await ensureLocation(deps, agency.workspace_id)
  const site = await ensureSite(deps, agency.workspace_id, location)
  const owner = { ...deps.owner, by: { host: commandLine } }
  const key = await runDeclared(keyRotate.command, owner, { agency_id: agency.agency_id })
  const link = await runDeclared(ownerLink.command, owner, { agency_id: agency.agency_id })
  const made = {
    agency_id: agency.agency_id,
    home_workspace_id: agency.workspace_id,
    location_id: location,
    ...(site ? { site_id: site.site_id, site_key: site.site_key } : {}),
  }
  const completed_at = deps.owner.now().toISOString()
  await rows(Installation).update(installationId, { ...made, completed_at })
  return {
    ...answer(true, made),
    agent_key: text(key, 'agent_key'),
    owner_link: text(link, 'owner_link'),
    ...(site ? { forwarder_token: site.forwarder_token } : {}),
  }
}

async function record(owner: OwnerContext) {
  const rows = owner.rows(Installation)
  const known = await rows.get(installationId)
  return known ?? (await rows.insert({ id: installationId, workspace_id: installationId }))
}

async function ensureAgency(deps: Deps) {
  const { owner } = deps
  const own = where.ne('is_demo', true)
  const [agency] = await owner.rows(Agency).list({ where: own, sort: oldestFirst, limit: 1 })
  if (!agency) {
    const made = await runDeclared(createAgency, owner, { name: madeUp.agency })
    return { agency_id: text(made, 'agency_id'), workspace_id: text(made, 'workspace_id') }
  }
  const agency_id = agency.id
  const ofAgency = where.eq('agency_id', agency_id)
  const home = where.and(ofAgency, where.eq('is_home', true))
  const [workspace] = await owner.rows(Workspace).list({ where: home, limit: 1 })
  const workspace_id =
    workspace?.id ??
    text(await runDeclared(createWorkspace.command, owner, { name: agency.name, agency_id }), 'workspace_id')
  if ((await owner.rows(User).count(ofAgency)) === 0) {
    const user = { workspace_id: agency_id, agency_id, role: 'owner', is_active: true } as const
    await owner.rows(User).insert(user)
  }
  return { agency_id, workspace_id }
}

async function ensureLocation(deps: Deps, workspace_id: string): Promise<string> {
  const inside = where.eq('workspace_id', workspace_id)
  const [location] = await deps.owner
    .rows(BusinessLocation)
    .list({ where: inside, sort: oldestFirst, limit: 1 })
  if (location) return location.id
  const input = { business_name: madeUp.location, workspace_id }
  return text(await runDeclared(createLocation.command, deps.owner, input), 'location_id')
}

/** Returns the first website, or null if no plugin counts websites. */
async function ensureSite({ owner, siteDomain: domain }: Deps, workspace_id: string, location_id: string) {
  const website = owner.extensions(setupStep).find((step) => step.website !== undefined)?.website
  return website ? website.create(owner, { workspace_id, location_id, domain }) : null
}

type Row = Record<string, unknown>

const oldestFirst = [{ field: 'created_date', direction: 'asc' }] as const

function text(row: Row, key: string): string {
  const value = row[key]
  if (typeof value === 'string') return value
  throw new Error(`The command ${key} returned nothing during the first start`)
}

type Made = Partial<Record<keyof typeof Installation.fields, string | undefined>>

function answer(isFirst: boolean, made: Made): FirstRun {
  const { agency_id = '', home_workspace_id = '', location_id = '', site_id, site_key } = made
  return {
    isFirst,
    agency_id,
    workspace_id: home_workspace_id,
    location_id,
    ...(site_id === undefined ? {} : { site_id }),
    ...(site_key === undefined ? {} : { site_key }),
  }
}
