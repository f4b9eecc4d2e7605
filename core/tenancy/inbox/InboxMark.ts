import * as v from 'valibot'
import { defineEntity, field } from '../../kit'

/**
 * Internal: whether people of a workspace marked an inbox entry as done or snoozed it. If the entry's state
 * has changed since, the mark hides nothing.
 */
export const InboxMark = defineEntity({
  name: 'InboxMark',
  summary: 'An entry of the inbox that was done, or snoozed',
  idPrefix: 'inm',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: [],
  people: 'nobody',
  fields: {
    workspace_id: field.text('Workspace of the inbox'),
    entry: field.text('Name of the source and id of the entry'),
    state: field.text('State of the entry when it was marked'),
    until: v.optional(field.instant('Snoozed until then; absent where it was done')),
    marked_by: v.optional(field.text('Person who did it')),
    expire_at: field.instant('When the mark is deleted'),
  },
  sortable: ['created_date', 'updated_date'],
  indexes: [
    { on: ['entry', 'workspace_id'], unique: true },
    { on: ['-updated_date'] },
    { on: ['expire_at'], ttlSeconds: 0 },
  ],
})
