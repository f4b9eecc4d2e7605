import { defineEntity, field } from 'renown'
import * as v from 'valibot'

/**
 * Internal: a trial that an agency had. It is not in a workspace and outlives its location, so that the same
 * business cannot get a second trial in another workspace. It identifies the business by hashes.
 */
export const PastTrial = defineEntity({
  name: 'PastTrial',
  summary: 'An earlier trial, with digests that identify its business',
  idPrefix: 'ptr',
  store: 'documents',
  scope: { by: 'agency', field: 'agency_id' },
  reads: [],
  people: 'nobody',
  fields: {
    agency_id: field.text('Agency that had it'),
    location_id: field.text('Location that was on trial'),
    known_by: v.pipe(
      v.record(v.string(), v.string()),
      v.description('SHA-256 (hex) of each identifier of the business, by its kind'),
    ),
    trial_started_at: field.instant('When the trial began'),
  },
  sortable: ['created_date'],
})
