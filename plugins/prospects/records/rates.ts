import { defineRate } from 'renown'

export const answeredShare = defineRate(
  'prospects.answered_share@1',
  'Stored reviews that carry a reply, among those whose source tells of replies',
)

export const namedShare = defineRate(
  'prospects.named_share@1',
  'Answers of AI assistants that name the business, among all answers of the last 90 days',
)

export const citedShare = defineRate(
  'prospects.cited_share@1',
  "Answers of AI assistants that cite the business's own site, among all answers of the last 90 days",
)

export const negativeShare = defineRate(
  'prospects.negative_mentions@1',
  'Posts with a negative feeling, among those of the last 90 days with a known feeling',
)
