import { definePlugin, inboxEntry } from 'renown'
import { paragraphCommand } from './acts/paragraph-command'
import { brandingCommands } from './branding/branding-commands'
import { reportEntries } from './cards/inbox'
import { reportsDemo } from './demo/demo'
import { makeReport, queuedReports } from './making/makeReport'
import { outdatedPdfs, renderAgain } from './making/renderAgain'
import { generateReport } from './operations/generateReport'
import { getReport } from './operations/getReport'
import { getReportStatus } from './operations/getReportStatus'
import { brandingPage } from './pages/branding-page'
import { reportPage } from './pages/report-page'
import { reportsPage } from './pages/reports-page'
import { AgencyBranding, BrandLogo } from './records/AgencyBranding'
import { reportCompleted } from './records/events'
import { Agency, BusinessLocation, Workspace } from './records/foreign'
import { Report } from './records/Report'
import { ReportFile } from './records/ReportFile'
import { reportStatus } from './records/reportStatus'
import { ScheduledReport } from './records/ScheduledReport'
import { dueSchedules } from './schedules/dueSchedules'
import { scheduleCommands } from './schedules/schedule-commands'
import { reportUploads } from './share/report-uploads'
import { sharedReportPage } from './share/shared-report'
import { reportSection } from './templates/section'
import { builtinTemplates, reportTemplate } from './templates/template'
import { verifyCommand } from './verify/verify-command'

/** Reports, rendered once or on a schedule. */
export default definePlugin({
  name: 'reports',
  summary: 'Rendered reports and their schedules',
  renown: '^1.0.0',
  needs: ['tenancy'],
  entities: [Report, ReportFile, ScheduledReport, AgencyBranding, BrandLogo],
  reads: [Agency, BusinessLocation, Workspace],
  extensionPoints: [reportSection, reportTemplate],
  provides: [
    ...builtinTemplates.map((template) => reportTemplate.with(template)),
    inboxEntry.with(reportEntries),
  ],
  operations: [generateReport, getReport, getReportStatus],
  states: [reportStatus],
  jobs: { queuedReports, dueSchedules, outdatedPdfs },
  commands: [...scheduleCommands, ...brandingCommands, paragraphCommand, verifyCommand],
  events: [reportCompleted],
  queues: { 'make-report': makeReport, 'render-report-again': renderAgain },
  publicPages: { report: sharedReportPage },
  uploads: { reports: reportUploads },
  pages: [reportsPage, reportPage, brandingPage],
  demo: reportsDemo,
})
