import { defineStates } from '../kit/states'

/** BusinessLocation.trial_state. A location has only one trial: both ends are final. */
export const trialState = defineStates({
  entity: 'BusinessLocation',
  field: 'trial_state',
  initial: ['trialing'],
  moves: { trialing: ['converted', 'ended'], converted: [], ended: [] },
  stamps: { trialing: 'trial_started_at', converted: 'trial_converted_at', ended: 'trial_ended_at' },
  needs: { trialing: ['trial_end'] },
})
