import { defineEntity, field } from 'renown'
import * as v from 'valibot'

/** Internal: the last accepted registry of a mirror, and how the last attempt to renew it ended. One row. */
export const MirrorRegistry = defineEntity({
  name: 'MirrorRegistry',
  summary: 'The registry of agents that a mirror sent last',
  idPrefix: 'reg',
  store: 'documents',
  scope: { by: 'agency', field: 'workspace_id' },
  reads: [],
  people: 'nobody',
  fields: {
    workspace_id: field.text('A placeholder, because the registry belongs to no workspace'),
    version: field.integer('Version of the registry. 0 if none was accepted', { min: 0 }),
    key: field.text('The public key that signed it'),
    text: field.text('The signed file'),
    accepted_at: v.optional(v.nullable(field.instant('When it was accepted'))),
    checked_at: field.instant('When the mirror was last asked'),
    last_error: v.optional(v.nullable(field.text('Why the last answer was not used'))),
  },
  sortable: [],
})
