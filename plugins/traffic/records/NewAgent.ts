import { defineEntity, field } from 'renown'
import * as v from 'valibot'

/** Internal: an unknown user agent that looks like an agent, as one ingest process counts it at a site. */
export const NewAgent = defineEntity({
  name: 'NewAgent',
  summary: 'An unknown user agent that looks like an agent',
  idPrefix: 'nag',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: [],
  people: 'nobody',
  fields: {
    workspace_id: field.text('Workspace of the site'),
    location_id: field.text('Business location of the site'),
    site_id: field.text('The site'),
    instance: field.text('The ingest process that counted it'),
    token: field.text('Its product token, without version and address'),
    host: v.optional(v.nullable(field.text('Host of the documentation that it names'))),
    hits_at_least: field.integer('It has at least this many hits', { min: 0 }),
    hits_at_most: field.integer('It has at most this many hits', { min: 0 }),
    first_day: field.day('First day on which it was counted'),
    last_day: field.day('Last day on which it was counted'),
  },
  sortable: ['last_day', 'hits_at_least'],
  indexes: [{ on: ['site_id', 'instance'] }, { on: ['last_day'] }],
})
