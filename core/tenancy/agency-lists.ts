import * as v from 'valibot'
import { defineCommand, type OwnerContext, Refusal, type Row, where } from '../kit'
import { Agency } from './Agency'
import { findNamed } from './find-named'
import { agencyOf } from './named-agency'
import { User } from './User'
import { Workspace } from './Workspace'

const listMax = 10_000
const byName = [{ field: 'name', direction: 'asc' }] as const

/** Lists the agencies of the installation with the number of their workspaces and people. */
export const listAgencies = defineCommand({
  name: 'agency list',
  summary: 'List the agencies with the number of their workspaces and people',
  input: v.strictObject({}),
  async run(ctx) {
    const agencies = await ctx.rows(Agency).list({ sort: byName, limit: listMax })
    return { agencies: await Promise.all(agencies.map((agency) => agencyLine(ctx, agency))) }
  },
})

async function agencyLine(ctx: OwnerContext, { id, name, is_active, is_demo }: Row<typeof Agency>) {
  const own = where.eq('agency_id', id)
  const [workspaces, people] = await Promise.all([
    ctx.rows(Workspace).count(own),
    ctx.rows(User).count(where.and(own, where.eq('is_active', true))),
  ])
  return { name, status: statusOf({ is_active, is_demo }), workspaces, people, agency_id: id }
}

/** Lists the workspaces of one agency, or of all agencies. */
export const listWorkspaces = defineCommand({
  name: 'workspace list',
  summary: 'List the workspaces of an agency, or of all agencies',
  input: v.strictObject({
    agency_id: v.optional(v.pipe(v.string(), v.description('Only those of this agency'))),
  }),
  async run(ctx, { agency_id }) {
    const own = agency_id === undefined ? [] : [where.eq('agency_id', await agencyOf(ctx, agency_id))]
    const [workspaces, agencies] = await Promise.all([
      ctx.rows(Workspace).list({ where: where.and(...own), sort: byName, limit: listMax }),
      ctx.rows(Agency).list({ limit: listMax }),
    ])
    const agencyNames = new Map(agencies.map(({ id, name }) => [id, name]))
    return {
      workspaces: workspaces.map((workspace) => ({
        name: workspace.name,
        agency: agencyNames.get(workspace.agency_id),
        status: workspace.is_active && workspace.is_home ? 'home' : statusOf(workspace),
        locations: `${workspace.active_locations_count} of ${workspace.locations_count} active`,
        timezone: workspace.timezone,
        workspace_id: workspace.id,
      })),
    }
  },
})

/**
 * Returns a workspace. If it does not exist, throws a `not_found` Refusal that names the command for listing
 * them.
 */
export async function requireWorkspace(ctx: OwnerContext, id: string): Promise<Row<typeof Workspace>> {
  const workspace = await findNamed(ctx, Workspace, 'name', id)
  if (workspace) return workspace
  throw new Refusal('not_found', `There is no workspace ${id}.`, {
    hint: '`bun renown workspace list` shows all workspaces.',
  })
}

const statusOf = ({ is_active, is_demo }: { is_active: boolean; is_demo?: boolean | undefined }): string => {
  if (!is_active) return 'archived'
  return is_demo === true ? 'demo' : 'active'
}
