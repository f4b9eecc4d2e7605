import { defineEntity, field } from 'renown'
import * as v from 'valibot'
import { countryField } from './countries'

const { code, instant, oneOf, text, texts } = field

/** A question for AI assistants. */
export const VisibilityPrompt = defineEntity({
  name: 'VisibilityPrompt',
  summary: 'A question that a tracker asks AI assistants',
  idPrefix: 'vpr',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: ['list', 'get'],
  people: 'nobody',
  fields: {
    tracker_id: code('Tracker that asks'),
    location_id: code('Business location the tracker belongs to'),
    text: text('The question'),
    language: text('BCP 47 language tag of the question'),
    country: countryField('Country it is asked from, ISO 3166-1 alpha-2'),
    topic: v.optional(text('Topic it is filed under')),
    tags: texts('Labels given by people'),
    intent: oneOf(['informational', 'commercial', 'navigational', 'local'], 'Intent of the person who asks'),
    status: oneOf(['active', 'paused'], 'Paused prompts are kept and not run'),
    source: oneOf(['user', 'suggested'], 'Who thought of it'),
    last_run_at: v.optional(instant('When it was last asked')),
  },
  searchable: ['text', 'topic'],
  namedIn: { arguments: ['prompt_id'], names: [], domains: [] },
  sortable: ['created_date', 'updated_date', 'last_run_at'],
  indexes: [{ on: ['tracker_id', 'status'] }],
})
