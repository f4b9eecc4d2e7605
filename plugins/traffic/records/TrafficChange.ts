import { defineEntity, field, type Row } from 'renown'
import * as v from 'valibot'

/** Internal: an episode in which a crawler stopped or jumped, or in which a site sent nothing. */
export const TrafficChange = defineEntity({
  name: 'TrafficChange',
  summary: 'An episode in which a crawler stopped coming or came far more often',
  idPrefix: 'tch',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: [],
  people: 'nobody',
  fields: {
    workspace_id: field.text('Workspace of the site'),
    location_id: field.text('Business location of the site'),
    site_id: field.text('The site'),
    agent: field.text('The crawler. Empty if no crawler came at all'),
    kind: field.oneOf(['stopped', 'jumped', 'silent'], 'What changed'),
    began: field.day('First day'),
    last_day: field.day('Last day on which it went on'),
    usual: field.number('Hits of a usual day before', { min: 0 }),
    hits: field.integer('Hits of the last day', { min: 0 }),
    ended_on: v.optional(v.nullable(field.day('Day on which the crawler came again'))),
  },
  sortable: ['last_day', 'began', 'created_date'],
  defaultSort: '-last_day',
  indexes: [{ on: ['site_id', 'last_day'] }, { on: ['last_day'] }],
})
export type ChangeEpisode = Row<typeof TrafficChange>
