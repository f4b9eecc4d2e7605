import * as v from 'valibot'
import { defineEntity, field } from '../kit'

/**
 * Internal: which process may do a task now. Its dates use the clock of the store, so the clocks of machines need not
 * agree.
 */
export const JobLease = defineEntity({
  name: 'JobLease',
  summary: 'A task that only one process at a time may run',
  idPrefix: 'lea',
  store: 'documents',
  scope: { by: 'agency', field: 'id' },
  reads: [],
  people: 'nobody',
  fields: {
    holder: v.optional(field.text('Process that has the lease or had it last')),
    fence: field.integer('Grows with every holder. A write with an older number is refused', { min: 0 }),
    until: field.instant('When the lease ends'),
    next_at: field.instant('When the task is due'),
    looked_at: field.instant("The store's time of the last check"),
    failures: field.integer('Failed runs since the last success', { min: 0 }),
    last_finished_at: v.optional(field.instant('When the last run ended')),
    last_error: v.optional(field.text('Why the last run failed')),
  },
  sortable: ['created_date'],
})
