import { defineStates } from 'renown'

/** Lead.stage: moved by people, workers and plugins; no operation of an agent moves it. Archiving is another matter. */
export const leadStages = defineStates({
  entity: 'Lead',
  field: 'stage',
  moves: {
    new: ['contacted', 'qualified', 'lost'],
    contacted: ['qualified', 'won', 'lost', 'new'],
    qualified: ['won', 'lost', 'contacted'],
    won: ['qualified'],
    lost: ['contacted'],
  },
  stamp: 'stage_changed_at',
  needs: { lost: ['lost_reason'] },
  clears: { lost: ['lost_reason'] },
})
