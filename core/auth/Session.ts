import * as v from 'valibot'
import { defineEntity, field } from '../kit'

/** Internal: a signed-in browser on one host. The cookie is stored as a hash. No IP address is stored. */
export const Session = defineEntity({
  name: 'Session',
  summary: 'A person who is signed in on one host, in one browser',
  idPrefix: 'ses',
  store: 'documents',
  scope: { by: 'agency', field: 'agency_id' },
  reads: [],
  people: { through: [{ field: 'user_id', entity: 'User' }], erase: 'row' },
  fields: {
    token_hash: field.text("SHA-256 (hex) of the cookie's text"),
    user_id: field.text('Who is signed in'),
    agency_id: field.text('Agency of the person'),
    host: field.text('Origin where the session is valid'),
    chosen_workspace_id: v.optional(field.text('Workspace that the pages show')),
    browser: field.text('Kind of browser, such as Firefox on Linux'),
    signed_in_at: field.instant('When the person signed in'),
    reauthenticated_at: v.optional(field.instant('When the password was last given')),
    last_used_at: field.instant('When it was last used, within five minutes'),
    ends_at: field.instant('When it ends at the latest'),
    expires_at: field.instant('When it ends if it is not used'),
  },
  hidden: ['token_hash'],
  sortable: ['created_date'],
  indexes: [
    { on: ['token_hash'], unsafeUniqueAcrossTenants: true },
    { on: ['user_id'] },
    { on: ['expires_at'], ttlSeconds: 0 },
  ],
})
