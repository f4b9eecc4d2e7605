import { defineEntity, field } from '../kit'

/** Internal: a plugin that has run on this data. The id is the plugin's name. */
export const InstalledPlugin = defineEntity({
  name: 'InstalledPlugin',
  summary: 'A plugin that has run on the data of this installation',
  idPrefix: 'plg',
  store: 'documents',
  scope: { by: 'agency', field: 'id' },
  reads: [],
  people: 'nobody',
  fields: {
    version: field.text('Its version'),
    source: field.text('What PLUGINS called it; empty for a plugin of the product'),
    entities: field.texts('Names of its record types that are stored as documents'),
    tables: field.texts('Names of its ClickHouse tables'),
  },
  opaque: ['entities', 'tables'],
  sortable: ['created_date'],
})
