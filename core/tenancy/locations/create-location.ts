import * as v from 'valibot'
import { defineCommand, field } from '../../kit'
import { addLocation } from './add-location'
import { workspaceOf } from './find-location'
import { malformedIds } from './location-ids'
import { businessName, origin, platformIds, profile, trialWanted, website } from './location-input'

const { flag, text } = field

/** Creates a business location. A prospect is inactive from the start. */
export const createLocation = defineCommand({
  name: 'location create',
  summary: 'Create a business location in a workspace',
  input: v.strictObject({
    business_name: businessName,
    workspace_id: v.optional(text('Workspace it belongs to. Can be left out if there is only one')),
    website: v.optional(website),
    ...profile,
    ...platformIds,
    ...origin,
    prospect: v.optional(
      flag('A business that you want to win as a client: inactive, and not in lists'),
      false,
    ),
    trial: trialWanted,
    exempt: v.optional(flag('Complimentary or internal, so it does not count against capacity'), false),
    online_only: v.optional(flag('The business has no physical location')),
  }),
  positional: ['business_name'],
  faultsIn: malformedIds,
  async run(ctx, { workspace_id, prospect, exempt, online_only, ...told }) {
    const workspace = await workspaceOf(ctx, workspace_id)
    const location = await addLocation(ctx, {
      ...told,
      workspace_id: workspace.id,
      is_prospect: prospect,
      ...(exempt ? { billing_exempt: true } : {}),
      ...(online_only === undefined ? {} : { is_online_only: online_only, is_online_only_overridden: true }),
    })
    const { id, is_active, is_prospect, trial_state, trial_end } = location
    return {
      location_id: id,
      workspace_id: workspace.id,
      is_active,
      is_prospect,
      ...(trial_state === undefined ? {} : { trial_state, trial_end }),
    }
  },
})
