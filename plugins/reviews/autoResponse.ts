import { defineStates } from 'renown'

/**
 * Review.auto_response_status. `sent` means that the platform accepted the reply; `failed` is final for the worker. A
 * pending one is skipped at its time where a reply exists, the review is gone or the location opted out.
 */
export const autoResponse = defineStates({
  entity: 'Review',
  field: 'auto_response_status',
  initial: ['pending', 'skipped'],
  moves: { pending: ['sent', 'skipped', 'failed'], sent: [], skipped: [], failed: [] },
  needs: { pending: ['auto_response_scheduled_at'], failed: ['auto_response_error'] },
})
