import { type OwnerContext, Refusal, type Row, requireRow, where } from '../../kit'
import { BusinessLocation } from '../BusinessLocation'
import { Workspace } from '../Workspace'

/** A business location, as its row is stored. */
export type LocationRow = Row<typeof BusinessLocation>

/** A location that is about to be activated, without the fields that activation sets. */
export type Candidate = Omit<LocationRow, 'created_date' | 'updated_date' | 'is_active' | 'is_prospect'>

/** Returns the location with this id. Throws if it belongs to a demo. */
export async function ownLocation(ctx: OwnerContext, id: string): Promise<LocationRow> {
  const location = await requireRow(ctx.rows(BusinessLocation), 'business location', id)
  if (location.is_demo !== true) return location
  throw new Refusal('conflict', `${location.business_name} belongs to the demo, which cannot be changed.`, {
    hint: 'Change a location of your own: `location list` shows them.',
  })
}

/** Returns the agency of a workspace. */
export async function agencyIdOf(ctx: OwnerContext, workspaceId: string): Promise<string> {
  return (await requireRow(ctx.rows(Workspace), 'workspace', workspaceId)).agency_id
}

/**
 * Returns the agency of a workspace to which something can be added. Throws for a demo and for a workspace
 * that is being deleted.
 */
export async function ownAgencyOf(ctx: OwnerContext, workspaceId: string): Promise<string> {
  const workspace = await ctx.rows(Workspace).get(workspaceId)
  if (!workspace?.is_active) throw new Refusal('not_found', `There is no workspace ${workspaceId}.`)
  if (workspace.is_demo !== true) return workspace.agency_id
  throw new Refusal('conflict', `${workspace.name} belongs to the demo, which cannot be changed.`)
}

/** Returns the named workspace, or the only one. */
export async function workspaceOf(ctx: OwnerContext, id: string | undefined) {
  if (id !== undefined) {
    return requireRow(ctx.rows(Workspace), 'workspace', id)
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

/** Runs changes of an agency's locations under a lock, so that counts stay valid. */
export const withAgencyLock = <T>(ctx: OwnerContext, agencyId: string, work: () => Promise<T>): Promise<T> =>
  ctx.withLock(`locations ${agencyId}`, work)
