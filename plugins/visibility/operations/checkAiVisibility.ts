import { definePrompt } from 'renown'

/**
 * Asks whether AI assistants recommend the business, who its competitors are, and which sources they cite.
 */
export const checkAiVisibility = definePrompt({
  name: 'check_ai_visibility',
  summary: 'Whether AI assistants recommend the business, who is named instead, and what they cite',
  takes: { workspace_id: { description: 'Workspace to look at; the home workspace where it is left out' } },
  text: ({ workspace_id }) =>
    [
      `List the VisibilityTracker records${workspace_id ? ` with workspace_id "${workspace_id}" here and everywhere` : ''}, then call getVisibilitySummary, getShareOfVoice and listCitedSources for the active one.`,
      'Say how often the brand is named, compared with the previous period. Use totals.mention_rate_v2 with its n and its interval, and totals.change for the change. Call it a change only if its change_significant is true.',
      'If empty_because is not null, say why there are no answers.',
      'Name the competitors that are recommended instead, and the sources that the assistants cite most.',
      'End with the three pages or sources whose improvement would most likely help.',
    ].join('\n'),
})
