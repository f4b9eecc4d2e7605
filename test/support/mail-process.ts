import { where } from '../../core/contracts/where'
import { freeLeases } from '../../core/jobs/lease'
import { startWorker, type Worker } from '../../core/jobs/worker'
import { openSqlite } from '../../core/stores/documents/sqlite'
import { BusinessLocation } from '../../core/tenancy/BusinessLocation'
import leads from '../../plugins/leads'
import reports from '../../plugins/reports'
import { sendNow } from '../../plugins/reports/mail/release'
import { moveReport } from '../../plugins/reports/records/moveReport'
import { Report } from '../../plugins/reports/records/Report'
import { ReportMail } from '../../plugins/reports/records/ReportMail'
import { ReportRecipient } from '../../plugins/reports/records/ReportRecipient'
import reviews from '../../plugins/reviews'
import { startGate } from './harness'
import { jobs } from './platforms'
import { quietLog } from './quiet-log'
import { waitFor } from './wait-for'

/** Opens the mail of a store in a file. `url` is that of the mail server. */
export async function openMail(path: string, url: string) {
  const now = () => new Date()
  const documents = await openSqlite({ path, now, log: quietLog })
  const gate = await startGate({
    documents,
    reaches: true,
    plugins: [jobs, leads, reviews, reports],
    settings: { SMTP_URL: url, MAIL_FROM: 'Renown <news@example.com>' },
  })
  const { owner, registry } = gate
  const held: { worker?: Worker } = {}
  const open = where.in('state', ['queued', 'sending'])
  return {
    gate,
    /** A completed report with so many confirmed recipients, which a person sends. */
    async write(count: number): Promise<void> {
      const { id: location, workspace_id } = await gate.put(BusinessLocation, {
        business_name: 'Bakery',
        is_active: true,
        is_prospect: false,
        auto_response_enabled: false,
      })
      const queued = await owner.rows(Report).insert({
        workspace_id,
        business_location_id: location,
        template: 'monthly_reputation_report',
        period_start: '2025-01-01',
        period_end: '2025-01-31',
        status: 'queued',
        report_data: {},
      })
      const rendering = await moveReport(owner, queued, 'rendering', { render_token: 'none' })
      const report =
        rendering && (await moveReport(owner, rendering, 'completed', { pdf_url: '/uploads/none.pdf' }))
      if (!report) throw new Error('The report was not completed.')
      for (let n = 0; n < count; n++) {
        const email = `${crypto.randomUUID()}@shop.example`
        await owner.rows(ReportRecipient).insert({
          workspace_id,
          list_id: report.id,
          email,
          email_key: email,
          state: 'confirmed',
          proof: 'link',
          stop_token: crypto.randomUUID(),
        })
      }
      await sendNow(owner, report.id)
    },
    /** Sends until no message is open. */
    async sendAll(): Promise<void> {
      held.worker ??= startWorker({
        queues: registry.queues,
        documents,
        owner,
        clock: { now },
        log: quietLog,
        pollEveryMs: 10,
      })
      const isDone = async () => {
        await registry.jobs.get('dueReportMail')?.run(owner, new AbortController().signal)
        return (await owner.rows(ReportMail).count(open)) === 0
      }
      await waitFor(isDone, { what: 'the end of all messages', timeoutMs: 120_000, everyMs: 30 })
    },
    async stop(): Promise<void> {
      await held.worker?.stop()
      await gate.stop()
      await documents.close()
    },
  }
}

/** As a process of its own: sends one report to two people, and ends unless somebody kills it. Arguments: store, mail server. */
if (import.meta.main) {
  const [, , path = '', url = ''] = process.argv
  const mail = await openMail(path, url)
  await freeLeases(mail.gate.documents)
  await mail.write(2)
  await mail.sendAll()
  process.exit(0)
}
