import { defineCommand, field } from 'renown'
import * as v from 'valibot'
import { type ReportCheck, verifyReport } from './verify-report'

/** The command that checks a report against its hash. */
export const verifyCommand = defineCommand({
  name: 'report verify',
  summary: 'Check the frozen data and every form of a report. The exit code is 1 if one differs',
  input: v.strictObject({ report_id: field.text('Report') }),
  positional: ['report_id'],
  isBad: ({ checks }) => (checks as readonly ReportCheck[]).some(({ result }) => result === 'differs'),
  async run(ctx, { report_id }) {
    return { report_id, checks: await verifyReport(ctx, report_id) }
  },
})
