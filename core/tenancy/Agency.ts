import * as v from 'valibot'
import { defineEntity, field } from '../index'

/** Internal: who owns workspaces and the one agent key. Its rows stand above workspaces and carry the agency's own id. */
export const Agency = defineEntity({
  name: 'Agency',
  summary: 'An agency, or a business that looks after itself, with its workspaces',
  idPrefix: 'agc',
  store: 'documents',
  scope: { by: 'agency', field: 'id' },
  reads: [],
  fields: {
    name: field.text('Name of the agency'),
    is_platform: field.flag(
      'Its credentials may read entities in any workspace. Set by the command line only',
    ),
    is_demo: v.optional(field.flag('Made up to be looked at; `demo remove` takes it away')),
    is_active: field.flag('Credentials of an inactive agency are refused'),
    paid_capacity: v.optional(
      field.integer('Locations that are paid for; set by the owner. Absent: not counted', { min: 0 }),
    ),
  },
  sortable: ['created_date', 'name'],
})
