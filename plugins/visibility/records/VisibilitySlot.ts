import { defineEntity, field } from 'renown'
import * as v from 'valibot'

/**
 * The claim to ask one engine one question for one country on one day. It is stored before the engine is
 * asked.
 */
export const VisibilitySlot = defineEntity({
  name: 'VisibilitySlot',
  summary: 'A question of one day that was asked or is being asked',
  idPrefix: 'vsl',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: [],
  people: 'nobody',
  fields: {
    tracker_id: field.text('Tracker that asks'),
    location_id: field.text('Business location the tracker belongs to'),
    prompt_id: field.text('Question'),
    engine: field.text('Answer engine'),
    country: field.text('Country it is asked from'),
    local_day: field.day("Day in the workspace's time zone"),
    claimed_at: field.instant('When the question was claimed, right before asking'),
    reserved_usd: v.optional(
      field.number(
        'The most that the question can cost, in US dollars. The budget counts it until the run is stored',
        {
          min: 0,
        },
      ),
    ),
    settled_at: v.optional(field.instant('When its run was stored')),
  },
  sortable: ['claimed_at'],
  indexes: [
    { on: ['tracker_id', 'prompt_id', 'engine', 'country', 'local_day'], unique: true },
    { on: ['tracker_id', 'local_day', 'prompt_id'] },
    { on: ['tracker_id', 'settled_at'] },
    { on: ['local_day'] },
  ],
})
