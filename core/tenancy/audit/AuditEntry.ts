import * as v from 'valibot'
import { auditKinds } from '../../contracts/audit-event'
import { defineEntity, field } from '../../kit'

/**
 * Internal: one audit event about access to an agency's data or about its locations. Never changed, deleted when it
 * is old. Contains no IP addresses.
 */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  summary: 'A change of access rights or of a location, or a refused attempt',
  idPrefix: 'aue',
  store: 'documents',
  scope: { by: 'agency', field: 'agency_id' },
  reads: [],
  people: 'nobody',
  fields: {
    agency_id: field.text('Agency it is about'),
    kind: field.oneOf(auditKinds, 'Record that changed'),
    action: field.text('The action, as `kind.verb`'),
    what: v.optional(field.text('The action in words, for actions of plugins')),
    outcome: field.oneOf(['done', 'refused'], 'Whether it succeeded'),
    host: field.text('Origin it was done at, or `command line`'),
    user_id: v.optional(field.text('Person who did it')),
    credential: v.optional(field.text('Grant or credential that it was done with or to; never a secret')),
    subject: v.optional(field.text('Name of the changed record')),
    record_id: v.optional(field.text('Id of the changed record of a plugin')),
  },
  sortable: ['created_date'],
  indexes: [{ on: ['kind', '-created_date'] }, { on: ['record_id', '-created_date'] }],
})
