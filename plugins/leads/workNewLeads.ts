import { definePrompt } from 'renown'

/** Lists new leads, the most likely first, with a suggestion for each. */
export const workNewLeads = definePrompt({
  name: 'work_new_leads',
  summary: 'Go through the new leads, the most likely first, and say what to do with each',
  takes: { workspace_id: { description: 'Workspace to read; the home workspace if left out' } },
  text: ({ workspace_id }) =>
    [
      `Call listLeadsWithMentions with stage "new" and sort by intent_score, highest first${workspace_id ? `, and workspace_id "${workspace_id}"` : ''}.`,
      'For each lead tell in two lines what the person wants, quoting the mention and linking it, and whether it is worth an answer today.',
      'Propose an answer in a friendly, plain tone for the five best. Nothing is sent from here: the owner answers on the platform.',
      'Ask before you call markLeadsSeen for the leads that were gone through.',
    ].join('\n'),
})
