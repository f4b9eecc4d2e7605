import { defineStates } from '../kit/states'

/** BusinessLocation.trial_state. A location that has ever trialed cannot trial again: both ends are final. */
export const trialState = defineStates({
  entity: 'BusinessLocation',
  field: 'trial_state',
  initial: ['trialing'],
  moves: { trialing: ['converted', 'ended'], converted: [], ended: [] },
  stamps: { trialing: 'trial_started_at', converted: 'trial_converted_at', ended: 'trial_ended_at' },
  needs: { trialing: ['trial_end'] },
})

/** BusinessLocation.enrichment_status. A refresh by hand keeps the enrichment there is until a new one succeeds. */
export const enrichmentStatus = defineStates({
  entity: 'BusinessLocation',
  field: 'enrichment_status',
  initial: ['pending'],
  moves: {
    pending: ['success', 'partial', 'failed'],
    success: ['pending'],
    partial: ['pending'],
    failed: ['pending'],
  },
  stamps: { success: 'enrichment_updated_at', partial: 'enrichment_updated_at' },
  needs: { partial: ['enrichment_error'], failed: ['enrichment_error'] },
  clears: { partial: ['enrichment_error'], failed: ['enrichment_error'] },
})
