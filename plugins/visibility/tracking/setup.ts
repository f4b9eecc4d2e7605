import { where } from 'renown'
import type { SetupStep } from 'renown/pages'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { visibilityWords } from '../words'

/** Setting up the first tracker of a workspace. */
export const visibilitySetup: SetupStep = {
  name: 'visibility',
  label: visibilityWords('setup'),
  href: '/app/visibility/setup',
  order: 30,
  async isDone(ctx, workspaceId) {
    const own = where.eq('workspace_id', workspaceId)
    return (await ctx.rows(VisibilityTracker).list({ where: own, limit: 1 })).length > 0
  },
}
