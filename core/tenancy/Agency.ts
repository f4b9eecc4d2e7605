import * as v from 'valibot'
import { defineEntity, field } from '../kit'

/**
 * Internal: the owner of workspaces and of one agent key. Its rows are not in a workspace. They have the agency's own
 * id.
 */
export const Agency = defineEntity({
  name: 'Agency',
  summary: 'An agency, or a business that manages itself, with its workspaces',
  idPrefix: 'agc',
  store: 'documents',
  scope: { by: 'agency', field: 'id' },
  reads: [],
  people: 'nobody',
  fields: {
    name: field.text('Name of the agency'),
    is_platform: field.flag(
      'Its credentials may read entities of any workspace. Only the command line sets it',
    ),
    is_demo: v.optional(field.flag('Part of the demo; `demo remove` removes it')),
    is_active: field.flag('Credentials of an inactive agency are refused'),
    paid_capacity: v.optional(
      field.integer('Number of paid locations; set by the owner. Absent: not counted', { min: 0 }),
    ),
    trials: v.optional(
      field.oneOf(
        ['convert', 'end'],
        'What happens after the trial of a location: it becomes a paid location (default) or is deactivated',
      ),
    ),
    location_charge_amount: v.optional(
      field.number('Displayed price of a location beyond the paid capacity', { min: 0 }),
    ),
    event_hosts: v.optional(
      field.texts('Hosts that agents may have events sent to, such as *.example.com. None: off'),
    ),
    location_charge_interval: v.optional(field.oneOf(['month', 'year'], 'How often the price is charged')),
  },
  namedIn: { arguments: ['agency_id'], names: ['name'], domains: [] },
  sortable: ['created_date', 'name'],
})
