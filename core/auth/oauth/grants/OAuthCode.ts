import { defineEntity, field } from '../../../kit'

/**
 * Internal: an authorization code. Its id is its hash. It is stored after its use too, so that a second use
 * is noticed.
 */
export const OAuthCode = defineEntity({
  name: 'OAuthCode',
  summary: 'An authorization code, as a hash',
  idPrefix: 'oac',
  store: 'documents',
  scope: { by: 'agency', field: 'workspace_id' },
  reads: [],
  people: { through: [{ field: 'grant_id', entity: 'OAuthGrant' }], erase: 'row' },
  fields: {
    host: field.text('Issuer that made it'),
    client_id: field.text('App it was made for'),
    grant_id: field.text('Grant it begins'),
    redirect_uri: field.text('Where it was sent'),
    code_challenge: field.text('PKCE S256 challenge'),
    is_used: field.flag('It was shown once'),
    valid_until: field.instant('Until when it can be exchanged'),
    expires_at: field.instant('When it is forgotten'),
  },
  sortable: [],
  indexes: [{ on: ['expires_at'], ttlSeconds: 0 }],
})
