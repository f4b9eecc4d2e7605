import type { Messages } from 'renown/pages'

export default {
  navReports: 'Reports',
  navBranding: 'Branding',
  kind: 'Reports',
  makeAgain: 'Make it again',
  noReport: 'There is no such report in this workspace.',
  failed: 'Failed',
  reportFailed: 'The report failed:',
  unknownReason: 'unknown reason',
  waiting: 'Waiting',
  waitsForLook: 'A report waits for your look: {report}',
  mailedOn: 'Renown mails it on {time}. Until then, edit the paragraph, send it now, or hold it.',
  new: 'New',
  madeThis: 'Renown made this report. Look at it, and share it if your client should read it.',
  report: 'Report',
  reportOf: '{template}, {period}',
  fromTo: '{start} to {end}',
  removedLocation: 'A removed location',
  openReport: 'Open the report',
  paused: 'Paused',
  pausedSchedule: 'A schedule makes reports of a paused location: {template}',
  pausedText:
    'Renown reads nothing new for a paused location, so its reports stay empty. Activate the location, or remove the schedule.',
  openSchedules: 'Open the schedules',
} as const satisfies Messages
