import { defineCommand, field } from 'renown'
import * as v from 'valibot'
import { setParagraph, typedParagraph } from './paragraph'

/** The command that changes the paragraph of a report. */
export const paragraphCommand = defineCommand({
  name: 'report paragraph set',
  summary: 'Write the paragraph at the beginning of a report. An empty text removes it',
  input: v.strictObject({
    report_id: field.text('Report'),
    text: v.pipe(
      typedParagraph,
      v.description('At most 2,000 characters. An empty line begins a new paragraph'),
    ),
  }),
  positional: ['report_id'],
  async run(ctx, { report_id, text }) {
    const {
      id,
      status,
      paragraph = null,
      pdf_state = null,
    } = await setParagraph(ctx, { id: report_id, text })
    return { id, status, paragraph, pdf_state }
  },
})
