import { defineEntity, field, ours } from 'renown'
import * as v from 'valibot'
import { reportMailState } from './reportMailState'
import { reportStatus } from './reportStatus'

const { anything, code, day, flag, instant, integer, oneOf, text } = field

/** A rendered report. Its data is collected before rendering and never changes afterwards. */
export const Report = defineEntity({
  name: 'Report',
  summary: 'A rendered report on a business location and a period',
  idPrefix: 'rep',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: ['list', 'get'],
  people: 'nobody',
  fields: {
    workspace_id: code('Workspace the report belongs to'),
    template: code(
      'Template it is rendered from, such as monthly_reputation_report or competitor_comparison',
    ),
    period_start: day("First day, in the workspace's time zone"),
    period_end: day('Last day, inclusive'),
    status: oneOf(
      ['queued', 'rendering', 'completed', 'failed'],
      'State of the report. A retry is a new report',
    ),
    pdf_url: v.optional(ours(code('Relative path of the PDF; its name cannot be guessed'))),
    error_message: v.optional(text('Why rendering failed, shortened')),
    started_at: v.optional(instant('When rendering began')),
    completed_at: v.optional(instant('When it ended')),
    data_hash: v.optional(code('SHA-256 of report_data as canonical JSON, in hexadecimal')),
    pdf_state: v.optional(
      oneOf(
        ['outdated', 'failed'],
        'Set if the PDF lacks the newest paragraph. outdated: it is being rendered again. failed: that failed, and the PDF has the previous paragraph',
      ),
    ),
    pdf_standard: v.optional(oneOf(['ua-1', '1.7'], 'Standard of the PDF: PDF/UA-1, or tagged PDF 1.7')),
    render_token: v.optional(text('Hash of the token of the renderer, valid for five minutes')),
    render_token_until: v.optional(instant('End of that token')),
    is_open: v.optional(flag('It has not ended')),
    report_data: v.optional(
      anything('Data that the report is rendered from. Ignore unknown keys; known ones may be missing'),
    ),
    paragraph: v.optional(
      text('Paragraph that a person wrote. It is no part of report_data, so data_hash does not cover it'),
    ),
    mail_state: v.optional(
      oneOf(['planned', 'held', 'released', 'cancelled'], 'How far the mail with this report is'),
    ),
    mail_at: v.optional(instant('When it is sent by mail')),
    mail_note: v.optional(text('Why it is not sent by mail')),
    paragraph_at: v.optional(instant('When a person last changed the paragraph')),
    business_location_id: v.optional(
      code(
        'Business location that the report is about. Absent on old reports about the whole workspace, which cannot be shared',
      ),
    ),
    source: v.optional(oneOf(['manual', 'scheduled', 'agent'], 'Who requested it')),
    scheduled_report_id: v.optional(code('Schedule that requested it')),
    period_label: v.optional(v.nullable(text('The period in words, set at creation. Null on older rows'))),
    public_share_id: v.optional(
      v.nullable(
        text(
          'Token of 12 URL-safe characters while the report is shared, a new one each time. Otherwise null',
        ),
      ),
    ),
    is_public: v.optional(flag('The report is shared. The public page needs this and public_share_id')),
    share_view_count: v.optional(
      integer('How often the public page was opened. No IP addresses are stored', { min: 0 }),
    ),
    share_created_at: v.optional(instant('When it was first shared')),
    share_expires_at: v.optional(instant('When its public page ends. Absent: it does not end by itself')),
    share_is_protected: v.optional(flag('Its public page asks for a password')),
    share_password_hash: v.optional(text('Hash of that password')),
    share_key: v.optional(text('Key of the addresses of its shared files')),
  },
  hidden: [
    'render_token',
    'render_token_until',
    'is_open',
    'share_password_hash',
    'share_key',
    'mail_state',
    'mail_at',
    'mail_note',
  ],
  opaque: ['report_data'],
  namedIn: {
    arguments: ['report_id', 'last_report_id'],
    names: [],
    domains: [],
    shown: ['template', 'period_start', 'period_end'],
  },
  states: [reportStatus, reportMailState],
  sortable: ['created_date', 'updated_date', 'period_start', 'period_end', 'completed_at'],
  indexes: [
    { on: ['business_location_id', '-created_date'] },
    { on: ['status', '-created_date'] },
    {
      on: ['business_location_id', 'template', 'period_start', 'period_end'],
      unique: true,
      where: { is_open: true },
    },
    { on: ['scheduled_report_id'] },
    { on: ['pdf_url'] },
    { on: ['pdf_state'] },
    { on: ['mail_state', 'mail_at'] },
    { on: ['public_share_id'], unsafeUniqueAcrossTenants: true, where: { is_public: true } },
  ],
})
