import * as v from 'valibot'
import { instant } from '../contracts/values'
import { defineEntity } from '../kit'

/** Internal: an operation called with an Idempotency-Key, and later its answer. Deleted after a day. */
export const IdempotentAnswer = defineEntity({
  name: 'IdempotentAnswer',
  summary: 'The answer to an operation that was called under an Idempotency-Key',
  idPrefix: 'idm',
  store: 'documents',
  scope: { by: 'agency', field: 'workspace_id' },
  reads: [],
  people: 'nobody',
  fields: {
    body_hash: v.pipe(v.string(), v.description('SHA-256 (hex) of the body')),
    holder: v.pipe(v.string(), v.description('Request that is being answered, or was')),
    busy_until: v.optional(
      v.pipe(instant(), v.description('When another request may take over; absent once answered')),
    ),
    answer: v.optional(v.pipe(v.string(), v.description('The answer as JSON'))),
    expires_at: v.pipe(instant(), v.description('When the key may be used again')),
  },
  sortable: [],
  indexes: [{ on: ['expires_at'], ttlSeconds: 0 }],
})
