import { defineRate } from 'renown'

export const responseRate = defineRate(
  'reviews.response_rate@1',
  "Share of the period's reviews that have a reply now",
)

export const positiveShare = defineRate(
  'reviews.positive_share@1',
  'Share of reviews with four or five stars, among those with stars',
)

export const negativeShare = defineRate(
  'reviews.negative_share@1',
  'Share of reviews with one or two stars, among those with stars',
)

export const negativeMentions = defineRate(
  'mentions.negative_share@1',
  'Share of mentions with negative sentiment, among those with known sentiment',
)

export const positiveSentiment = defineRate(
  'reviews.positive_sentiment_share@1',
  'Share of reviews with positive text, among those with known sentiment',
)
