import { field, foreignEntity, where } from 'renown'
import type { SetupStep } from 'renown/pages'

/** The fields of a location that the step reads. */
export const BusinessLocation = foreignEntity('BusinessLocation', {
  source: field.text('Platform of the location'),
  is_prospect: field.flag('Whether it is a prospect'),
})

/** Adding the first shop of a workspace. */
export const guildSetup: SetupStep = {
  name: 'guild',
  label: 'Add your Guild shops',
  href: '/app/settings/connections',
  order: 40,
  async isDone(ctx, workspaceId) {
    const own = where.and(
      where.eq('workspace_id', workspaceId),
      where.eq('is_prospect', false),
      where.eq('source', 'guild'),
    )
    return (await ctx.rows(BusinessLocation).count(own)) > 0
  },
}
