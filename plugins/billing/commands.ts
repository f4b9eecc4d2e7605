import { type ActRecord, defineAct, type OwnerContext, Refusal } from 'renown'
import { agencyIdOf, BusinessLocation, changeStatus, ownLocation } from 'renown/records'
import { leaveTrial } from './end'
import { onTrial } from './start'

const onLocation: ActRecord<typeof BusinessLocation> = {
  entity: BusinessLocation,
  field: 'location_id',
  called: 'business location',
}

/** Starts the trial of an existing location. */
const trialStart = defineAct({
  name: 'location trial start',
  summary: 'Start the only trial of a location beyond the paid capacity',
  on: onLocation,
  only: 'owner',
  label: 'Start trial',
  done: 'Its trial has started.',
  undo: 'location trial cancel',
  recordedByRun: ['location.activate', 'location.trial_start'],
  run: async (ctx, { row: { id } }) => ({ answer: await startTrial(ctx, id) }),
})

/** Ends a trial. The location is deactivated and kept, which prevents a second trial. */
const trialCancel = defineAct({
  name: 'location trial cancel',
  summary: 'End the trial of a location. It is deactivated and kept',
  on: onLocation,
  only: 'owner',
  label: 'Cancel trial',
  done: 'The trial is over. The location is paused.',
  recordedByRun: ['location.trial_cancel'],
  run: async (ctx, { row: { id } }) => ({ answer: await cancelTrial(ctx, id) }),
})

/** What owners and operators do with trials. */
export const trialActs = [trialStart, trialCancel]

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
