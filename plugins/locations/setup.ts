import { where } from 'renown'
import type { SetupStep } from 'renown/pages'
import { BusinessLocation } from 'renown/records'
import { locationWords } from './words'

/** Adding the first location of a workspace. */
export const locationsSetup: SetupStep = {
  name: 'locations',
  label: locationWords('setup'),
  href: '/app/locations',
  order: 10,
  async isDone(ctx, workspaceId) {
    const own = where.and(where.eq('workspace_id', workspaceId), where.eq('is_prospect', false))
    return (await ctx.rows(BusinessLocation).count(own)) > 0
  },
}
