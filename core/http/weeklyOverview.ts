import { definePrompt } from '../kit'

/** Recent events of a business, from all record types. */
export const weeklyOverview = definePrompt({
  name: 'weekly_overview',
  summary: 'What happened in the last days and what needs attention, on one page',
  takes: {
    workspace_id: { description: 'Workspace to read; the home workspace if left out' },
    days: { description: 'How many days back; 7 if left out' },
  },
  text: ({ workspace_id, days = '7' }) =>
    [
      `Write a one-page overview of the last ${days} days for the owner of a business.`,
      workspace_id ? `Pass workspace_id "${workspace_id}" to every tool.` : 'Read the home workspace.',
      'Call describe_records once to see which records exist. Then call the summary tools, and list_records for details.',
      'Say what changed, with counts and dates. Name what needs an answer first, with ids. End with three next steps.',
      'Leave out what has no data, and do not guess reasons that the data does not show.',
    ].join('\n'),
})
