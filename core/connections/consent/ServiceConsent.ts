import * as v from 'valibot'
import { defineEntity, field } from '../../kit'

/**
 * Internal: a consent in progress at a service's page. Its id is the hash of the state that the service returns. Kept
 * for a while after its use, so that a repeated answer is recognized.
 */
export const ServiceConsent = defineEntity({
  name: 'ServiceConsent',
  summary: 'A person who is asked by a service whether this installation may come in',
  idPrefix: 'sco',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: [],
  fields: {
    workspace_id: field.text('Workspace that the account is connected to'),
    provider: field.text('The service: `provider` of its connection declaration'),
    session_id: field.text('Sign-in that asked, and that alone may bring the answer'),
    host: field.text('Origin it was asked at'),
    step: field.oneOf(['asked', 'choosing', 'done'], 'How far it is'),
    verifier: v.optional(field.text('Sealed: proves to the service who asked')),
    user_token: v.optional(field.text('Sealed: what the choice is made with')),
    valid_until: field.instant('Until when the answer is taken'),
    expires_at: field.instant('When it is forgotten'),
  },
  hidden: ['verifier', 'user_token'],
  sortable: [],
  indexes: [{ on: ['expires_at'], ttlSeconds: 0 }],
})
