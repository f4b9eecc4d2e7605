import { defineEntity, field } from 'renown'

/**
 * Internal: the segment that counts a batch, so that no other one does. Deleted when no sender can repeat the
 * batch any more.
 */
export const BatchClaim = defineEntity({
  name: 'BatchClaim',
  summary: 'The segment of an ingest process that counts a batch',
  idPrefix: 'clm',
  store: 'documents',
  scope: { by: 'agency', field: 'workspace_id' },
  reads: [],
  people: 'nobody',
  fields: {
    segment: field.text('Segment of a journal'),
    expires_at: field.instant('When the row may go'),
  },
  sortable: [],
  indexes: [{ on: ['expires_at'], ttlSeconds: 0 }],
})
