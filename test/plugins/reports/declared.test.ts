import { expect, test } from 'bun:test'
import { Report } from '../../../plugins/reports/records/Report'
import { ReportMail } from '../../../plugins/reports/records/ReportMail'
import { ReportRecipient } from '../../../plugins/reports/records/ReportRecipient'

test('the render token and the recipients never leave the service', () => {
  const state = ['render_token', 'render_token_until', 'is_open'] as const
  const share = ['share_password_hash', 'share_key'] as const
  expect(Report.hidden).toEqual([...state, ...share, 'mail_state', 'mail_at', 'mail_note'])
  // Recipients are records of their own, which nobody reads but the pages of owners.
  expect([ReportRecipient.reads, ReportMail.reads]).toEqual([[], []])
})

test('the data of a report is passed through and never filtered on', () => {
  expect(Report.opaque).toEqual(['report_data'])
})
