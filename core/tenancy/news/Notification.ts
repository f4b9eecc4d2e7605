import * as v from 'valibot'
import { defineEntity, field } from '../../kit'

const { anyReference, code, flag, instant, oneOf, text } = field

/** A notification for the people of a workspace. */
export const Notification = defineEntity({
  name: 'Notification',
  summary: 'A notification for the people of a workspace',
  idPrefix: 'ntf',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: ['list', 'get'],
  people: {
    through: [
      { field: 'entity_id', entity: 'Review' },
      { field: 'entity_id', entity: 'Mention' },
      { field: 'entity_id', entity: 'Lead' },
    ],
    erase: { title: '[erased]', body: '[erased]' },
  },
  fields: {
    workspace_id: code('Workspace it is for'),
    location_id: v.optional(code('Business location it is about')),
    type: code('Kind of notification'),
    severity: oneOf(['info', 'warning', 'critical'], 'How urgent'),
    title: text('In a few words'),
    body: text('In full'),
    entity: v.optional(code('Record type it is about')),
    entity_id: v.optional(anyReference('That record')),
    is_read: flag('A person has read it'),
    read_at: v.optional(v.nullable(instant('When'))),
    once: v.optional(text('Key under which a workspace gets the notification only once')),
  },
  hidden: ['once'],
  namedIn: { arguments: ['notification_id'], names: [], domains: [] },
  sortable: ['created_date', 'read_at'],
  indexes: [
    { on: ['is_read', '-created_date'] },
    { on: ['severity', '-created_date'] },
    { on: ['once'], unique: true },
  ],
})
