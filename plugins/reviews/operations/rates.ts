import { defineRate } from 'renown'

export const responseRate = defineRate(
  'reviews.response_rate@1',
  'Reviews of the period that carry a reply now, among all reviews of the period',
)

export const positiveShare = defineRate(
  'reviews.positive_share@1',
  'Reviews of four and five stars, among those with stars',
)

export const negativeShare = defineRate(
  'reviews.negative_share@1',
  'Reviews of one and two stars, among those with stars',
)

export const negativeMentions = defineRate(
  'mentions.negative_share@1',
  'Mentions with a negative feeling, among those with a known feeling',
)

export const positiveSentiment = defineRate(
  'reviews.positive_sentiment_share@1',
  'Reviews whose text is positive, among those with a known feeling',
)
