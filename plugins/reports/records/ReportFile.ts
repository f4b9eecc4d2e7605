import { defineEntity, field } from 'renown'

const { integer, text } = field

/** A part of the PDF of a report. PDFs are stored with all other records, so that each machine of an installation has them. */
export const ReportFile = defineEntity({
  name: 'ReportFile',
  summary: 'A part of the PDF of a report',
  idPrefix: 'rpf',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: [],
  people: 'nobody',
  fields: {
    workspace_id: text('Workspace the report belongs to'),
    report_id: text('Report'),
    file: text('Name of the file: a random UUID'),
    part: integer('Number of the part, from 0', { min: 0 }),
    parts: integer('Number of parts', { min: 1 }),
    bytes: text('Its bytes in base64'),
  },
  sortable: ['created_date'],
  indexes: [{ on: ['file', 'part'], unique: true }, { on: ['report_id'] }],
})
