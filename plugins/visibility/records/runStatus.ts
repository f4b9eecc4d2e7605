import { defineStates } from 'renown'

/** How runs with an answer end, whether its verdict is measured or not. Both are paid for. */
export const answerStatuses = ['ok', 'not_judged'] as const

/** Whether a run with this status has an answer. */
export const hasAnswer = (status: unknown): boolean => (answerStatuses as readonly unknown[]).includes(status)

/**
 * VisibilityRun.status. A run is stored when it has ended. Only scoring it again can change whether it is judged: an answer
 * in a language whose verdicts are not measured is "not judged".
 */
export const runStatus = defineStates({
  entity: 'VisibilityRun',
  field: 'status',
  initial: ['ok', 'not_judged', 'no_answer', 'error', 'refused'],
  moves: { ok: ['not_judged'], not_judged: ['ok'], no_answer: [], error: [], refused: [] },
  stamps: { every: 'finished_at' },
  needs: { ok: ['answer_text'], not_judged: ['answer_text'], error: ['error'] },
})
