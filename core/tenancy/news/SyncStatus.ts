import * as v from 'valibot'
import { defineEntity, field } from '../../kit'

const { code, flag, instant, integer, oneOf, text } = field

/** One sync of an outside source: its progress and whether it was complete. */
export const SyncStatus = defineEntity({
  name: 'SyncStatus',
  summary: 'A sync with an outside source, running or ended',
  idPrefix: 'syn',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: ['list', 'get'],
  people: 'nobody',
  fields: {
    workspace_id: code('Workspace it belongs to'),
    location_id: code('Business location that the sync is for'),
    kind: oneOf(['reviews', 'mentions', 'visibility', 'enrichment', 'ranges'], 'What is synced'),
    source: code('The source'),
    status: oneOf(['idle', 'running', 'succeeded', 'failed', 'partial'], 'How far it is'),
    started_at: v.optional(instant('When it began')),
    finished_at: v.optional(instant('When it ended')),
    items_seen: integer('Items that the source returned', { min: 0 }),
    items_changed: integer('Items that were new or different', { min: 0 }),
    complete: flag('The sync was verified to be complete'),
    error: v.optional(text('Why it failed')),
  },
  sortable: ['created_date', 'updated_date', 'started_at', 'finished_at'],
  indexes: [{ on: ['status', '-created_date'] }, { on: ['location_id', 'kind', 'source'], unique: true }],
})
