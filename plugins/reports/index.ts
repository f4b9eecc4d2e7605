import { definePlugin } from 'renown'
import { inboxEntry, workspaceLimits, workspaceProblems } from 'renown/pages'
import { personErasure } from 'renown/records'
import { writeParagraph } from './acts/paragraph-command'
import { ownQueue, reportQueue } from './acts/queue-report'
import { brandingCommands } from './branding/branding-commands'
import { reportEntries } from './cards/inbox'
import { reportProblems } from './cards/problems'
import { reportsDemo } from './demo/demo'
import { mailCommands } from './mail/mail-commands'
import { confirmPage, stopPage } from './mail/public-mail'
import { dueReportMail } from './mail/release'
import { sendReportMail } from './mail/sendReportMail'
import { makeReport, queuedReports } from './making/makeReport'
import { outdatedPdfs, renderAgain } from './making/renderAgain'
import { generateReport } from './operations/generateReport'
import { getReportMarkdown } from './operations/getReportMarkdown'
import { getReportStatus } from './operations/getReportStatus'
import { brandingPage } from './pages/branding-page'
import { reportPage } from './pages/report-page'
import { reportsPage } from './pages/reports-page'
import { schedulePage } from './pages/schedule-page'
import { AgencyBranding, BrandLogo } from './records/AgencyBranding'
import { reportCompleted } from './records/events'
import { Agency, BusinessLocation, User, Workspace } from './records/foreign'
import { Report } from './records/Report'
import { ReportFile } from './records/ReportFile'
import { ReportMail } from './records/ReportMail'
import { ReportRecipient } from './records/ReportRecipient'
import { ScheduledReport } from './records/ScheduledReport'
import { dueSchedules } from './schedules/dueSchedules'
import { scheduleCommands } from './schedules/schedule-commands'
import { reportLimits } from './schedules/schedule-limits'
import { reportUploads } from './share/report-uploads'
import { sharedReportPage } from './share/shared-report'
import { reportSection } from './templates/section'
import { builtinTemplates, reportTemplate } from './templates/template'
import { reportErasure } from './verify/report-erasure'
import { verifyCommand } from './verify/verify-command'

/** Reports, rendered once or on a schedule. */
export default definePlugin({
  name: 'reports',
  summary: 'Rendered reports and their schedules',
  renown: '^1.0.0',
  needs: ['tenancy'],
  entities: [Report, ReportFile, ReportMail, ReportRecipient, ScheduledReport, AgencyBranding, BrandLogo],
  reads: [Agency, BusinessLocation, User, Workspace],
  extensionPoints: [reportSection, reportTemplate, reportQueue],
  provides: [
    ...builtinTemplates.map((template) => reportTemplate.with(template)),
    inboxEntry.with(reportEntries),
    workspaceProblems.with(reportProblems),
    workspaceLimits.with(reportLimits),
    reportQueue.with(ownQueue),
    personErasure.with(reportErasure),
  ],
  operations: [generateReport, getReportMarkdown, getReportStatus],
  jobs: { queuedReports, dueSchedules, outdatedPdfs, dueReportMail },
  commands: [
    ...scheduleCommands,
    ...brandingCommands,
    writeParagraph.command,
    ...mailCommands,
    verifyCommand,
  ],
  events: [reportCompleted],
  queues: {
    'make-report': makeReport,
    'render-report-again': renderAgain,
    'send-report-mail': sendReportMail,
  },
  publicPages: {
    report: sharedReportPage,
    'report-confirm': confirmPage,
    'report-stop': stopPage,
    reports: reportUploads,
  },
  pages: [reportsPage, reportPage, schedulePage, brandingPage],
  demo: reportsDemo,
})
