import { defineRate } from 'renown'

export const answeredShare = defineRate(
  'prospects.answered_share@1',
  'Share of stored reviews with a reply, among reviews whose source returns replies',
)

export const namedShare = defineRate(
  'prospects.named_share@1',
  'Share of AI answers of the last 90 days that name the business',
)

export const citedShare = defineRate(
  'prospects.cited_share@1',
  "Answers of AI assistants that cite the business's own site, among all answers of the last 90 days",
)

export const negativeShare = defineRate(
  'prospects.negative_mentions@1',
  'Share of posts of the last 90 days with negative sentiment, among those with known sentiment',
)
