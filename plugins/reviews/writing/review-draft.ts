import type { Row } from 'renown'
import { defineDraft } from 'renown/sending'
import type { Review } from '../records/Review'

/** Maximum characters of a draft: those of the longest reply that a platform accepts. */
export const draftMax = 4_096

/** The draft of a review. */
export const reviewDraft = defineDraft({
  name: 'suggested_response',
  textOf: (review: Row<typeof Review>) => review.ai_suggested_response,
  replacedOf: ({ previous_draft: text }) => (text ? { text } : null),
})
