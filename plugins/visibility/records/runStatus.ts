import { defineStates } from 'renown'

/** VisibilityRun.status. A run is stored when it has ended, and never changes. */
export const runStatus = defineStates({
  entity: 'VisibilityRun',
  field: 'status',
  initial: ['ok', 'no_answer', 'error', 'refused'],
  moves: { ok: [], no_answer: [], error: [], refused: [] },
  stamps: { every: 'finished_at' },
  needs: { ok: ['answer_text'], error: ['error'] },
})
