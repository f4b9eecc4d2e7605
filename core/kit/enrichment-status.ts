import { defineStates } from './states'

/** BusinessLocation.enrichment_status. A manual refresh keeps the current enrichment until a new one succeeds. */
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
