import * as v from 'valibot'
import { defineEntity, field } from '../../kit'
import { auditKinds } from './audit-actions'

/**
 * Internal: one audit event about access to an agency's data or about its locations. Never changed, deleted when it
 * is old. Contains no IP addresses.
 */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  summary: 'Something that was done to who may reach the data or to a location, or was refused',
  idPrefix: 'aue',
  store: 'documents',
  scope: { by: 'agency', field: 'agency_id' },
  reads: [],
  fields: {
    agency_id: field.text('Agency it is about'),
    kind: field.oneOf(auditKinds, 'What it was done to'),
    action: field.text('What was done, as `kind.verb`'),
    what: v.optional(field.text('The same in words, where it is a plugin that knows them')),
    outcome: field.oneOf(['done', 'refused'], 'Whether it came about'),
    host: field.text('Origin it was done at, or `command line`'),
    user_id: v.optional(field.text('Person who did it')),
    credential: v.optional(field.text('Grant or credential that it was done with or to; never a secret')),
    subject: v.optional(field.text('Name of what it was done to, as others gave it')),
  },
  sortable: ['created_date'],
  indexes: [{ on: ['kind', '-created_date'] }],
})
