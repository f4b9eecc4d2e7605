import * as v from 'valibot'
import { defineEntity, field } from '../../kit'

/** Internal: a sign-in in progress, after the right password or a link. Its id is a hash of the visit cookie. */
export const SignInStep = defineEntity({
  name: 'SignInStep',
  summary: 'A sign-in that is not complete yet',
  idPrefix: 'sis',
  store: 'documents',
  scope: { by: 'agency', field: 'agency_id' },
  reads: [],
  people: { through: [{ field: 'user_id', entity: 'User' }], erase: 'row' },
  fields: {
    waits_for: field.oneOf(['code', 'password'], 'The missing step: the second factor, or a new password'),
    user_id: field.text('Who is signing in'),
    agency_id: field.text('Agency of the person'),
    host: field.text('Origin where it started'),
    next: v.optional(field.text('Path to go to afterwards')),
    expires_at: field.instant('When it expires'),
  },
  sortable: [],
  indexes: [{ on: ['expires_at'], ttlSeconds: 0 }],
})
