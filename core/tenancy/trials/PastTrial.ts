import * as v from 'valibot'
import { defineEntity, field } from '../../kit'

/**
 * Internal: a trial that an agency has had. It stands above workspaces and outlives its location, so that neither another
 * workspace nor a deleted one gives the same business a second trial. What the business is known by stands in it as hashes.
 */
export const PastTrial = defineEntity({
  name: 'PastTrial',
  summary: 'A trial that was had, by what its business is known by',
  idPrefix: 'ptr',
  store: 'documents',
  scope: { by: 'agency', field: 'agency_id' },
  reads: [],
  fields: {
    agency_id: field.text('Agency that had it'),
    location_id: field.text('Location that was on trial'),
    known_by: v.pipe(
      v.record(v.string(), v.string()),
      v.description('SHA-256 (hex) of each thing that the business is known by, by its kind'),
    ),
    trial_started_at: field.instant('When the trial began'),
  },
  sortable: ['created_date'],
})
