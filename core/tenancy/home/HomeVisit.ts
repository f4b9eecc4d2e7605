import * as v from 'valibot'
import { defineEntity, field } from '../../kit'

/** Internal: when a person last looked at the home page of a workspace. */
export const HomeVisit = defineEntity({
  name: 'HomeVisit',
  summary: 'When a person last looked at the home page of a workspace',
  idPrefix: 'hmv',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: [],
  people: { through: [{ field: 'user_id', entity: 'User' }], erase: 'row' },
  fields: {
    workspace_id: field.text('Workspace of the home page'),
    user_id: field.text('Person who looked'),
    seen_at: field.instant('When the page was last shown'),
    since: v.optional(
      field.instant('When it was last shown before the present visit; absent during the first visit'),
    ),
    expire_at: field.instant('When this is deleted'),
  },
  sortable: ['created_date'],
  indexes: [
    { on: ['user_id', 'workspace_id'], unique: true },
    { on: ['expire_at'], ttlSeconds: 0 },
  ],
})
