import { defineEntity, field } from 'renown'
import * as v from 'valibot'
import { platform } from './platform'

/** Internal: the observation log. Entries never change. Each contains the hash of the previous one. */
export const ReviewObservation = defineEntity({
  name: 'ReviewObservation',
  summary: 'What one reading of a source saw, bound to what was seen before',
  idPrefix: 'rob',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: [],
  fields: {
    location_id: field.text('Business location that was read for'),
    source: platform('Platform'),
    seq: field.integer('Place in the chain, from 1', { min: 1 }),
    prev_hash: field.text('Hash of the entry before; 64 zeros for the first'),
    hash: field.text('SHA-256 (hex) over the hash before and this entry'),
    at: field.instant('When it was written'),
    entry: v.pipe(
      v.record(v.string(), v.unknown()),
      v.description('What was seen: reviews in full where new or changed, and the proof of the reading'),
    ),
  },
  opaque: ['entry'],
  sortable: ['seq', 'created_date'],
  defaultSort: 'seq',
  indexes: [{ on: ['location_id', 'source', 'seq', 'workspace_id'], unique: true }],
})
