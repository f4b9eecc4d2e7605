import { defineStates } from 'renown'

/** Report.status. A report whose renderer was lost is queued again, three times at most; a retry of an ended one is a new report. */
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
  clears: { rendering: ['render_token'] },
})
