import { defineStates } from 'renown'

/**
 * Report.mail_state. planned: it is sent at `mail_at`. held: a person stopped it. released: its messages were queued.
 */
export const reportMailState = defineStates({
  entity: 'Report',
  field: 'mail_state',
  initial: ['planned', 'released'],
  moves: {
    planned: ['held', 'released', 'cancelled'],
    held: ['released'],
    released: ['held'],
    cancelled: ['released'],
  },
})
