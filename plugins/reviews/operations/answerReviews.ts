import { definePrompt } from 'renown'

/** Lists reviews that need an answer, most urgent first, and drafts a reply for each. */
export const answerReviews = definePrompt({
  name: 'answer_reviews',
  summary: 'Go through the reviews that wait for a reply, and propose a reply for each',
  takes: { workspace_id: { description: 'Workspace to read; the home workspace if left out' } },
  text: ({ workspace_id }) =>
    [
      `Call listReviewsNeedingResponse${workspace_id ? ` with workspace_id "${workspace_id}"` : ''}.`,
      'For each review, give the stars, the date and the complaint or praise in one line, most urgent first.',
      'Propose an answer of at most 80 words: thank the person, answer what they said and nothing else, promise nothing.',
      'Say which ones the owner should answer personally, and why. You cannot publish anything.',
    ].join('\n'),
})
