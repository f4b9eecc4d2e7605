import { expect, test } from 'bun:test'
import { Report } from '../../../plugins/reports/records/Report'
import { ReportMail } from '../../../plugins/reports/records/ReportMail'
import { ReportRecipient } from '../../../plugins/reports/records/ReportRecipient'
import { ScheduledReport } from '../../../plugins/reports/records/ScheduledReport'
import { declares } from '../../support/declared'

declares(Report, {
  workspace_id: 'string',
  template: 'string',
  period_start: 'day',
  period_end: 'day',
  status: 'enum(queued,rendering,completed,failed)',
  pdf_url: 'string',
  error_message: 'string',
  started_at: 'instant',
  completed_at: 'instant',
  report_data: 'object',
  data_hash: 'string',
  pdf_standard: 'enum(ua-1,1.7)',
  pdf_state: 'enum(outdated,failed)',
  paragraph: 'string',
  paragraph_at: 'instant',
  business_location_id: 'string',
  source: 'enum(manual,scheduled,agent)',
  scheduled_report_id: 'string',
  period_label: 'string|null',
  public_share_id: 'string|null',
  is_public: 'boolean',
  share_view_count: 'integer',
  share_created_at: 'instant',
  share_expires_at: 'instant',
  share_is_protected: 'boolean',
})

declares(ScheduledReport, {
  workspace_id: 'string',
  business_location_id: 'string',
  template: 'string',
  cadence: 'enum(weekly,monthly,quarterly)',
  day: 'integer',
  timezone: 'string',
  recipients_count: 'integer',
  review_first: 'boolean',
  is_active: 'boolean',
  last_run_at: 'instant',
  next_run_at: 'instant',
  keep_paragraph: 'boolean',
  last_report_id: 'string',
})

test('the render token and the recipients never leave the service', () => {
  const state = ['render_token', 'render_token_until', 'is_open', 'tries'] as const
  const share = ['share_password_hash', 'share_key'] as const
  expect(Report.hidden).toEqual([...state, ...share, 'mail_state', 'mail_at', 'mail_note'])
  // Recipients are records of their own, which nobody reads but the pages of owners.
  expect([ReportRecipient.reads, ReportMail.reads]).toEqual([[], []])
})

test('the data of a report is passed through and never filtered on', () => {
  expect(Report.opaque).toEqual(['report_data'])
})
