import { defineCommand, field, type OwnerContext, Refusal } from 'renown'
import { agencyIdOf, changeStatus, ownLocation } from 'renown/records'
import * as v from 'valibot'
import { leaveTrial } from './end'
import { onTrial } from './start'

const locationId = field.text('The location')

/** Starts the trial of an existing location. */
export const trialStart = defineCommand({
  name: 'location trial start',
  summary: 'Start the only trial of a location beyond the paid capacity',
  input: v.strictObject({ location_id: locationId }),
  positional: ['location_id'],
  run: (ctx, { location_id }) => startTrial(ctx, location_id),
})

/** Ends a trial. The location is deactivated and kept, which prevents a second trial. */
export const trialCancel = defineCommand({
  name: 'location trial cancel',
  summary: 'End the trial of a location. It is deactivated and kept',
  input: v.strictObject({ location_id: locationId }),
  positional: ['location_id'],
  run: (ctx, { location_id }) => cancelTrial(ctx, location_id),
})

/** Starts the trial of a location. Throws a Refusal if it cannot have one. */
export const startTrial = (ctx: OwnerContext, locationId: string) =>
  changeStatus(ctx, locationId, (location, agencyId) => onTrial(ctx, agencyId, location))

/** Ends the trial of a location. Throws a Refusal if it is not on trial. */
export async function cancelTrial(ctx: OwnerContext, location_id: string) {
  const location = await ownLocation(ctx, location_id)
  const { business_name, trial_state } = location
  if (trial_state !== 'trialing') {
    const state = trial_state === undefined ? 'never was on trial' : `is not on trial: it ${trial_state}`
    throw new Refusal('conflict', `${business_name} ${state}.`)
  }
  const ended = await leaveTrial(ctx, await agencyIdOf(ctx, location.workspace_id), location, 'cancel')
  if (!ended) throw new Refusal('conflict', 'The trial has just ended. Check the location again.')
  const { trial_ended_at, is_active } = ended
  return { location_id, trial_state: ended.trial_state, trial_ended_at, is_active }
}
