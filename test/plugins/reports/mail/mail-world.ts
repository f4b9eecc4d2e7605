import type { Task } from 'renown'
import { everything, where } from '../../../../core/contracts/where'
import { corePlugins } from '../../../../core/product/core-plugins'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../../plugins'
import { storePdf } from '../../../../plugins/reports/files/report-files'
import { dueReportMail } from '../../../../plugins/reports/mail/release'
import { sendReportMail } from '../../../../plugins/reports/mail/sendReportMail'
import { moveReport } from '../../../../plugins/reports/records/moveReport'
import { Report } from '../../../../plugins/reports/records/Report'
import { ReportFile } from '../../../../plugins/reports/records/ReportFile'
import { ReportMail } from '../../../../plugins/reports/records/ReportMail'
import { ReportRecipient } from '../../../../plugins/reports/records/ReportRecipient'
import { ScheduledReport } from '../../../../plugins/reports/records/ScheduledReport'
import { addSchedule } from '../../../../plugins/reports/schedules/change-schedules'
import { startGate } from '../../../support/harness'
import { smtpServer } from '../../../support/smtp-server'

/** A gate with a mail server on loopback, one location, and reports that need no rendering. */
export async function startMailWorld() {
  const server = smtpServer()
  const gate = await startGate({
    plugins: [...corePlugins, ...builtin],
    reaches: true,
    settings: { SMTP_URL: server.url(), MAIL_FROM: 'Renown <news@example.com>' },
  })
  const row = { business_name: 'Bakery', is_active: true, is_prospect: false, auto_response_enabled: false }
  const location = (await gate.put(BusinessLocation, row)).id
  const { workspaceId: workspace_id } = gate.tenant
  const held = { hold: async () => {}, progress: async () => {}, save: async () => {} }
  const task = (more: Partial<Task> = {}): Task => ({
    id: 'job_1',
    workspace_id,
    attempt: 1,
    saved: {},
    signal: new AbortController().signal,
    ...held,
    ...more,
  })
  const { owner } = gate
  const mails = () => owner.rows(ReportMail).list({ limit: 100 })
  let month = 0
  return {
    gate,
    owner,
    server,
    location,
    workspace_id,
    task,
    mails,
    schedule: (more = {}) =>
      addSchedule(owner, {
        business_location_id: location,
        template: 'monthly_reputation_report',
        cadence: 'monthly',
        day: 1,
        ...more,
      }),
    /** A completed report, with a PDF of this many bytes. */
    async report(given: Record<string, unknown> = {}, bytes = 100) {
      month += 1
      const period = `20${10 + month}-01`
      const queued = await owner.rows(Report).insert({
        workspace_id,
        business_location_id: location,
        template: 'monthly_reputation_report',
        period_start: `${period}-01`,
        period_end: `${period}-31`,
        period_label: 'January',
        status: 'queued',
        report_data: { business_location: { name: 'Bakery' }, reputationScore: 80 },
        data_hash: 'x',
        ...given,
      })
      const pdf_url = await storePdf(owner, queued, Buffer.alloc(bytes, '%PDF-'))
      const rendering = await moveReport(owner, queued, 'rendering', { render_token: 'none' })
      const done = rendering && (await moveReport(owner, rendering, 'completed', { pdf_url }))
      if (!done) throw new Error('The report was not completed.')
      return done
    },
    due: () => dueReportMail.run(owner, new AbortController().signal),
    /** Runs the jobs of all messages that have not ended. */
    async run(more: Partial<Task> = {}) {
      const open = where.in('state', ['queued', 'sending'])
      for (const { id } of await owner.rows(ReportMail).list({ where: open, limit: 100 })) {
        await sendReportMail.run(owner, { mail_id: id }, task(more))
      }
      return mails()
    },
    async clear() {
      for (const entity of [Report, ReportFile, ReportMail, ReportRecipient, ScheduledReport]) {
        await owner.rows(entity).removeWhere(everything)
      }
      for (const name of Object.keys(server.faults)) delete server.faults[name as keyof typeof server.faults]
      server.received.length = 0
      server.commands.length = 0
    },
    async stop() {
      await gate.stop()
      server.stop()
    },
  }
}
