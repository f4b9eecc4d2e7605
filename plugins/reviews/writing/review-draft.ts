import type { Row } from 'renown'
import { defineDraft } from 'renown/sending'
import type { Review } from '../records/Review'

/** Longest draft of a caller. Platforms accept at most so many characters. */
export const draftMax = 4_096

/** The draft of a review. */
export const reviewDraft = defineDraft({
  name: 'suggested_response',
  textOf: (review: Row<typeof Review>) => review.ai_suggested_response,
  replacedOf: ({ previous_draft: text }) => (text ? { text } : null),
})
