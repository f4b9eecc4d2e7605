import * as v from 'valibot'
import { defineEntity, field, timezone } from '../kit'

/** A tenant: most other records belong to one. Callers see the workspaces that their credential can read. */
export const Workspace = defineEntity({
  name: 'Workspace',
  summary: 'A workspace: the tenant that locations, reviews, leads and sites belong to',
  idPrefix: 'wsp',
  store: 'documents',
  scope: { by: 'self', field: 'id' },
  reads: ['list', 'get'],
  people: 'nobody',
  fields: {
    name: field.text('Name of the workspace'),
    agency_id: field.code('Agency that owns the workspace'),
    is_home: field.flag("The agency's home workspace, read where X-Workspace-Id is omitted. One per agency"),
    timezone: timezone('IANA time zone in which the days of its figures begin'),
    locale: field.code('BCP 47 language tag of the workspace'),
    plan: field.code('Name of the plan'),
    locations_count: field.integer('Business locations in the workspace, prospects left out', { min: 0 }),
    active_locations_count: field.integer('Business locations that are active', { min: 0 }),
    white_label_domain: v.optional(field.text('Verified white-label domain of the agency, if it has one')),
    redact_pii: v.optional(
      field.flag('Contact details of leads are hidden from credentials; set by the command line'),
    ),
    is_demo: v.optional(field.flag('The data is sample data of a demo')),
    is_active: field.flag('Inactive workspaces are kept, but no work is done for them'),
  },
  hidden: ['redact_pii'],
  namedIn: { arguments: ['workspace_id'], names: ['name'], domains: [] },
  sortable: ['created_date', 'updated_date', 'name'],
  indexes: [{ on: ['agency_id'], unique: true, where: { is_home: true } }, { on: ['agency_id'] }],
})
