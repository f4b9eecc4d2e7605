import * as v from 'valibot'
import { defineEntity, field } from '../kit'

/** Internal: an account with an outside service. Its tokens are encrypted for their row and field. */
export const Connection = defineEntity({
  name: 'Connection',
  summary: 'An account of a workspace with an outside service',
  idPrefix: 'con',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: [],
  people: 'nobody',
  fields: {
    workspace_id: field.text('Workspace it belongs to'),
    provider: field.text('The service: `provider` of its connection declaration'),
    account_id: field.text("The service's own id of the account"),
    account_name: v.optional(field.text('What people call it')),
    account_type: v.optional(field.text('Type of the account at the service, such as PERSONAL')),
    state: field.oneOf(['connected', 'broken', 'source_unavailable'], 'Whether it works'),
    error: v.optional(field.text('Why it does not')),
    access_token: v.optional(field.text('Sealed')),
    access_token_ends_at: v.optional(field.instant('When the access token ends')),
    refresh_token: v.optional(field.text('Sealed')),
    renewal_until: v.optional(field.instant('Until when a process reserves its renewal')),
    last_used_at: v.optional(field.instant('When a token of it was last used')),
  },
  hidden: ['access_token', 'refresh_token'],
  sealed: ['access_token', 'refresh_token'],
  sortable: ['created_date'],
  indexes: [{ on: ['workspace_id', 'provider', 'account_id'], unique: true }],
})
