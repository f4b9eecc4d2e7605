import * as v from 'valibot'
import { defineEntity, field } from '../kit'

/**
 * Internal: which process may do a task now. Its dates use the clock of the store, so the clocks of machines need not
 * agree.
 */
export const JobLease = defineEntity({
  name: 'JobLease',
  summary: 'A task that one process at a time may do',
  idPrefix: 'lea',
  store: 'documents',
  scope: { by: 'agency', field: 'id' },
  reads: [],
  fields: {
    holder: v.optional(field.text('Process that has it, or had it last')),
    fence: field.integer('Grows with every holder: a write under an older one is refused', { min: 0 }),
    until: field.instant('The holder has it until then'),
    next_at: field.instant('The task is due then'),
    looked_at: field.instant("The store's time at the last look"),
    failures: field.integer('Runs that failed since one succeeded', { min: 0 }),
    last_finished_at: v.optional(field.instant('When the last run ended')),
    last_error: v.optional(field.text('Why the last run failed')),
  },
  sortable: ['created_date'],
})
