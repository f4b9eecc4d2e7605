import { defineEntity, field } from 'renown'
import * as v from 'valibot'

const { day, integer, number, oneOf, text } = field

const change = v.object({
  verdict: oneOf(['up', 'down'], 'Direction'),
  before: number('Rate before the change', { min: 0, max: 1 }),
  now: number('Rate since the change', { min: 0, max: 1 }),
  margin: number('Half the width of the confidence band of the difference', { min: 0 }),
  common: integer('Cells that were asked all the time', { min: 1 }),
  baseline_from: day('First day of the watched series'),
  baseline_until: day('Last day before the change'),
  until: day('Last day that was compared'),
})

/** The series of rounds of a tracker that is watched, to notify people of a change. */
export const VisibilityWatch = defineEntity({
  name: 'VisibilityWatch',
  summary: 'The series of rounds of a tracker that is watched for changes',
  idPrefix: 'vwa',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: [],
  people: 'nobody',
  fields: {
    tracker_id: text('Tracker that is watched'),
    location_id: text('Business location the tracker belongs to'),
    names: text(
      'Names that the tracker looked for when the series began. A change of names starts a new series',
    ),
    baseline_from: day('First day of the watched series'),
    looked_until: v.optional(day('Last day that was compared')),
    change: v.optional(v.pipe(change, v.description('A change whose notification is not confirmed yet'))),
    last_change: v.optional(v.pipe(change, v.description('The last change that people were notified of'))),
  },
  sortable: [],
  indexes: [{ on: ['tracker_id'], unique: true }],
})
