import { definePrompt } from 'renown'

/** Lists reviews that need an answer, most urgent first, and drafts a reply for each. */
export const answerReviews = definePrompt({
  name: 'answer_reviews',
  summary: 'Go through the reviews that wait for an answer and propose one for each',
  takes: { workspace_id: { description: 'Workspace to read; the home workspace if left out' } },
  text: ({ workspace_id }) =>
    [
      `Call listReviewsNeedingResponse${workspace_id ? ` with workspace_id "${workspace_id}"` : ''}.`,
      'For each review tell the stars, the date and the complaint or praise in one line, the most pressing first.',
      'Propose an answer of at most 80 words: thank the person, answer what they said and nothing else, promise nothing.',
      'Say which ones the owner should answer personally, and why. Nothing is published from here.',
    ].join('\n'),
})
