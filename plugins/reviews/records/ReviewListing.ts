import { defineEntity, field } from 'renown'
import * as v from 'valibot'

/**
 * Internal: the sync state of a location's reviews. It belongs to no workspace, so that one query finds all
 * due ones.
 */
export const ReviewListing = defineEntity({
  name: 'ReviewListing',
  summary: "How far a location's reviews are read from one source",
  idPrefix: 'rls',
  store: 'documents',
  scope: { by: 'agency', field: 'id' },
  reads: [],
  fields: {
    location_id: field.text('Business location that the sync is for'),
    due_at: v.optional(field.instant('When it is read next; absent while the location is not read')),
    watermark: v.optional(field.instant('Newest change that was read')),
    last_full_at: v.optional(field.instant('When it was last read to its end')),
    read_now_at: v.optional(field.instant('When people last asked to read everything')),
    unread_told_at: v.optional(field.instant('When people were last told that it cannot be read')),
    suspects: v.optional(field.anything('Reviews that one complete reading missed: since when, by id')),
    total: v.optional(field.integer('How many the source last said there are', { min: 0 })),
    figures: v.optional(
      field.anything("The platform's average and total as they were last written to the location"),
    ),
    gap: v.optional(field.text('Why the last whole reading was not complete')),
    reading: v.optional(
      field.anything('How far the reading in progress is: the next attempt goes on from there'),
    ),
    heads: v.optional(
      field.anything('Where the chain of observations ended after the last reading, by source'),
    ),
  },
  opaque: ['figures', 'suspects', 'heads', 'reading'],
  shared: ['figures'],
  sortable: ['due_at', 'created_date'],
  defaultSort: 'due_at',
  indexes: [{ on: ['location_id', 'workspace_id'], unique: true }],
})
