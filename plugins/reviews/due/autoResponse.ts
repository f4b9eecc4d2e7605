import { defineStates } from 'renown'

/**
 * Review.auto_response_status. `sent` means that the platform accepted the reply; it becomes `failed` when the platform rejects the
 * reply later. The worker never leaves `failed`. A pending reply is skipped at its time when `whyUnanswered` has a reason.
 */
export const autoResponse = defineStates({
  entity: 'Review',
  field: 'auto_response_status',
  initial: ['pending', 'skipped'],
  moves: { pending: ['sent', 'skipped', 'failed'], sent: ['failed'], skipped: [], failed: [] },
  needs: { pending: ['auto_response_scheduled_at'], failed: ['auto_response_error'] },
})
