import * as v from 'valibot'
import { defineAct, field } from '../../kit'
import { Workspace } from '../Workspace'
import { addLocation } from './add-location'
import { workspaceOf } from './find-location'
import { malformedIds } from './location-ids'
import { businessName, origin, platformIds, profile, trialWanted, website } from './location-input'

const { flag, text } = field

/** Creates a business location. A prospect is inactive from the start. */
export const createLocation = defineAct({
  name: 'location create',
  summary: 'Create a business location in a workspace',
  on: {
    entity: Workspace,
    field: 'workspace_id',
    called: 'workspace',
    inShell: {
      fields: {
        workspace_id: v.optional(text('Workspace it belongs to. Can be left out if there is only one')),
      },
      areOptions: true,
      find: (ctx, { workspace_id }) => workspaceOf(ctx, workspace_id as string | undefined),
    },
    ofPerson: ({ workspace }) => workspace.id,
  },
  fields: {
    business_name: businessName,
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
  },
  positional: ['business_name'],
  shellFields: [...keysOf(profile), ...keysOf(origin), 'exempt', 'online_only'],
  faultsIn: malformedIds,
  only: 'owner',
  refusesDemo: true,
  label: 'Add the location',
  done: 'The location is added. Renown reads its data within a few minutes.',
  undo: 'location deactivate',
  recordedByRun: ['location.add'],
  async run(ctx, { row: { id: workspace_id }, input: { prospect, exempt, online_only, ...told } }) {
    const location = await addLocation(ctx, {
      ...told,
      workspace_id,
      is_prospect: prospect,
      ...(exempt ? { billing_exempt: true } : {}),
      ...(online_only === undefined ? {} : { is_online_only: online_only, is_online_only_overridden: true }),
    })
    const { id, is_active, is_prospect, trial_state, trial_end } = location
    return {
      answer: {
        location_id: id,
        workspace_id,
        is_active,
        is_prospect,
        ...(trial_state === undefined ? {} : { trial_state, trial_end }),
      },
      created: id,
    }
  },
})

function keysOf<F extends object>(fields: F) {
  return Object.keys(fields) as (keyof F & string)[]
}
