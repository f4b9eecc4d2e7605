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
  people: 'nobody',
  fields: {
    location_id: field.text('Business location that the sync is for'),
    due_at: v.optional(field.instant('When it is read next; absent while the location is not read')),
    watermark: v.optional(field.instant('Latest change that was read')),
    last_full_at: v.optional(field.instant('When all of its reviews were last read')),
    read_now_at: v.optional(field.instant('When people last requested a full sync')),
    unread_told_at: v.optional(field.instant('When people were last notified that it cannot be read')),
    suspects: v.optional(
      field.anything('Reviews that one complete sync did not return, by id, with the time'),
    ),
    replies: v.optional(
      field.anything(
        'Stored replies that the platform does not return, and when a sync last proved that it returns them',
      ),
    ),
    reply_tally: v.optional(field.anything('Stored replies that the current sync returned or missed so far')),
    replies_missing: v.optional(field.integer('Number of stored replies that are missing', { min: 0 })),
    replies_lost_at: v.optional(field.instant('When stored replies were last missing')),
    replies_lost_from: v.optional(field.text('Platform that did not return them')),
    total: v.optional(field.integer('Number of reviews that the source last reported', { min: 0 })),
    figures: v.optional(
      field.anything("The platform's average and total as they were last written to the location"),
    ),
    gap: v.optional(field.text('Why the last full sync was incomplete')),
    reading: v.optional(field.anything('Progress of the current sync, where the next attempt continues')),
    open_pages: v.optional(
      v.pipe(
        v.record(v.string(), v.number()),
        v.description('Where the log of a source ended before pages whose rows may not all be stored'),
      ),
    ),
    heads: v.optional(field.anything('End of the observation log after the last sync, by source')),
  },
  opaque: ['figures', 'suspects', 'heads', 'open_pages', 'reading', 'replies', 'reply_tally'],
  shared: ['figures'],
  sortable: ['due_at', 'created_date'],
  defaultSort: 'due_at',
  indexes: [{ on: ['location_id', 'workspace_id'], unique: true }, { on: ['replies_lost_at'] }],
})
