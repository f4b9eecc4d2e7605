import { defineEntity, field } from 'renown'
import * as v from 'valibot'
import { platform } from './platform'

/** Internal: the observation log. Entries never change. Each contains the hash of the previous one. */
export const ReviewObservation = defineEntity({
  name: 'ReviewObservation',
  summary:
    'An entry of the observation log: what one sync of a source returned, with the hash of the previous entry',
  idPrefix: 'rob',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: [],
  people: 'nobody',
  fields: {
    location_id: field.text('Business location of the sync'),
    source: platform('Platform'),
    seq: field.integer('Position in the log, from 1', { min: 1 }),
    prev_hash: field.text('Hash of the entry before; 64 zeros for the first'),
    hash: field.text('SHA-256 (hex) of the previous hash and this entry'),
    at: field.instant('When it was written'),
    entry: v.pipe(
      v.record(v.string(), v.unknown()),
      v.description('New and changed reviews in full, and the proof of the sync'),
    ),
  },
  opaque: ['entry'],
  sortable: ['seq', 'created_date'],
  defaultSort: 'seq',
  indexes: [{ on: ['location_id', 'source', 'seq', 'workspace_id'], unique: true }],
})
