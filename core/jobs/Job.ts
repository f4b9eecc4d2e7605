import * as v from 'valibot'
import { faultKinds } from '../contracts/service-fault'
import { defineEntity, field } from '../kit'

export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const

/** Internal: a job. Its dates use the clock of the store. */
export const Job = defineEntity({
  name: 'Job',
  summary: 'A job that waits, runs or has ended',
  idPrefix: 'job',
  store: 'documents',
  scope: { by: 'agency', field: 'id' },
  reads: [],
  people: 'nobody',
  fields: {
    queue: field.text('Kind of work'),
    key: field.text('A workspace has at most one active job of a queue and key'),
    tenant: v.optional(field.text('Agency that it works for: agencies share the slots of a queue')),
    state: field.oneOf(jobStates, 'Its state'),
    is_active: field.flag('It waits or runs'),
    payload: field.anything('Its payload'),
    due_at: field.instant(
      'Waiting: the earliest time to run it. Running: when another process may take it over',
    ),
    attempt: field.integer('Number of attempts', { min: 0 }),
    waits: field.integer('How often a quota, a limit or an own store that was away delayed it', { min: 0 }),
    fence: field.integer(
      'Grows whenever another process takes the job. A write with an older number changes nothing',
      {
        min: 0,
      },
    ),
    holder: v.optional(field.text('Process that runs it or ran it last')),
    looked_at: v.optional(field.instant("The store's time of the last check")),
    progress: v.optional(
      v.pipe(
        v.object({
          done: field.integer('Steps done', { min: 0 }),
          total: v.optional(field.integer('Steps in all', { min: 0 })),
          note: v.optional(field.text('Its current step')),
        }),
        v.description('How far it is'),
      ),
    ),
    saved: v.optional(field.anything('Data of an attempt for the next one')),
    error: v.optional(
      v.pipe(
        v.object({
          kind: field.oneOf(faultKinds, 'Kind of failure'),
          code: v.optional(field.text("The service's own code")),
          message: field.text('What went wrong'),
        }),
        v.description('Why the last attempt failed'),
      ),
    ),
    first_started_at: v.optional(field.instant('When the first attempt started. Set after a failure')),
    started_at: v.optional(field.instant('When the last attempt began')),
    finished_at: v.optional(field.instant('When it ended')),
    expire_at: v.optional(field.instant('When an ended job is deleted')),
  },
  opaque: ['payload', 'saved'],
  sortable: ['due_at', 'created_date'],
  defaultSort: 'due_at',
  indexes: [
    { on: ['queue', 'key', 'workspace_id'], unique: true, where: { is_active: true } },
    { on: ['key', 'queue'] },
    { on: ['is_active'] },
    { on: ['workspace_id', '-created_date'], where: { state: 'failed' } },
    { on: ['expire_at'], ttlSeconds: 0 },
  ],
})
