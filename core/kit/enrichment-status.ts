import { defineStates } from './states'

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
