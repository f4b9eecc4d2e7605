import { definePrompt } from 'renown'

/** Explains which AI operators crawled the site, why, and how many visits followed. */
export const explainAiTraffic = definePrompt({
  name: 'explain_ai_traffic',
  summary: 'Which AI crawlers came, which pages they read, and which assistants sent visitors',
  takes: {
    workspace_id: { description: 'Workspace to look at; the home workspace where it is left out' },
    days: { description: 'How many days back; 28 where it is left out' },
  },
  text: ({ workspace_id, days = '28' }) =>
    [
      `Call getAiTrafficSummary and getTopCrawledPages for the last ${days} days${workspace_id ? ` with workspace_id "${workspace_id}"` : ''}.`,
      'Explain to the owner of the website, without jargon: which operators came and for what purpose, how many hits were verified and how many only pretended, and which assistants sent visitors.',
      'Name the pages that are read most and those that bring visitors; say where the two differ and what that suggests.',
      'Unverified hits prove nothing about an operator: say so where they matter.',
    ].join('\n'),
})
