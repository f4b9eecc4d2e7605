import { defineStates } from 'renown'

/**
 * Review.auto_response_status. `sent` means that the platform accepted the reply. It becomes `failed` if the
 * platform later rejects the reply. No reply leaves `failed` automatically. When a pending reply is due and
 * `whyUnanswered` returns a reason, it is skipped.
 */
export const autoResponse = defineStates({
  entity: 'Review',
  field: 'auto_response_status',
  initial: ['pending', 'skipped'],
  moves: { pending: ['sent', 'skipped', 'failed'], sent: ['failed'], skipped: [], failed: [] },
  needs: {
    pending: ['auto_response_scheduled_at'],
    skipped: ['auto_response_reason'],
    failed: ['auto_response_error'],
  },
})
