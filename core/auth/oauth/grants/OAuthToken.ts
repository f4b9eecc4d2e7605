import * as v from 'valibot'
import { defineEntity, field } from '../../../kit'

/** Internal: an access or refresh token. Its id is its hash. Its grant decides whether it works. */
export const OAuthToken = defineEntity({
  name: 'OAuthToken',
  summary: 'An access or refresh token of a connected app, as a hash',
  idPrefix: 'otk',
  store: 'documents',
  scope: { by: 'agency', field: 'workspace_id' },
  reads: [],
  people: { through: [{ field: 'user_id', entity: 'User' }], erase: 'row' },
  fields: {
    kind: field.oneOf(['access', 'refresh'], 'What it is for'),
    grant_id: field.text('Grant it hangs on'),
    agency_id: field.text("The grant's agency"),
    user_id: field.text("The grant's person"),
    scopes: v.pipe(v.array(v.picklist(['read', 'write'])), v.description('What it may do')),
    is_rotated: v.optional(field.flag('A refresh token that was exchanged')),
    rotated_at: v.optional(field.instant('When it was exchanged')),
    siblings: v.optional(
      field.integer('Further token pairs that it was exchanged for during the grace period', { min: 0 }),
    ),
    expires_at: field.instant('When it ends'),
  },
  sortable: [],
  indexes: [{ on: ['expires_at'], ttlSeconds: 0 }],
})
