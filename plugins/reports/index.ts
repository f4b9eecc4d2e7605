import { definePlugin } from 'renown'
import { reportsDemo } from './demo'
import { getReportStatus } from './getReportStatus'
import { Report } from './Report'
import { reportStatus } from './reportStatus'
import { ScheduledReport } from './ScheduledReport'

/** Reports, rendered once or on a schedule. */
export default definePlugin({
  name: 'reports',
  summary: 'Rendered reports and their schedules',
  notYet:
    'Renown does not make reports and does not run their schedules yet. Reports and schedules come only from the demo or from a data import.',
  renown: '^1.0.0',
  entities: [Report, ScheduledReport],
  operations: [getReportStatus],
  states: [reportStatus],
  demo: reportsDemo,
})
