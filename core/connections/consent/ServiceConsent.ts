import * as v from 'valibot'
import { defineEntity, field } from '../../kit'

/**
 * Internal: a consent in progress at a service's page. Its id is the hash of the state that the service returns. Kept
 * for a while after its use, so that a repeated answer is recognized.
 */
export const ServiceConsent = defineEntity({
  name: 'ServiceConsent',
  summary: "A request to a service for access to a person's account",
  idPrefix: 'sco',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: [],
  people: { through: [{ field: 'session_id', entity: 'Session' }], erase: 'row' },
  fields: {
    workspace_id: field.text('Workspace that the account is connected to'),
    provider: field.text('The service: `provider` of its connection declaration'),
    session_id: field.text('Session of the person. The answer must come in the same session'),
    host: field.text('Origin where the request started'),
    step: field.oneOf(['asked', 'choosing', 'done'], 'How far it is'),
    verifier: v.optional(field.text('Encrypted: the verifier that proves the request to the service')),
    user_token: v.optional(field.text('Encrypted: the token with which accounts are chosen')),
    valid_until: field.instant('When the answer expires'),
    expires_at: field.instant('When it is forgotten'),
  },
  hidden: ['verifier', 'user_token'],
  sealed: ['verifier', 'user_token'],
  sortable: [],
  indexes: [{ on: ['expires_at'], ttlSeconds: 0 }],
})
