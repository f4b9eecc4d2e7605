import { defineEntity, field } from '../../kit'

/** Internal: a link that signs in once, for an owner from the command line or for an invited person. */
export const OwnerLink = defineEntity({
  name: 'OwnerLink',
  summary: 'A one-time sign-in link',
  idPrefix: 'own',
  store: 'documents',
  scope: { by: 'agency', field: 'agency_id' },
  reads: [],
  people: { through: [{ field: 'user_id', entity: 'User' }], erase: 'row' },
  fields: {
    token_hash: field.text("SHA-256 (hex) of the link's token"),
    user_id: field.text('Whom it lets in'),
    agency_id: field.text('Agency of the person'),
    expires_at: field.instant('When it expires'),
  },
  hidden: ['token_hash'],
  sortable: [],
  indexes: [
    { on: ['token_hash'], unsafeUniqueAcrossTenants: true },
    { on: ['expires_at'], ttlSeconds: 0 },
  ],
})
