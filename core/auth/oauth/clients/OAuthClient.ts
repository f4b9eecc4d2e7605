import * as v from 'valibot'
import { defineEntity, field } from '../../../kit'

/**
 * Internal: an app that asks for access. It registered itself at one host, or is described by a document that Renown
 * fetched.
 */
export const OAuthClient = defineEntity({
  name: 'OAuthClient',
  summary: 'An app that registered itself, or the cached document of one that is named by its address',
  idPrefix: 'ocl',
  store: 'documents',
  scope: { by: 'agency', field: 'workspace_id' },
  reads: [],
  people: 'nobody',
  fields: {
    host: v.optional(
      field.text('Issuer at which it registered. Absent for a document, which is the same everywhere'),
    ),
    url: v.optional(field.text('Address of its document, which is its client id')),
    name: field.text('Name it gives itself; nobody has checked it'),
    redirect_uris: field.texts('Registered redirect addresses'),
    auth_method: field.oneOf(
      ['none', 'client_secret_post', 'client_secret_basic'],
      'How it authenticates at the token endpoint',
    ),
    secret_hash: v.optional(field.text('SHA-256 (hex) of its secret')),
    fresh_until: v.optional(field.instant('When its document must be fetched again')),
    expires_at: field.instant('When it is deleted: a day after it registered, unless somebody consented'),
  },
  hidden: ['secret_hash'],
  sortable: [],
  indexes: [{ on: ['expires_at'], ttlSeconds: 0 }],
})
