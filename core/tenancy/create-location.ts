import * as v from 'valibot'
import { defineCommand, field, type OwnerContext, Refusal, where } from '../index'
import { BusinessLocation } from './BusinessLocation'
import { addressFields } from './location-fields'
import { Workspace } from './Workspace'

const { text, flag, oneOf } = field

const website = v.pipe(
  v.string(),
  v.trim(),
  v.transform((typed) => (/^[a-z][a-z0-9+.-]*:/i.test(typed) ? typed : `https://${typed}`)),
  v.check(isWebsite, 'an address such as https://example.com'),
  v.description('Website of the business'),
)

/** Creates a business location. A prospect is inactive from the start. */
export const createLocation = defineCommand({
  name: 'location create',
  summary: 'Create a business location in a workspace',
  input: v.strictObject({
    business_name: v.pipe(
      v.string(),
      v.trim(),
      v.minLength(1, 'a name'),
      v.maxLength(300),
      v.description('Name of the business'),
    ),
    workspace_id: v.optional(text('Workspace it belongs to. May be left out where there is only one')),
    business_category: v.optional(text('Category of the business')),
    website: v.optional(website),
    phone: v.optional(text('Telephone number')),
    ...addressFields,
    source: v.optional(oneOf(['google', 'facebook'], 'Platform the business was found on')),
    prospect: v.optional(flag('A business being pitched, not a client: inactive, left out of lists'), false),
    online_only: v.optional(flag('The business has no physical location')),
  }),
  positional: ['business_name'],
  async run(ctx, { workspace_id, prospect, online_only, ...profile }) {
    const workspace = await workspaceOf(ctx, workspace_id)
    const location = await ctx.rows(BusinessLocation).insert({
      ...profile,
      workspace_id: workspace.id,
      ...(profile.website === undefined ? {} : { added_via: 'website' }),
      ...(online_only === undefined ? {} : { is_online_only: online_only, is_online_only_overridden: true }),
      is_active: !prospect,
      is_prospect: prospect,
      auto_response_enabled: false,
    })
    await recountLocations(ctx, workspace.id)
    return {
      location_id: location.id,
      workspace_id: workspace.id,
      is_active: location.is_active,
      is_prospect: location.is_prospect,
    }
  },
})

/** Writes a workspace's two counts from what stands; a repeat repairs what a crash left. */
export async function recountLocations(ctx: OwnerContext, workspaceId: string): Promise<void> {
  const locations = ctx.rows(BusinessLocation)
  const clients = where.and(where.eq('workspace_id', workspaceId), where.eq('is_prospect', false))
  const [locations_count, active_locations_count] = await Promise.all([
    locations.count(clients),
    locations.count(where.and(clients, where.eq('is_active', true))),
  ])
  await ctx.rows(Workspace).update(workspaceId, { locations_count, active_locations_count })
}

async function workspaceOf(ctx: OwnerContext, id: string | undefined) {
  if (id !== undefined) {
    const workspace = await ctx.rows(Workspace).get(id)
    if (workspace) return workspace
    throw new Refusal('not_found', `There is no workspace ${id}.`)
  }
  const own = where.ne('is_demo', true)
  const [first, second] = await ctx.rows(Workspace).list({ where: own, limit: 2 })
  if (first && !second) return first
  throw first
    ? new Refusal('invalid_field', 'There is more than one workspace: say which with --workspace-id.', {
        errors: [{ pointer: '/workspace_id', code: 'required', message: 'required where there are several' }],
      })
    : new Refusal('not_found', 'There is no workspace yet: create one with `workspace create`.')
}

function isWebsite(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname.includes('.') && !url.username
}
