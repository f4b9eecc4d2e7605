import * as v from 'valibot'
import { defineCommand, Refusal } from '../../kit'
import { agencyIdOf, ownLocation } from '../locations/find-location'
import { locationId } from '../locations/location-input'
import { putToWork } from '../locations/put-to-work'
import { leaveTrial } from './end'

/** Starts the trial of an existing location. */
export const trialStart = defineCommand({
  name: 'location trial start',
  summary: 'Put a location beyond paid capacity on its one trial',
  input: v.strictObject({ location_id: locationId }),
  positional: ['location_id'],
  run: (ctx, { location_id }) => putToWork(ctx, location_id, 'trial'),
})

/** Ends a trial for good. The location is deactivated and kept, which blocks a second trial. */
export const trialCancel = defineCommand({
  name: 'location trial cancel',
  summary: 'End the trial of a location for good: it is deactivated and kept',
  input: v.strictObject({ location_id: locationId }),
  positional: ['location_id'],
  async run(ctx, { location_id }) {
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
  },
})
