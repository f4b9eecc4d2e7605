import { defineEntity, field } from 'renown'
import * as v from 'valibot'

const { flag, instant, integer, text, texts } = field

/** What is looked for on social networks, forums, video sites and the open web. */
export const BrandTracker = defineEntity({
  name: 'BrandTracker',
  summary: 'Words that are looked for in public posts',
  idPrefix: 'trk',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: ['list', 'get'],
  fields: {
    workspace_id: text('Workspace the tracker belongs to'),
    location_id: text('Business location it looks for'),
    name: text('Name of the tracker'),
    keywords: texts('Any of these makes a mention'),
    required_keywords: texts('All of these must be there too'),
    excluded_keywords: texts('None of these may be there'),
    sources: texts('Where it looks'),
    languages: texts('BCP 47 language tags; empty: all'),
    countries: texts('ISO 3166-1 alpha-2; empty: all'),
    lead_intent_prompt: v.optional(text('What makes a mention a lead, in words')),
    is_active: flag('It looks'),
    last_run_at: v.optional(instant('When it last looked')),
    next_run_at: v.optional(instant('When it looks next')),
    mentions_total: integer('Mentions found so far', { min: 0 }),
  },
  searchable: ['name'],
  sortable: ['created_date', 'updated_date', 'name', 'last_run_at', 'mentions_total'],
  indexes: [{ on: ['location_id'] }, { on: ['is_active', 'next_run_at'] }],
})
