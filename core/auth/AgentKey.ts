import * as v from 'valibot'
import { instant } from '../contracts/values'
import { defineEntity } from '../kit'

/**
 * Internal: the one agent key of an agency, stored as a hash. The document id is the agency's id, so an agency cannot
 * have two.
 */
export const AgentKey = defineEntity({
  name: 'AgentKey',
  summary: 'The one agent key of an agency',
  idPrefix: 'key',
  store: 'documents',
  scope: { by: 'agency', field: 'id' },
  reads: [],
  people: 'nobody',
  fields: {
    key_hash: v.pipe(v.string(), v.description('SHA-256 (hex) of the key')),
    last4: v.pipe(v.string(), v.description('Last four characters of the key')),
    is_active: v.pipe(v.boolean(), v.description('False once revoked')),
    minted_at: v.pipe(instant(), v.description('When the key was created or rotated')),
    last_used_at: v.optional(
      v.pipe(instant(), v.description('When the key was last used, within five minutes')),
    ),
  },
  hidden: ['key_hash'],
  sortable: [],
  indexes: [{ on: ['key_hash'], unsafeUniqueAcrossTenants: true, where: { is_active: true } }],
})
