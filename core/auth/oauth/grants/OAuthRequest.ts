import * as v from 'valibot'
import { defineEntity, field } from '../../../kit'

/** Internal: a request of an app, checked once and stored until a person decides. It is decided only once. */
export const OAuthRequest = defineEntity({
  name: 'OAuthRequest',
  summary: 'What an app asked for and nobody has decided yet',
  idPrefix: 'oar',
  store: 'documents',
  scope: { by: 'agency', field: 'workspace_id' },
  reads: [],
  fields: {
    host: field.text('Issuer it was asked of'),
    client_id: field.text('App that asks'),
    redirect_uri: field.text('Where the answer goes, one of those registered'),
    state: v.optional(field.text('State of the app, escaped as it came')),
    scopes: field.texts('Scopes asked for'),
    code_challenge: field.text('PKCE S256 challenge'),
    is_decided: field.flag('Somebody has said yes or no'),
    expires_at: field.instant('When the app must ask again'),
  },
  sortable: [],
  indexes: [{ on: ['expires_at'], ttlSeconds: 0 }],
})
