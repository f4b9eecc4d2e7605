import * as v from 'valibot'
import { defineEntity, field } from '../../../kit'

/** Why a grant ended. */
export const endings = [
  'disconnected',
  'revoked_by_app',
  'code_replayed',
  'refresh_token_reused',
  'password_changed',
  'person_left',
  'domain_removed',
] as const

/** Internal: a person's consent to one app at one host. Tokens belong to a grant and end with it. */
export const OAuthGrant = defineEntity({
  name: 'OAuthGrant',
  summary: 'A connected app: what a person allowed it, at which host',
  idPrefix: 'ogr',
  store: 'documents',
  scope: { by: 'agency', field: 'agency_id' },
  reads: [],
  people: { through: [{ field: 'user_id', entity: 'User' }], erase: 'row' },
  fields: {
    agency_id: field.text('Agency whose data it can access'),
    user_id: field.text('Person who consented'),
    host: field.text('Issuer, the only host at which its tokens work'),
    client_id: field.text('App that got the access'),
    client_name: field.text('Name of the app, as the app itself states it'),
    is_verified: field.flag('Whether an address identifies the app, not only a name'),
    app_host: field.text('Host of the address that identifies the app, or of its redirect address'),
    scopes: v.pipe(v.array(v.picklist(['read', 'write'])), v.description('What it may do')),
    workspace_ids: v.optional(
      field.texts('Workspaces it may read. Absent: all of the agency, including future ones'),
    ),
    connected_at: v.optional(field.instant('When the app took its first token; until then it is not shown')),
    last_used_at: v.optional(field.instant('When one of its tokens was last used, within five minutes')),
    is_revoked: field.flag('The connection has ended, so its tokens do not work'),
    revoked_at: v.optional(field.instant('When it ended')),
    revoked_reason: v.optional(field.oneOf(endings, 'Why it ended')),
    expires_at: field.instant('When it expires'),
  },
  sortable: ['created_date'],
  indexes: [{ on: ['expires_at'], ttlSeconds: 0 }],
})
