import { definePrompt } from '../kit'

/** Recent events of a business, from all record types. */
export const weeklyOverview = definePrompt({
  name: 'weekly_overview',
  summary: 'What happened in the last days and what wants attention, on one page',
  takes: {
    workspace_id: { description: 'Workspace to look at; the home workspace where it is left out' },
    days: { description: 'How many days back; 7 where it is left out' },
  },
  text: ({ workspace_id, days = '7' }) =>
    [
      `Write a one-page overview of the last ${days} days for the owner of a business.`,
      workspace_id ? `Pass workspace_id "${workspace_id}" to every tool.` : 'Read the home workspace.',
      'Call describe_records once to see what is recorded, then the summary tools that are offered, and list_records for what they leave open.',
      'Say what changed, with counts and dates; name what wants an answer first, with the ids to find it by; and end with three next steps.',
      'Leave out what has no data, and do not guess at reasons that the data does not show.',
    ].join('\n'),
})
