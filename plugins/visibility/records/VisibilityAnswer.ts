import { defineEntity, field } from 'renown'

/**
 * An engine's own JSON for one run, compressed. It proves what the engine answered. No figure is computed
 * from it.
 */
export const VisibilityAnswer = defineEntity({
  name: 'VisibilityAnswer',
  summary: "An engine's own answer to one question, unchanged",
  idPrefix: 'van',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: [],
  people: { packed: ['raw'], erase: {} },
  fields: {
    run_id: field.text('Run that it belongs to'),
    tracker_id: field.text('Tracker that asked'),
    location_id: field.text('Business location the tracker belongs to'),
    raw: field.text('JSON, compressed by zstd, in base64'),
    bytes: field.integer('Bytes of the JSON', { min: 0 }),
  },
  sortable: [],
  indexes: [{ on: ['run_id'], unique: true }],
})
