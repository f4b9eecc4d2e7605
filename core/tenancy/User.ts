import * as v from 'valibot'
import { defineEntity, field } from '../index'

/** Internal: a person who signs in. The owner creates keys, workspaces, locations and sites. */
export const User = defineEntity({
  name: 'User',
  summary: 'A person of an agency',
  idPrefix: 'usr',
  store: 'documents',
  scope: { by: 'agency', field: 'agency_id' },
  reads: [],
  fields: {
    agency_id: field.text('Agency the person belongs to'),
    role: field.oneOf(['owner'], 'What the person may do'),
    name: v.optional(field.text('Name of the person')),
    email: v.optional(field.text('Address the person signs in with, in lower case')),
    is_active: field.flag('Inactive people cannot sign in'),
  },
  sortable: ['created_date'],
  indexes: [{ on: ['agency_id'] }, { on: ['email'] }],
})
