import { hourMs, type JobDeclaration, type OwnerContext, where } from '../../kit'
import { BusinessLocation } from '../BusinessLocation'
import { Workspace } from '../Workspace'
import { withAgencyLock } from './find-location'

const rowsMax = 100_000
const clients = where.eq('is_prospect', false)

/** Recounts a workspace's locations under the agency's lock. Repairs counts after a crash. */
export async function recountLocations(ctx: OwnerContext, workspaceId: string): Promise<void> {
  const locations = ctx.rows(BusinessLocation)
  const inside = where.and(where.eq('workspace_id', workspaceId), clients)
  const [locations_count, active_locations_count] = await Promise.all([
    locations.count(inside),
    locations.count(where.and(inside, where.eq('is_active', true))),
  ])
  await ctx.rows(Workspace).update(workspaceId, { locations_count, active_locations_count })
}

/** Corrects counts that are wrong because a process ended between writing a location and its workspace. */
export const locationCounts: JobDeclaration = {
  summary: 'Recount the locations of workspaces',
  everyMs: hourMs,
  includesInactive: true,
  async run(ctx, signal) {
    const count = { as: 'n', fn: 'count' } as const
    const by = ['workspace_id', 'is_active']
    const groups = await ctx
      .rows(BusinessLocation)
      .group({ where: clients, by, measures: [count], limit: rowsMax })
    const standing = new Map<string, { all: number; active: number }>()
    for (const { workspace_id, is_active, n } of groups) {
      const sum = standing.get(String(workspace_id)) ?? { all: 0, active: 0 }
      sum.all += Number(n)
      if (is_active === true) sum.active += Number(n)
      standing.set(String(workspace_id), sum)
    }
    for (const workspace of await ctx.rows(Workspace).list({ limit: rowsMax })) {
      if (signal.aborted) return
      const { all, active } = standing.get(workspace.id) ?? { all: 0, active: 0 }
      const isRight = workspace.locations_count === all && workspace.active_locations_count === active
      if (isRight) continue
      await withAgencyLock(ctx, workspace.agency_id, () => recountLocations(ctx, workspace.id))
    }
  },
}
