import * as v from 'valibot'
import { instant } from '../contracts/values'
import { defineEntity } from '../kit'

/** Internal: how often a credential used a daily quota. Deleted after the day. */
export const UsageDay = defineEntity({
  name: 'UsageDay',
  summary: 'How often a credential used a daily quota on one day',
  idPrefix: 'use',
  store: 'documents',
  scope: { by: 'agency', field: 'workspace_id' },
  reads: [],
  people: 'nobody',
  fields: {
    used: v.pipe(v.number(), v.integer(), v.description('Calls so far')),
    expires_at: v.pipe(instant(), v.description('When the row may go')),
  },
  sortable: [],
  indexes: [{ on: ['expires_at'], ttlSeconds: 0 }],
})
