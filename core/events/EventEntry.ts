import * as v from 'valibot'
import { defineEntity, field } from '../kit'

/** Internal: an event in the log of its workspace. Never changed, deleted when it is old. */
export const EventEntry = defineEntity({
  name: 'EventEntry',
  summary: 'Something that happened in a workspace',
  idPrefix: 'evt',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: [],
  people: 'nobody',
  fields: {
    seq: field.integer('Position in the log of the workspace', { min: 1 }),
    type: field.text('What happened, such as `review.received`'),
    key: field.text('Type and key. A workspace has one event for each'),
    location_id: v.optional(field.code('Business location it is about')),
    entity: v.optional(field.code('Record type it is about')),
    entity_id: v.optional(field.code('That record')),
    data: field.anything('Ids and numbers, as its type declares'),
  },
  opaque: ['data'],
  immutable: ['seq', 'type', 'key', 'data'],
  sortable: ['seq', 'created_date'],
  indexes: [
    { on: ['seq'], unique: true },
    { on: ['key'], unique: true },
  ],
})
