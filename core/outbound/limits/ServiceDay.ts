import { defineEntity, field } from '../../kit'

/** Internal: how much of a service's daily allowance is used. Deleted after the day. */
export const ServiceDay = defineEntity({
  name: 'ServiceDay',
  summary: "How much of an outside service's allowance is used on one day",
  idPrefix: 'svd',
  store: 'documents',
  scope: { by: 'agency', field: 'id' },
  reads: [],
  people: 'nobody',
  fields: {
    used: field.integer('Calls used so far', { min: 0 }),
    expires_at: field.instant('When the row may go'),
  },
  sortable: [],
  indexes: [{ on: ['expires_at'], ttlSeconds: 0 }],
})
