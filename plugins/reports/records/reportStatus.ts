import { defineStates } from 'renown'

/**
 * Report.status. If its renderer ended, a report is queued again, at most three times. A retry of an ended
 * report is a new report.
 */
export const reportStatus = defineStates({
  entity: 'Report',
  field: 'status',
  initial: ['queued'],
  moves: {
    queued: ['rendering', 'failed'],
    rendering: ['completed', 'failed', 'queued'],
    completed: [],
    failed: [],
  },
  stamps: { rendering: 'started_at', completed: 'completed_at', failed: 'completed_at' },
  needs: { rendering: ['render_token'], completed: ['pdf_url'], failed: ['error_message'] },
  clears: { rendering: ['render_token', 'render_token_until'] },
})
