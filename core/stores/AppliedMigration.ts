import { defineEntity, field } from '../kit'

/** Internal: an applied migration, with the id `<plugin>:<version>`. */
export const AppliedMigration = defineEntity({
  name: 'AppliedMigration',
  summary: 'A migration that this installation has run',
  idPrefix: 'mig',
  store: 'documents',
  scope: { by: 'agency', field: 'id' },
  reads: [],
  people: 'nobody',
  fields: {
    plugin: field.text('Plugin that declared it'),
    version: field.integer('Its version', { min: 1 }),
    summary: field.text('What it changed'),
    applied_at: field.instant('When it was through'),
    product_version: field.text('Version of the product that ran it'),
  },
  sortable: ['created_date'],
})
