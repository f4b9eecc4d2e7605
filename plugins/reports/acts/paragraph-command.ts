import { defineAct } from 'renown'
import * as v from 'valibot'
import { Report } from '../records/Report'
import { setParagraph, typedParagraph } from './paragraph'

/** Writes the paragraph of a report. */
export const writeParagraph = defineAct({
  name: 'report paragraph set',
  summary: 'Write the paragraph at the beginning of a report. An empty text removes it',
  on: { entity: Report, field: 'report_id', called: 'report', inForms: 'id' },
  fields: {
    text: v.pipe(
      typedParagraph,
      v.description('At most 2,000 characters. An empty line begins a new paragraph'),
    ),
  },
  label: 'Save paragraph',
  done: 'The paragraph was saved.',
  only: 'owner',
  refusesDemo: true,
  audit: {
    action: 'location.report_paragraph',
    what: ({ text }) => (text === '' ? 'Paragraph of a report removed' : 'Paragraph of a report changed'),
    subject: (_, { id }) => `report ${id}`,
    isHistory: true,
  },
  async run(ctx, { row, input: { text } }) {
    const isChanged = (row.paragraph ?? '') !== text || row.pdf_state === 'failed'
    const { id, status, paragraph = null, pdf_state = null } = await setParagraph(ctx, row, text)
    return { answer: { id, status, paragraph, pdf_state }, isChanged }
  },
})
