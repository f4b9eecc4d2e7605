import { defineEntity, field } from '../kit'

/** Internal: the newest version of the product that has used this data, and what it stores. One row. */
export const DataVersion = defineEntity({
  name: 'DataVersion',
  summary: 'The newest version that has used the data of this installation',
  idPrefix: 'dav',
  store: 'documents',
  scope: { by: 'agency', field: 'id' },
  reads: [],
  people: 'nobody',
  fields: {
    version: field.text('Version of the product'),
    fields: field.texts('Fields that it stores, as `<record type>.<field>`'),
    columns: field.texts('Columns that it stores, as `<table>.<column>`'),
  },
  opaque: ['fields', 'columns'],
  sortable: ['created_date'],
})
