import * as v from 'valibot'
import { defineEntity, field } from '../../kit'

/** Internal: failed sign-ins as one person. Its id is a hash. The typed text is not stored. */
export const SignInAttempts = defineEntity({
  name: 'SignInAttempts',
  summary: 'Failed sign-ins, counted to prevent guessing',
  idPrefix: 'sia',
  store: 'documents',
  scope: { by: 'agency', field: 'workspace_id' },
  reads: [],
  people: 'nobody',
  fields: {
    failures: field.integer('Failures since the last success', { min: 0 }),
    blocked_until: v.optional(field.instant('When the next attempt is possible')),
    expires_at: field.instant('When the failures are deleted'),
  },
  sortable: [],
  indexes: [{ on: ['expires_at'], ttlSeconds: 0 }],
})
