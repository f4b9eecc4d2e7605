import { defineEntity, field } from 'renown'
import * as v from 'valibot'

const { code, codes, flag, instant, integer, text, texts } = field

/** Keywords to look for on social networks, forums, video sites and the open web. */
export const BrandTracker = defineEntity({
  name: 'BrandTracker',
  summary: 'Keywords to look for in public posts',
  idPrefix: 'trk',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: ['list', 'get'],
  people: 'nobody',
  fields: {
    workspace_id: code('Workspace the tracker belongs to'),
    location_id: code('Business location that the mentions are about'),
    name: text('Name of the tracker'),
    keywords: texts('Keywords in the keyword language. A post that matches one of them is a mention'),
    required_keywords: texts('Words that a post must also contain, all of them'),
    excluded_keywords: texts('Words that a post must not contain'),
    sources: codes('Channels to search, as in source of a mention; empty: all'),
    feeds: v.optional(texts('Addresses of feeds to read for this tracker, such as Google Alerts')),
    languages: codes('BCP 47 language tags; empty: all'),
    countries: texts('ISO 3166-1 alpha-2; empty: all'),
    lead_intent_prompt: v.optional(text('Instruction that says which mentions are leads')),
    ignored_words: v.optional(
      texts('Words that do not count against a mention, although they occur mostly in dismissed ones'),
    ),
    is_active: flag('The tracker is switched on'),
    archived_at: v.optional(instant('When the tracker was archived')),
    last_run_at: v.optional(instant('Time of the last search')),
    next_run_at: v.optional(instant('Time of the next search')),
    mentions_total: integer('Number of mentions so far, without duplicates', { min: 0 }),
    is_first: v.optional(flag('Whether first-time set-up created it')),
    planned_as: v.optional(text('Identifies the keywords and sources for which older posts were read')),
  },
  hidden: ['is_first', 'planned_as'],
  searchable: ['name'],
  namedIn: { arguments: ['tracker_id'], names: ['name'], domains: [] },
  sortable: ['created_date', 'updated_date', 'name', 'last_run_at', 'mentions_total'],
  indexes: [
    { on: ['location_id'], unique: true, where: { is_first: true } },
    { on: ['location_id'] },
    { on: ['is_active', 'next_run_at'] },
  ],
})
