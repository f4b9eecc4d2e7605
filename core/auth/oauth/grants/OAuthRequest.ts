import * as v from 'valibot'
import { defineEntity, field } from '../../../kit'

/** Internal: a request of an app, checked once and stored until a person decides. It is decided only once. */
export const OAuthRequest = defineEntity({
  name: 'OAuthRequest',
  summary: 'A request of an app for access',
  idPrefix: 'oar',
  store: 'documents',
  scope: { by: 'agency', field: 'workspace_id' },
  reads: [],
  people: 'nobody',
  fields: {
    host: field.text('Issuer that received it'),
    client_id: field.text('App that asks'),
    redirect_uri: field.text('Where the answer is sent, one of the registered addresses'),
    state: v.optional(field.text("The app's `state`, escaped as received")),
    scopes: field.texts('Requested scopes'),
    code_challenge: field.text('PKCE S256 challenge'),
    is_decided: field.flag('Whether somebody allowed or denied it'),
    expires_at: field.instant('When the app must ask again'),
  },
  sortable: [],
  indexes: [{ on: ['expires_at'], ttlSeconds: 0 }],
})
