import { type OwnerContext, Refusal, type Row, where } from '../../kit'
import { BusinessLocation } from '../BusinessLocation'
import { Workspace } from '../Workspace'

/** A business location, as its row is stored. */
export type Location = Row<typeof BusinessLocation>

/** What is known of a location that is to be put to work. */
export type Candidate = Omit<Location, 'created_date' | 'updated_date' | 'is_active' | 'is_prospect'>

/** The location of that id; one that belongs to a demo stays as it was made, and is refused. */
export async function ownLocation(ctx: OwnerContext, id: string): Promise<Location> {
  const location = await ctx.rows(BusinessLocation).get(id)
  if (!location) throw new Refusal('not_found', `There is no business location ${id}.`)
  if (location.is_demo !== true) return location
  throw new Refusal('conflict', `${location.business_name} belongs to the demo, which cannot be changed.`, {
    hint: 'Change a location of your own: `location list` shows them.',
  })
}

/** The agency that a workspace belongs to. */
export async function agencyIdOf(ctx: OwnerContext, workspaceId: string): Promise<string> {
  const workspace = await ctx.rows(Workspace).get(workspaceId)
  if (workspace) return workspace.agency_id
  throw new Refusal('not_found', `There is no workspace ${workspaceId}.`)
}

/** The same of a workspace that takes something new: neither a demo nor one that is being deleted does. */
export async function ownAgencyOf(ctx: OwnerContext, workspaceId: string): Promise<string> {
  const workspace = await ctx.rows(Workspace).get(workspaceId)
  if (!workspace?.is_active) throw new Refusal('not_found', `There is no workspace ${workspaceId}.`)
  if (workspace.is_demo !== true) return workspace.agency_id
  throw new Refusal('conflict', `${workspace.name} belongs to the demo, which cannot be changed.`)
}

/** The workspace that was named, or the only one there is. */
export async function workspaceOf(ctx: OwnerContext, id: string | undefined) {
  if (id !== undefined) {
    const workspace = await ctx.rows(Workspace).get(id)
    if (workspace) return workspace
    throw new Refusal('not_found', `There is no workspace ${id}.`)
  }
  const own = where.ne('is_demo', true)
  const [first, second] = await ctx.rows(Workspace).list({ where: own, limit: 2 })
  if (first && !second) return first
  throw first
    ? new Refusal('invalid_field', 'There is more than one workspace. Name one with --workspace-id.', {
        errors: [{ pointer: '/workspace_id', code: 'required', message: 'required when there are several' }],
      })
    : new Refusal('not_found', 'There is no workspace yet: create one with `workspace create`.')
}

/** Runs a change of an agency's locations while nobody else makes one: what is counted before it still holds in it. */
export const inAgencyTurn = <T>(ctx: OwnerContext, agencyId: string, work: () => Promise<T>): Promise<T> =>
  ctx.inTurn(`locations ${agencyId}`, work)
