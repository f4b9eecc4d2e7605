import { definePrompt } from 'renown'

/** Lists new leads, most likely first, with a suggestion for each. */
export const workNewLeads = definePrompt({
  name: 'work_new_leads',
  summary: 'Go through the new leads, the most likely first, and say what to do with each',
  takes: { workspace_id: { description: 'Workspace to read; the home workspace if left out' } },
  text: ({ workspace_id }) =>
    [
      `Call listLeadsWithMentions with stage "new" and sort by intent_score, highest first${workspace_id ? `, and workspace_id "${workspace_id}"` : ''}.`,
      'For each lead, say in two lines what the person wants and whether it is worth an answer today. Quote the mention and link it.',
      'Propose an answer in a friendly, plain tone for the five best. You cannot send anything: the owner answers on the platform.',
      'Ask before you call markLeadsSeen for these leads.',
    ].join('\n'),
})
