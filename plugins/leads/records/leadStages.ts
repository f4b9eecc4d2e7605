import { defineStates } from 'renown'

/** Lead.stage. Archiving a lead is separate. */
export const leadStages = defineStates({
  entity: 'Lead',
  field: 'stage',
  initial: ['new'],
  moves: {
    new: ['contacted', 'qualified', 'lost'],
    contacted: ['qualified', 'won', 'lost', 'new'],
    qualified: ['won', 'lost', 'contacted'],
    won: ['qualified'],
    lost: ['contacted'],
  },
  stamps: { every: 'stage_changed_at' },
  needs: { lost: ['lost_reason'] },
  clears: { lost: ['lost_reason'] },
})
