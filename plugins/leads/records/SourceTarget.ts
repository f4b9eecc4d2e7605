import { defineEntity, field } from 'renown'
import * as v from 'valibot'

/**
 * Internal: how far one term, feed or stream of a source is read. Trackers of all workspaces that search for the same
 * term share it, so it belongs to no workspace.
 */
export const SourceTarget = defineEntity({
  name: 'SourceTarget',
  summary: 'How far a term, a feed or a stream of a source is read',
  idPrefix: 'stg',
  store: 'documents',
  scope: { by: 'agency', field: 'id' },
  reads: [],
  people: 'nobody',
  fields: {
    source: field.text('Name of the source'),
    target: field.text('The term or the address; empty for a source that is read as a whole'),
    cursor: v.optional(field.text('Where the next reading begins')),
    due_at: field.instant('When it is read next'),
    every_ms: v.optional(
      field.integer(
        'Interval between two readings in milliseconds, if it is longer than that of the source',
        { min: 1 },
      ),
    ),
    read_at: v.optional(field.instant('When it was last read')),
    back_at: v.optional(
      field.instant('When its last week was read again, for posts that the source listed late'),
    ),
    back_cursor: v.optional(field.text('Where the reading of the last week continues')),
    posts_seen: field.integer('Number of posts that the source returned', { min: 0 }),
    unread_seen: field.integer('Number of posts that could not be read', { min: 0 }),
    unread_reason: v.optional(field.text('Why the last of them could not be read')),
    unread_last: v.optional(
      field.integer('Number of posts of the last reading that could not be read', { min: 0 }),
    ),
    undated_last: v.optional(
      field.integer('Number of posts of the last reading without a date that can be read', { min: 0 }),
    ),
    doubt: v.optional(field.text('What could not be read in a post of the last reading, such as its date')),
    read_from: v.optional(
      field.text('The address that is read, if the target is a page that names its feed'),
    ),
    failures: field.integer('Readings that failed since the last one that worked', { min: 0 }),
    error: v.optional(field.text('Why the last reading failed')),
  },
  sortable: ['due_at', 'created_date', 'failures'],
  defaultSort: 'due_at',
  indexes: [
    { on: ['source', 'target', 'workspace_id'], unique: true },
    { on: ['source', 'due_at'] },
    { on: ['failures'] },
  ],
})
