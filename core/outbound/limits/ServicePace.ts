import * as v from 'valibot'
import { defineEntity, field } from '../../kit'

/** Internal: how much of a platform's rate limit is used now. All processes of the installation share it. */
export const ServicePace = defineEntity({
  name: 'ServicePace',
  summary: "How much of an outside service's rate limit is used just now",
  idPrefix: 'spc',
  store: 'documents',
  scope: { by: 'agency', field: 'id' },
  reads: [],
  people: 'nobody',
  fields: {
    busy_until: field.number(
      "Time at which the next call could start without a burst, in milliseconds of the store's clock",
    ),
    closed_until: v.optional(field.instant('No call before then: the service asked to wait')),
    looked_at: field.instant("The store's time of the last check"),
    expires_at: field.instant('When the row may go'),
  },
  sortable: [],
  indexes: [{ on: ['expires_at'], ttlSeconds: 0 }],
})
